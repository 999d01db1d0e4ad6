import { searchAccounts } from '@nifty/api/auth/account-search'
import { searchItems } from '@nifty/api/catalog/item-search'
import { parseLookup } from '@nifty/api/lookup'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/forms/field.tsx'
import { Page } from '../shell/page.tsx'
import { useStore } from '../store/use-store.ts'
import { Contents } from '../table/section.tsx'
import { FoundOffers, type OfferSearch } from './found-offers.tsx'

type StateName = NonNullable<OfferSearch['state']>

/** Offers by card: those that are not over, those of a state, and those of a work or an account. */
export function OffersPage() {
  const [state, setState] = useState('')
  const [search, setSearch] = useState('')
  return (
    <Page title="Offers">
      <FoundOffers
        title="Offers"
        about="Their money is held by a bank until the owner of the work decides, or the offer ends."
        search={state ? { state: state as StateName } : {}}
        empty={state ? 'No offer is like that.' : 'No offer is open.'}
        aside={
          <Select label="State" value={state} onChange={(event) => setState(event.target.value)}>
            <option value="">Not over</option>
            {(['started', 'open', 'accepted', 'ended', 'any'] satisfies StateName[]).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        }
      />
      <section className="section" aria-labelledby="offers-of">
        <h2 id="offers-of">Of a work or an account</h2>
        <form
          className="filters"
          onSubmit={(event) => {
            event.preventDefault()
            setSearch(String(new FormData(event.currentTarget).get('search')).trim())
          }}
        >
          <Field label="Title, address, name, e-mail or wallet" name="search" required autoComplete="off" />
          <Button type="submit" variant="secondary">
            Search
          </Button>
        </form>
        {search && <Matches key={search} search={search} />}
      </section>
    </Page>
  )
}

/** The offers of so many works, and of so many accounts. */
const MATCHES = 5

const kindsOfWorks = ['id', 'token', 'text']
const kindsOfAccounts = ['id', 'email', 'username', 'wallet', 'text']

function Matches({ search }: { search: string }) {
  const { kind } = parseLookup(search)
  const [hasWorks, hasAccounts] = [kindsOfWorks.includes(kind), kindsOfAccounts.includes(kind)]
  const works = useStore('catalog', searchItems, hasWorks ? { body: { search } } : null)
  const accounts = useStore('auth', searchAccounts, hasAccounts ? { body: { search } } : null)
  if (!hasWorks && !hasAccounts)
    return <p>The field at the top finds an order by its number, and leads to its offer.</p>
  const found = (works.data?.items.length ?? 0) + (accounts.data?.accounts.length ?? 0)
  const isLoaded = (!hasWorks || works.data) && (!hasAccounts || accounts.data)
  return (
    <>
      {isLoaded && found === 0 && <p role="status">No work and no account has that.</p>}
      {hasWorks && (
        <Contents loaded={works}>
          {({ items }) =>
            items
              .slice(0, MATCHES)
              .map(({ itemId, name }) => (
                <FoundOffers key={itemId} title={`Offers for “${name}”`} search={{ itemId, state: 'any' }} />
              ))
          }
        </Contents>
      )}
      {hasAccounts && (
        <Contents loaded={accounts}>
          {({ accounts: people }) =>
            people
              .slice(0, MATCHES)
              .map(({ userId, username }) => (
                <FoundOffers
                  key={userId}
                  title={`Offers by ${username} and for their works`}
                  search={{ accountId: userId, state: 'any' }}
                />
              ))
          }
        </Contents>
      )}
      {found > MATCHES && <p className="muted">The offers of the first ones. A narrower search finds others.</p>}
    </>
  )
}
