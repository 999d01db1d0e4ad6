import { type FoundAccount, searchAccounts } from '@nifty/api/auth/account-search'
import { type FoundItem, searchItems } from '@nifty/api/catalog/item-search'
import { parseLookup } from '@nifty/api/lookup'
import { Fragment, type ReactNode, useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { useStore } from '../store/use-store.ts'
import { Contents } from '../table/section.tsx'

type Props = {
  title: string
  /** Of the field. */
  label: string
  /** What an id may be besides that of a work or an account. */
  ofId?: (id: string) => ReactNode
  ofWork: (work: FoundItem) => ReactNode
  ofAccount: (account: FoundAccount) => ReactNode
  /** For the number of an order and what else is found elsewhere. */
  ofOrder: string
}

/** A field that finds works and accounts, with a list for each of the first ones. */
export function ByWorkOrAccount({ title, label, ...lists }: Props) {
  const [search, setSearch] = useState('')
  const heading = useId()
  return (
    <section className="section" aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      <form
        className="filters filters--search"
        onSubmit={(event) => {
          event.preventDefault()
          setSearch(String(new FormData(event.currentTarget).get('search')).trim())
        }}
      >
        <Field label={label} name="search" required autoComplete="off" />
        <Button type="submit" variant="secondary">
          Search
        </Button>
      </form>
      {search && <Matches key={search} search={search} {...lists} />}
    </section>
  )
}

/** Lists are shown of so many works, and of so many accounts. */
const MATCHES = 5

const kindsOfWorks = ['id', 'token', 'text']
const kindsOfAccounts = ['id', 'email', 'username', 'wallet', 'text']

function Matches({ search, ofId, ofWork, ofAccount, ofOrder }: Omit<Props, 'title' | 'label'> & { search: string }) {
  const lookup = parseLookup(search)
  const [hasWorks, hasAccounts] = [kindsOfWorks.includes(lookup.kind), kindsOfAccounts.includes(lookup.kind)]
  const works = useStore('catalog', searchItems, hasWorks ? { body: { search } } : null)
  const accounts = useStore('auth', searchAccounts, hasAccounts ? { body: { search } } : null)
  if (!hasWorks && !hasAccounts) return <p>{ofOrder}</p>
  const found = (works.data?.items.length ?? 0) + (accounts.data?.accounts.length ?? 0)
  const isLoaded = (!hasWorks || works.data) && (!hasAccounts || accounts.data)
  const mayBeElse = ofId !== undefined && lookup.kind === 'id'
  return (
    <>
      {isLoaded && found === 0 && (mayBeElse ? ofId(lookup.id) : <p role="status">No work and no account has that.</p>)}
      {hasWorks && (
        <Contents loaded={works}>
          {({ items }) => items.slice(0, MATCHES).map((work) => <Fragment key={work.itemId}>{ofWork(work)}</Fragment>)}
        </Contents>
      )}
      {hasAccounts && (
        <Contents loaded={accounts}>
          {({ accounts: people }) =>
            people.slice(0, MATCHES).map((account) => <Fragment key={account.userId}>{ofAccount(account)}</Fragment>)
          }
        </Contents>
      )}
      {found > MATCHES && <p className="muted">Those of the first ones. A narrower search finds others.</p>}
    </>
  )
}
