import type { NftDetail } from '@nifty/api/catalog/public'
import { type OfferDays, offerDays } from '@nifty/api/offer-days'
import { makeOffer } from '@nifty/api/payments/offers'
import { formatPrice } from '@nifty/api/price'
import { useState } from 'react'
import { send } from '../../api/api.ts'
import { Notice } from '../../ui/state.tsx'
import { AmountForm, type AmountFormProps } from './amount-form.tsx'

type Props = AmountFormProps & {
  item: NftDetail
  /** In euros. */
  minimum: number
}

const daysText = (days: number) => (days === 1 ? '1 day' : `${days} days`)

/** Amount, days, recipient and terms of an offer. */
export function OfferForm({ item, ...common }: Props) {
  const [days, setDays] = useState<OfferDays>(3)
  return (
    <AmountForm
      {...common}
      kind="offer"
      label="Your offer in €"
      place={(price, terms) =>
        send(makeOffer, { timeoutMs: 40_000, body: { itemId: item._id, price, days, ...terms } })
      }
      options={({ euros, fields }) => (
        <>
          {euros !== undefined && item.forSale && item.price !== null && euros >= item.price && (
            <Notice>You can buy it now for {formatPrice(item.price)}, without waiting for the owner.</Notice>
          )}
          <fieldset className="offer__days">
            <legend className="field__label">The owner can accept it for</legend>
            {offerDays.map((each) => (
              <label key={each}>
                <input type="radio" name="days" checked={days === each} onChange={() => setDays(each)} />
                <span>{daysText(each)}</span>
              </label>
            ))}
          </fieldset>
          {fields.days && <Notice kind="error">{fields.days}</Notice>}
        </>
      )}
      notes={(held) => (
        <li>
          Your bank holds {held} now. It is charged only if the owner accepts within {daysText(days)} and the work has
          arrived; otherwise the hold is given back at once. Your bank may show it for some days.
        </li>
      )}
      action={(euros) => (euros === undefined ? 'Offer' : `Offer ${formatPrice(euros)}`)}
    />
  )
}
