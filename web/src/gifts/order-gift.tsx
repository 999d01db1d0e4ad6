import type { Order } from '@nifty/api/payments/public'
import { Notice } from '../ui/state.tsx'
import { GiftState } from './gift-state.tsx'
import { useGiftOfOrder } from './use-gifts.ts'

/** The gift that an order is for; nothing for other orders. */
export function OrderGift({ order }: { order: Order }) {
  const { isGift, gift, reload } = useGiftOfOrder(order)
  if (!isGift) return null
  return (
    <section>
      <h2 className="panel__label">Your gift</h2>
      {gift ? (
        <GiftState gift={gift} onChanged={() => void reload()} />
      ) : (
        <Notice>We mail the link to the recipient once the work has arrived and your card was charged.</Notice>
      )}
    </section>
  )
}
