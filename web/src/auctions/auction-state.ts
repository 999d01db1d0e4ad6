import { EXTENDED_BY_MS } from '@nifty/api/auction-limits'
import type { Auction, Nft } from '@nifty/api/catalog/public'
import { formatPrice } from '@nifty/api/price'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

type Times = Pick<Auction, 'startsAt' | 'endsAt' | 'outcome'>

/**
 * `announced`: it has not begun. `waiting`: the first bid starts the clock. `closing`: after its end, until the banks
 * have confirmed the bids that began before. The others are how it ended.
 */
export type AuctionState = 'announced' | 'waiting' | 'running' | 'closing' | NonNullable<Auction['outcome']>

/** The state of an auction at a time of the server's clock, in milliseconds. */
export function stateOf({ startsAt, endsAt, outcome }: Times, now: number): AuctionState {
  if (outcome) return outcome
  if (startsAt && now < Date.parse(startsAt)) return 'announced'
  if (!endsAt) return 'waiting'
  return now < Date.parse(endsAt) ? 'running' : 'closing'
}

/** The work is on auction, or is being delivered to the winner: it is sold in no other way. */
export const isOnAuction = ({ auction }: { auction?: Nft['auction'] | undefined }) =>
  Boolean(auction && (auction.outcome === null || auction.outcome === 'awarded'))

/** Milliseconds after the end of an auction in which the page of its work shows how it ended. */
const SHOWN_FOR_MS = 7 * DAY

/** The page of a work shows its auction: until it is over, and for a week afterwards. */
export const isShown = ({ endedAt }: Pick<Auction, 'endedAt'>, now: number) =>
  endedAt === undefined || now < Date.parse(endedAt) + SHOWN_FOR_MS

/** Bids are taken now. */
export const takesBids = (state: AuctionState) => state === 'waiting' || state === 'running'

/** The end is so near that a bid moves it, or is over and not decided: the page reads more often. */
export const isNearEnd = ({ endsAt, outcome }: Pick<Times, 'endsAt' | 'outcome'>, now: number) =>
  outcome === null && endsAt !== null && now > Date.parse(endsAt) - EXTENDED_BY_MS

/** `2 d 4 h`, `3 h 12 min` or, in the last hour, `12:05`; `0:00` afterwards. */
export function clockText(ms: number): string {
  const left = Math.max(0, ms)
  if (left >= DAY) return `${Math.floor(left / DAY)} d ${Math.floor((left % DAY) / HOUR)} h`
  if (left >= HOUR) return `${Math.floor(left / HOUR)} h ${Math.floor((left % HOUR) / MINUTE)} min`
  const seconds = Math.ceil(left / SECOND)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** As cards show it, without seconds: in the last hour `12 min`, in the last minute `1 min`. */
export const roughText = (ms: number) => (ms >= HOUR ? clockText(ms) : `${Math.max(1, Math.floor(ms / MINUTE))} min`)

type Zone = { timeZone?: string }

/** A moment of an auction: `14:02` today, `Friday 20:00` in the next six days, else `12 Dec 2026, 20:00`. */
export function momentText(at: string, now: number, { timeZone }: Zone = {}): string {
  const moment = new Date(at)
  const format = (options: Intl.DateTimeFormatOptions, of: number | Date = moment) =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(of)
  const time = format({ timeStyle: 'short' })
  if (format({ dateStyle: 'short' }) === format({ dateStyle: 'short' }, now)) return time
  const ahead = moment.getTime() - now
  if (ahead > 0 && ahead < 6 * DAY) return `${format({ weekday: 'long' })} ${time}`
  return format({ dateStyle: 'medium', timeStyle: 'short' })
}

export const hoursText = (hours: number) => (hours === 1 ? '1 hour' : `${hours} hours`)
export const bidsText = (bids: number) => (bids === 0 ? 'No bid yet' : bids === 1 ? '1 bid' : `${bids} bids`)

/** What the price on the page of the work is. */
export function priceLabel({ price, outcome }: Pick<Auction, 'price' | 'outcome'>) {
  if (price === null) return 'Opening price'
  return outcome === 'awarded' ? 'Final bid' : 'Current bid'
}

/** Why an auction ended without a sale, after "The auction ended without a sale, ". */
const voidReasons: Record<string, string> = {
  moved: 'because the work has another owner',
  hidden: 'because the work was hidden',
  account: "because the owner's account cannot sell at the moment",
  undeliverable: 'because the work cannot be delivered',
  operator: 'by a decision of the store',
}

/** What is to be known of an auction in its state, in one sentence. */
export function stateText(auction: Auction, state: AuctionState, now: number, zone: Zone = {}): string {
  const { hours, bids, price, why } = auction
  switch (state) {
    case 'announced':
      return `Auction starts ${momentText(auction.startsAt!, now, zone)}, for ${hoursText(hours)}`
    case 'waiting':
      return `The first bid starts the clock: ${hours} h`
    case 'running':
      // The public history has the rest.
      return price === null && bids > 0 ? 'The leading bid was withdrawn: the auction is open again' : bidsText(bids)
    case 'closing':
      return 'The last bids are being confirmed by their banks'
    case 'awarded':
      return 'The auction is over, and the work is being delivered to the winner'
    case 'sold':
      return price === null ? 'Sold at auction' : `Sold at auction for ${formatPrice(price)}`
    case 'unsold':
      return bids === 0 ? 'The auction ended without a bid' : 'The auction ended without a sale: no bid was left'
    case 'cancelled':
      return 'The owner cancelled the auction'
    case 'failed':
      return 'The auction ended without a sale: the work did not reach the winner, or their bank ended the hold. Nothing was charged'
    case 'void': {
      const reason = why === null ? undefined : voidReasons[why]
      return `The auction ended without a sale${reason ? `, ${reason}` : ''}`
    }
  }
}
