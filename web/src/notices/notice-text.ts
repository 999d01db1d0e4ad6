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
    default:
      return work
  }
}
