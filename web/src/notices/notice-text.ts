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
    default:
      return work
  }
}
