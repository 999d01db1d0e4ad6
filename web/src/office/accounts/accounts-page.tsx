import { accountStates } from '@nifty/api/auth/account-states'
import { countSellers } from '@nifty/api/auth/ops'
import { findHandBack, handBackWorks } from '@nifty/api/minting/ops'
import { plural } from '@nifty/api/plural'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/forms/field.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { Time } from '../../ui/time.tsx'
import { Action, Effects } from '../action/action.tsx'
import { Page } from '../shell/page.tsx'
import { request, StoreError } from '../store/request.ts'
import { useStore } from '../store/use-store.ts'
import { Section } from '../table/section.tsx'
import { FoundAccounts } from './found-accounts.tsx'

/** Finds accounts, and hands back the works of a deleted one. */
export function AccountsPage() {
  const sellers = useStore('auth', countSellers, {})
  return (
    <Page title="Accounts">
      <FindAccounts />
      <Section title="Sellers" loaded={sellers}>
        {({ sellers: count }) => <p>{plural(count, 'account')} may mint and sell.</p>}
      </Section>
      <HandBack />
    </Page>
  )
}

/** The message of a refusal; rethrows anything else. */
function refusal(error: unknown): { message: string } {
  if (!(error instanceof StoreError)) throw error
  return { message: error.message }
}

function FindAccounts() {
  const [search, setSearch] = useState('')
  const [state, setState] = useState('')
  return (
    <FoundAccounts
      title="All"
      about="Newest first. Each search, and each look at an account, is recorded with your name."
      search={{ ...(search && { search }), ...(state && { state: state as (typeof accountStates)[number] }) }}
      aside={
        <form
          className="filters"
          onSubmit={(event) => {
            event.preventDefault()
            setSearch(String(new FormData(event.currentTarget).get('account')).trim())
          }}
        >
          <Field
            label="Who"
            name="account"
            autoComplete="off"
            maxLength={254}
            placeholder="E-mail, @name, wallet, name"
          />
          <Select label="State" value={state} onChange={(event) => setState(event.target.value)}>
            <option value="">All</option>
            {accountStates.map((name) => (
              <option key={name} value={name}>
                {name.replaceAll('_', ' ')}
              </option>
            ))}
          </Select>
          <Button type="submit" variant="secondary">
            Find
          </Button>
        </form>
      }
    />
  )
}

type Found = { code: string; userId: string; deletedAt: string; from: string }

/** Works that a deleted account gave up, by the code of its last mail. */
function HandBack() {
  const [found, setFound] = useState<Found>()
  const { busy, onSubmit, message } = useForm(async ({ text }) => {
    const code = text('code').trim()
    setFound(undefined)
    try {
      setFound({ code, ...(await request('minting', findHandBack, { body: { code } })) })
    } catch (error) {
      return refusal(error)
    }
  })
  return (
    <section className="section" aria-labelledby="hand-back">
      <h2 id="hand-back">Hand back works</h2>
      <p className="muted">
        Of a deleted account, with the code of its last mail, from 24 hours to 30 days afterwards.
      </p>
      <form className="filters" onSubmit={onSubmit}>
        <Field label="Code" name="code" required autoComplete="off" error={message} />
        <Button type="submit" variant="secondary" busy={busy} busyLabel="One moment">
          Find
        </Button>
      </form>
      {found && (
        <>
          <p>
            The account {found.userId} was deleted on <Time at={found.deletedAt} />. Its works are handed back from{' '}
            <Time at={found.from} /> on.
          </p>
          {new Date(found.from) <= new Date() && (
            <div className="actions">
              <Action
                label="Hand back…"
                title="Hand back the works"
                variant="danger"
                effects={
                  <Effects lines={['Every work that it gave up is sent to the wallet', 'Nobody can undo that']} />
                }
                run={async ({ reason, text }) => {
                  const { withdrawals } = await request('minting', handBackWorks, {
                    body: { code: found.code, wallet: text('wallet').trim(), reason },
                  })
                  return `${plural(withdrawals.length, 'work')} on the way.`
                }}
              >
                <Field label="Wallet address" name="wallet" required autoComplete="off" />
              </Action>
            </div>
          )}
        </>
      )}
    </section>
  )
}
