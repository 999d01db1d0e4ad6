import type { Auction } from '@nifty/api/catalog/public'
import type { Order } from '@nifty/api/payments/public'
import { formatPrice } from '@nifty/api/price'
import { wasHeld, whyOf } from '../../orders/offer-ending.ts'
import { isUnderDelivery, isUnpaid, isWon } from '../../orders/order.ts'

/** The least bid in euros. `ownLimit`: of who leads already, who names at least a cent more. */
export const leastBid = ({ minimum }: Pick<Auction, 'minimum'>, ownLimit: number | undefined) =>
  ownLimit === undefined ? minimum : (Math.round(ownLimit * 100) + 1) / 100

/** The least bid of who does not lead, and the step in it. */
export function leastBidText({ minimum, price }: Pick<Auction, 'minimum' | 'price'>): string {
  if (price === null) return `The least bid is ${formatPrice(minimum)}, the opening price.`
  const step = (Math.round(minimum * 100) - Math.round(price * 100)) / 100
  return `The least bid is ${formatPrice(minimum)}: one step of ${formatPrice(step)} above the current bid.`
}

/**
 * The bidder's orders for an auction of a work, of orders with the newest first. `open`: on its payment page.
 * `standing`: it leads or has won; one whose work has arrived only if it is the order `followed`, which the page has
 * shown before. `ended`: without a standing one, the newest that was held, or the one `asked`, from whose payment page
 * the bidder comes back.
 */
export function ownBidsOf(
  orders: Order[],
  {
    itemId,
    auction,
    asked,
    followed,
  }: { itemId: string; auction: Auction | null; asked: string | null; followed?: string | undefined },
): { open?: Order | undefined; standing?: Order | undefined; ended?: Order | undefined } {
  const own = orders.filter(({ kind, lines }) => kind === 'bid' && lines.some((line) => line.itemId === itemId))
  const open = own.find(isUnpaid)
  const standing = own.find(
    (order) => order.state === 'held' || isUnderDelivery(order) || (order._id === followed && isWon(order)),
  )
  const ended = own.find(
    (order) =>
      order.state === 'released' &&
      (order._id === asked ||
        (wasHeld(order) && whyOf(order) !== 'raised' && auction !== null && order.auctionId === auction._id)),
  )
  return { open, standing, ended: standing ? undefined : ended }
}
