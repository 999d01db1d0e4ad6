import '../../pages/item/offer.css'
import '../../selling/sale-control.css'
import { auctionHours } from '@nifty/api/auction-limits'
import { startAuction } from '@nifty/api/catalog/auctions'
import type { NftDetail } from '@nifty/api/catalog/public'
import { priceRange } from '@nifty/api/price'
import { useState } from 'react'
import { type ApiError, fieldErrors, send } from '../../api/api.ts'
import { YouGet } from '../../selling/you-get.tsx'
import { Button } from '../../ui/button.tsx'
import { amountWithin } from '../../ui/forms/amount.ts'
import { AmountField } from '../../ui/forms/amount-field.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { type FormErrors, useForm } from '../../ui/forms/use-form.ts'
import { Notice } from '../../ui/state.tsx'
import { hoursOf, startRange } from './start-times.ts'

type Props = {
  item: NftDetail
  /** The item of the response; undefined after a failure: the page then refetches. */
  onChanged: (item: NftDetail | undefined) => void
  /** Has the owner sign a permit for a token in the owner's wallet. Resolves to whether the store has it. */
  signPermit: (token: NftDetail) => Promise<boolean>
}

const unsigned =
  'You have not signed, so the auction has not started. Please sign with the wallet that holds the work, in a browser that has this wallet.'

/** Also checks whether the work can be delivered. */
const timeoutMs = 40_000

/** For owners with the right to sell: an opening price, the hours, and when the clock starts. */
export function StartAuction({ item, onChanged, signPermit }: Props) {
  const [open, setOpen] = useState(false)
  const [opening, setOpening] = useState('')
  const [hours, setHours] = useState('24')
  const [isAnnounced, setAnnounced] = useState(false)
  const [startsAt, setStartsAt] = useState('')
  const [note, setNote] = useState('')
  const amount = amountWithin(opening, priceRange)
  const euros = 'euros' in amount ? amount.euros : undefined
  const isResale = item.creatorUsername !== item.ownerUsername

  const { busy, onSubmit, message, fields } = useForm(async () => {
    const whole = hoursOf(hours)
    if (whole === undefined)
      return { fields: { hours: `A whole number from ${auctionHours.min} to ${auctionHours.max}` } }
    if (euros === undefined) return undefined
    setNote('')
    const start = isAnnounced ? new Date(startsAt).toISOString() : null
    const body = { itemId: item._id, opening: euros, hours: whole, ...(start === null ? {} : { startsAt: start }) }
    let outcome = await send(startAuction, { body, timeoutMs })
    if (!outcome.ok && outcome.error.code === 'permit_required') {
      setNote('The work is in your own wallet. Sign once in your wallet, so that it can be delivered to the winner.')
      const hasSigned = await signPermit(item)
      setNote('')
      if (!hasSigned) return { message: unsigned }
      outcome = await send(startAuction, { body, timeoutMs })
    }
    onChanged(outcome.ok ? outcome.data.nft : undefined)
    return outcome.ok ? undefined : problemsOf(outcome.error)
  })

  const begin = () => {
    // The price now: it may have changed beside this form.
    setOpening(item.price === null ? '' : String(item.price))
    setOpen(true)
  }

  if (!open)
    return (
      <Button variant="secondary" onClick={begin}>
        Start an auction
      </Button>
    )
  const range = startRange(Date.now())
  return (
    <form className="sale__form panel__part" aria-label="Start an auction" onSubmit={onSubmit}>
      <h2 className="panel__label">Start an auction</h2>
      <AmountField
        label="Opening price in €"
        name="opening"
        range={priceRange}
        required
        text={opening}
        onText={setOpening}
        error={fields.opening}
      />
      <YouGet euros={euros} royaltyPercent={isResale ? item.royaltyPercent : 0} />
      <Field
        label="Hours"
        name="hours"
        inputMode="numeric"
        autoComplete="off"
        required
        hint={`From ${auctionHours.min} to ${auctionHours.max}. Late bids make it longer, by a day at most.`}
        value={hours}
        onChange={(event) => setHours(event.target.value)}
        error={fields.hours}
      />
      <fieldset className="offer__days">
        <legend className="field__label">The clock starts</legend>
        <label>
          <input type="radio" name="start" checked={!isAnnounced} onChange={() => setAnnounced(false)} />
          <span>With the first bid</span>
        </label>
        <label>
          <input type="radio" name="start" checked={isAnnounced} onChange={() => setAnnounced(true)} />
          <span>At a time</span>
        </label>
      </fieldset>
      {isAnnounced && (
        <Field
          label="Start, in your time zone"
          name="startsAt"
          type="datetime-local"
          required
          min={range.min}
          max={range.max}
          value={startsAt}
          onChange={(event) => setStartsAt(event.target.value)}
          error={fields.startsAt}
        />
      )}
      <p className="notice">
        {item.forSale && 'During the auction it is not for sale at its price. '}
        {item.offers && 'Open offers for it end. '}
        The highest bidder gets the work; the card is held before a bid counts. Once a bid stands, the auction cannot be
        cancelled.
      </p>
      {note && <Notice>{note}</Notice>}
      {message && <Notice kind="error">{message}</Notice>}
      <div className="offer__actions">
        <Button type="submit" variant="secondary" busy={busy} busyLabel="One moment...">
          Start the auction
        </Button>
        <Button variant="text" onClick={() => setOpen(false)}>
          Not now
        </Button>
      </div>
    </form>
  )
}

/** Why an auction could not start: beside the field that it is about, or below the form. */
function problemsOf(error: ApiError): FormErrors {
  const { code, message } = error
  switch (code) {
    case 'invalid_amount':
      return { fields: { opening: message } }
    case 'invalid_hours':
      return { fields: { hours: message } }
    case 'invalid_start':
      return { fields: { startsAt: message } }
    case 'item_reserved':
      return { message: 'Somebody is paying for this work right now. Please try again in some minutes.' }
    case 'permit_required':
      return { message: 'The work is in your own wallet, and was not accepted for delivery. Please sign once more.' }
    case 'auctions_off':
      return { message: 'The store starts no auctions at the moment.' }
    default: {
      const fields = fieldErrors(error)
      return Object.keys(fields).length > 0 ? { fields } : { message }
    }
  }
}
