import type { Order } from '@nifty/api/payments/public'
import { Notice } from '../ui/state.tsx'
import { GiftState, GiftText } from './gift-state.tsx'
import { useGiftOf } from './use-gifts.ts'

/** The gifts that the works of an order are; nothing for works that are none. */
export function OrderGift({ order }: { order: Order }) {
  const { giftOf, reload } = useGiftOf(order)
  const gifts = order.lines.map(giftOf).filter((gift) => gift !== undefined)
  const isExpected = order.isGift && order.state !== 'released'
  if (gifts.length === 0 && !isExpected) return null
  return (
    <section>
      <h2 className="panel__label">Your gift</h2>
      {gifts.map((gift) => (
        <GiftState key={gift._id} gift={gift} onChanged={() => void reload()} />
      ))}
      {gifts.length === 0 && (
        <div className="gift-state">
          <Notice>
            We mail the link to {order.gift?.email ?? 'the recipient'} once the work has arrived and your card was
            charged.
          </Notice>
          <GiftText text={order.gift?.text ?? ''} />
        </div>
      )}
    </section>
  )
}
