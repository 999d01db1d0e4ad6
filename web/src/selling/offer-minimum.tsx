import './sale-control.css'
import type { NftDetail } from '@nifty/api/catalog/public'
import { formatPrice, priceRange } from '@nifty/api/price'
import { type FormEvent, useState } from 'react'
import { fieldErrors } from '../api/api.ts'
import { Button } from '../ui/button.tsx'
import { amountWithin } from '../ui/forms/amount.ts'
import { AmountField } from '../ui/forms/amount-field.tsx'
import { Price } from '../ui/price.tsx'
import { Notice } from '../ui/state.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { isAbovePrice } from './listing.ts'
import { setOfferMinimum } from './use-received-offers.ts'
import { YouGet } from './you-get.tsx'

type Props = {
  item: NftDetail
  /** The item of the response; undefined after a failure: the page then refetches. */
  onChanged: (item: NftDetail | undefined) => void
}

/** From which price on the owner takes offers for a work, if at all; for owners with the admin flag. */
export function OfferMinimum({ item, onChanged }: Props) {
  const minimum = item.offers?.minimum ?? null
  const [busy, run] = useBusy()
  const [text, setText] = useState('')
  const [isChanging, setChanging] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [note, setNote] = useState('')
  /** What was done, for screen readers: on the screen it is seen. */
  const [done, setDone] = useState('')

  const set = (next: number | null) =>
    run(async () => {
      setNote('')
      setDone('')
      setProblem(undefined)
      const outcome = await setOfferMinimum(item, next)
      onChanged(outcome.ok ? outcome.data.nft : undefined)
      if (!outcome.ok) {
        const { minimum: wrong } = fieldErrors(outcome.error)
        if (wrong) setProblem(wrong)
        else setNote(outcome.error.message)
        return
      }
      setChanging(false)
      setDone(next === null ? 'You take no offers.' : `You take offers from ${formatPrice(next)}.`)
    })
  const amount = amountWithin(text, priceRange)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if ('euros' in amount) void set(amount.euros)
  }
  const startChanging = () => {
    setText(minimum === null ? '' : String(minimum))
    setProblem(undefined)
    setChanging(true)
  }
  const isResale = item.creatorUsername !== item.ownerUsername

  return (
    <div className="sale">
      <p className="visually-hidden" role="status">
        {done}
      </p>
      {minimum !== null && (
        <p>
          You take offers from <Price euros={minimum} />.
        </p>
      )}
      {minimum !== null && !isChanging && isAbovePrice(minimum, item) && <AbovePrice item={item} />}
      {isChanging ? (
        <form className="sale__form" onSubmit={submit}>
          <AmountField
            label="Take offers from (in €)"
            range={priceRange}
            required
            text={text}
            onText={(next) => {
              setText(next)
              setProblem(undefined)
            }}
            error={problem}
          />
          <YouGet
            euros={'euros' in amount ? amount.euros : undefined}
            royaltyPercent={isResale ? item.royaltyPercent : 0}
          />
          {'euros' in amount && isAbovePrice(amount.euros, item) && <AbovePrice item={item} />}
          <p className="notice">
            A buyer's card is held while you decide. You sell only what you accept; what you decline is given back.
          </p>
          <Button type="submit" busy={busy} busyLabel="One moment...">
            {minimum === null ? 'Take Offers' : 'Save'}
          </Button>
        </form>
      ) : (
        <Button variant={minimum === null ? 'secondary' : 'text'} onClick={startChanging}>
          {minimum === null ? 'Take Offers' : 'Change the minimum'}
        </Button>
      )}
      {minimum !== null && (
        <Button variant="secondary" busy={busy} busyLabel="One moment..." onClick={() => void set(null)}>
          Take no more Offers
        </Button>
      )}
      {note && <Notice>{note}</Notice>}
    </div>
  )
}

const AbovePrice = ({ item: { price } }: { item: NftDetail }) => (
  <Notice>
    The work is for sale at {formatPrice(price ?? 0)}, so nobody offers more. Set a lower minimum, or a higher price.
  </Notice>
)
