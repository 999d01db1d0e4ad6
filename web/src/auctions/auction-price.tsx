import type { Auction } from '@nifty/api/catalog/public'
import { Price } from '../ui/price.tsx'
import { roughText, stateOf } from './auction-state.ts'
import { useServerNow } from './server-clock.ts'

/** Milliseconds between two updates of the time left on cards. */
const updatedEvery = 15_000

/** On a card: the bid or the opening bid, and the time left. */
export function AuctionPrice({ auction }: { auction: Auction }) {
  const now = useServerNow(updatedEvery)
  const { opening, price } = auction
  return (
    <span>
      {price === null ? 'Opening bid ' : 'Current bid '}
      <Price euros={price ?? opening} />
      <span className="item-price__none">
        {/* A card has the time in a line of its own. */}
        <span className="item-price__dot">{'\u00a0· '}</span>
        {timeText(auction, now)}
      </span>
    </span>
  )
}

/** Columns of a phone are narrow. */
const inOneLine = (text: string) => text.replaceAll(' ', '\u00a0')

function timeText(auction: Auction, now: number): string {
  switch (stateOf(auction, now)) {
    case 'announced':
      return inOneLine(`starts in ${roughText(Date.parse(auction.startsAt!) - now)}`)
    case 'waiting':
      return inOneLine('no bid yet')
    case 'running':
      return inOneLine(`${roughText(Date.parse(auction.endsAt!) - now)} left`)
    case 'closing':
      return 'closing'
    default:
      return 'auction over'
  }
}
