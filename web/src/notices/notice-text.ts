import type { Notice } from '@nifty/api/notification/notices'
import { formatPrice } from '@nifty/api/price'

type Facts = Pick<Notice, 'what' | 'name' | 'artist' | 'price'>

/** One sentence about what happened. A kind that a newer server adds shows the work's name alone. */
export function noticeText({ what, name, artist, price }: Facts): string {
  const work = `“${name}”`
  const forPrice = price === null ? '' : ` for ${formatPrice(price)}`
  switch (what) {
    case 'cheaper':
      return price === null ? `${work} costs less now` : `${work} now costs ${formatPrice(price)}`
    case 'sold':
      return `${work} was sold`
    case 'available':
      return `${work} is available${forPrice}`
    case 'listed':
      return `${artist ?? 'An artist you follow'} put ${work} on sale${forPrice}`
    case 'own_sold':
      return `You sold ${work}${forPrice}`
    case 'offer_received':
      return price === null ? `You have an offer for ${work}` : `You have an offer of ${formatPrice(price)} for ${work}`
    case 'offer_accepted':
      return `Your offer for ${work} was accepted`
    case 'offer_declined':
      return `Your offer for ${work} was declined. Nothing was charged`
    case 'offer_expired':
      return `Your offer for ${work} was not accepted in time. Nothing was charged`
    case 'offer_ended':
      return `Your offer for ${work} has ended. Nothing was charged`
    case 'auction_began':
      return `The auction of ${work} began${price === null ? '' : `, from ${formatPrice(price)}`}`
    case 'auction_ends':
      return `The auction of ${work} ends within an hour${price === null ? '' : `, now at ${formatPrice(price)}`}`
    case 'auction_bid':
      return `The first bid on ${work} stands${price === null ? '' : ` at ${formatPrice(price)}`}`
    case 'auction_ended':
      return price === null ? `The auction of ${work} is over` : `The auction of ${work} was won${forPrice}`
    case 'auction_reopened':
      return `The auction of ${work} is open again${price === null ? '' : `, from ${formatPrice(price)}`}`
    case 'bid_outbid':
      return `You were outbid on ${work}${price === null ? '' : `, now at ${formatPrice(price)}`}. Nothing was charged`
    case 'bid_won':
      return `You won ${work}${forPrice}`
    case 'bid_ended':
      return `Your bid on ${work} has ended. Nothing was charged`
    default:
      return work
  }
}
