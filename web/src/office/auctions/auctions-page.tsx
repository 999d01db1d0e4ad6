import { useState } from 'react'
import { Select } from '../../ui/forms/field.tsx'
import { ByWorkOrAccount } from '../lookup/by-work-or-account.tsx'
import { Page } from '../shell/page.tsx'
import { type AuctionSearch, FoundAuctions } from './found-auctions.tsx'

type StateName = NonNullable<AuctionSearch['state']>

const states = ['open', 'awarded', 'sold', 'unsold', 'cancelled', 'void', 'failed', 'any'] satisfies StateName[]

/** Auctions: those that are not over, those of a state, and the one of an id, those of a work or an account. */
export function AuctionsPage() {
  const [state, setState] = useState('')
  return (
    <Page title="Auctions">
      <FoundAuctions
        title="Auctions"
        about="A bank holds the money of the leader. Beside a seller: how many of their auctions with bids became void."
        search={state ? { state: state as StateName } : {}}
        empty={state ? 'No auction is like that.' : 'No auction is open.'}
        aside={
          <Select label="State" value={state} onChange={(event) => setState(event.target.value)}>
            <option value="">Not over</option>
            {states.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        }
      />
      <ByWorkOrAccount
        title="Of a work or an account"
        label="Id, title, address, name, e-mail or wallet"
        ofId={(id) => (
          <FoundAuctions title="Auction with this id" search={{ id, state: 'any' }} empty="No auction has this id." />
        )}
        ofWork={({ itemId, name }) => (
          <FoundAuctions
            title={`Auctions of “${name}”`}
            search={{ itemId, state: 'any' }}
            empty="It was never on auction."
          />
        )}
        ofAccount={({ userId, username }) => (
          <FoundAuctions
            title={`Auctions by ${username}, and those in which they bid`}
            search={{ accountId: userId, state: 'any' }}
            empty="It started no auction and bid in none."
          />
        )}
        ofOrder="The field at the top finds a bid by its number, and leads to its auction."
      />
    </Page>
  )
}
