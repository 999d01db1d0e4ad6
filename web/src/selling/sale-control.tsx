import './sale-control.css'
import type { NftDetail } from '@nifty/api/catalog/public'
import { formatPrice, priceRange } from '@nifty/api/price'
import { type FormEvent, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { amountWithin, parseAmount } from '../ui/forms/amount.ts'
import { AmountField } from '../ui/forms/amount-field.tsx'
import { Price } from '../ui/price.tsx'
import { Notice } from '../ui/state.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { describeFailure, isAbovePrice, removeFromSale, setForSale } from './listing.ts'
import { YouGet } from './you-get.tsx'

type Props = {
  item: NftDetail
  /** The item of the response; undefined after a failure: the page then refetches. */
  onChanged: (item: NftDetail | undefined) => void
  /** Has the owner sign a permit for a token in the owner's wallet. Resolves to whether the store has it. */
  signPermit: (token: NftDetail) => Promise<boolean>
}

const textOf = (price: number | null) => (price === null ? '' : String(price))

/** Lists and delists an item, and changes its price; for owners with the admin flag. */
export function SaleControl({ item, onChanged, signPermit }: Props) {
  const [busy, run] = useBusy()
  const [price, setPrice] = useState(textOf(item.price))
  const [note, setNote] = useState('')
  const [isPricing, setPricing] = useState(false)
  /** What was done, for screen readers: on the screen it is seen. */
  const [done, setDone] = useState('')
  const [wasForSale, setWasForSale] = useState(item.forSale)

  // Listed or delisted, here or in another tab: the form begins with the present price.
  if (wasForSale !== item.forSale) {
    setWasForSale(item.forSale)
    setPrice(textOf(item.price))
    setPricing(false)
  }

  const list = (event: FormEvent) => {
    event.preventDefault()
    const amount = parseAmount(price)
    if ('problem' in amount) return
    void run(async () => {
      setNote('')
      setDone('')
      let outcome = await setForSale(item, amount.euros)
      if (!outcome.ok && outcome.error.code === 'permit_required') {
        setNote(
          'The work is in your own wallet. Sign once in your wallet, so that it can be delivered when it is sold.',
        )
        if (await signPermit(item)) outcome = await setForSale(item, amount.euros)
      }
      onChanged(outcome.ok ? outcome.data.nft : undefined)
      setNote(outcome.ok ? '' : describeFailure(outcome.error, item))
      if (outcome.ok) {
        setPricing(false)
        setDone(`For sale at ${formatPrice(amount.euros)}.`)
      }
    })
  }

  const amount = amountWithin(price, priceRange)
  const euros = 'euros' in amount ? amount.euros : undefined
  const isResale = item.creatorUsername !== item.ownerUsername

  const startPricing = () => {
    // Another tab may have changed it since this one was opened.
    setPrice(textOf(item.price))
    setPricing(true)
  }

  const remove = () =>
    run(async () => {
      setPricing(false)
      setDone('')
      const outcome = await removeFromSale(item)
      setNote(outcome.ok ? '' : 'The work is still for sale.')
      if (outcome.ok) setDone(outcome.data.nft.forSale ? '' : 'Removed from sale.')
      onChanged(outcome.ok ? outcome.data.nft : undefined)
    })

  return (
    <div className="sale">
      <p className="visually-hidden" role="status">
        {done}
      </p>
      {item.forSale ? (
        <>
          <div>
            <p className="panel__label">Current Price</p>
            <p className="panel__price">{item.price !== null && <Price euros={item.price} />}</p>
          </div>
          {item.delistRequested ? (
            <Notice>
              You requested to remove it from sale. It will be removed unless the current payment succeeds.
            </Notice>
          ) : (
            <>
              {!isPricing && (
                <Button variant="text" onClick={startPricing}>
                  Change Price
                </Button>
              )}
              <Button variant="secondary" busy={busy} busyLabel="One moment..." onClick={() => void remove()}>
                Remove from Sale
              </Button>
            </>
          )}
        </>
      ) : null}
      {(!item.forSale || (isPricing && !item.delistRequested)) && (
        <form className="sale__form" onSubmit={list}>
          <AmountField label="Enter price in €" range={priceRange} required text={price} onText={setPrice} />
          <YouGet euros={euros} royaltyPercent={isResale ? item.royaltyPercent : 0} />
          {item.offers && euros !== undefined && isAbovePrice(item.offers.minimum, { forSale: true, price: euros }) && (
            <Notice>
              You take offers from {formatPrice(item.offers.minimum)} on, and nobody offers more than the price.
            </Notice>
          )}
          <Button type="submit" busy={busy} busyLabel="One moment...">
            {item.forSale ? 'Save Price' : 'Set for Sale'}
          </Button>
        </form>
      )}
      {note && <Notice>{note}</Notice>}
    </div>
  )
}
