import { useState } from 'react'
import { Select } from '../../ui/forms/field.tsx'
import { ByWorkOrAccount } from '../lookup/by-work-or-account.tsx'
import { Page } from '../shell/page.tsx'
import { FoundOffers, type OfferSearch } from './found-offers.tsx'

type StateName = NonNullable<OfferSearch['state']>

/** Offers by card: those that are not over, those of a state, and those of a work or an account. */
export function OffersPage() {
  const [state, setState] = useState('')
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
      <ByWorkOrAccount
        title="Of a work or an account"
        label="Title, address, name, e-mail or wallet"
        ofWork={({ itemId, name }) => <FoundOffers title={`Offers for “${name}”`} search={{ itemId, state: 'any' }} />}
        ofAccount={({ userId, username }) => (
          <FoundOffers
            title={`Offers by ${username} and for their works`}
            search={{ accountId: userId, state: 'any' }}
          />
        )}
        ofOrder="The field at the top finds an order by its number, and leads to its offer."
      />
    </Page>
  )
}
