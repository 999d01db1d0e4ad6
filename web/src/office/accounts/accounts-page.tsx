import { countSellers, describeAccount } from '@nifty/api/auth/ops'
import { findHandBack, handBackWorks } from '@nifty/api/minting/ops'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { Time } from '../../ui/time.tsx'
import { Action, Effects } from '../action/action.tsx'
import { Page } from '../shell/page.tsx'
import { request, StoreError } from '../store/request.ts'
import { useStore } from '../store/use-store.ts'
import { plural } from '../table/format.ts'
import { Section } from '../table/section.tsx'

/** Finds an account, and hands back the works of a deleted one. */
export function AccountsPage() {
  const sellers = useStore('auth', countSellers, {})
  return (
    <Page title="Accounts">
      <FindAccount />
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

function FindAccount() {
  const navigate = useNavigate()
  const { busy, onSubmit, message } = useForm(async ({ text }) => {
    try {
      const { userId } = await request('auth', describeAccount, { body: { account: text('account').trim() } })
      await navigate(`/accounts/${userId}`)
    } catch (error) {
      return refusal(error)
    }
  })
  return (
    <section className="section" aria-labelledby="find">
      <h2 id="find">Find an account</h2>
      <form className="filters" onSubmit={onSubmit}>
        <Field label="E-mail address or id" name="account" required autoComplete="off" error={message} />
        <Button type="submit" busy={busy} busyLabel="One moment">
          Find
        </Button>
      </form>
      <p className="muted">Each look at an account is a security event.</p>
    </section>
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
