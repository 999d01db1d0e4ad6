import { orderNumber } from '../order-number.ts'
import type { SaleEntry } from './sales.ts'

/** What was booked at once: a capture, a refund, a dispute or an assignment of one line. Euros. */
export type Booking = Omit<SaleEntry, 'kind' | 'amount'> & Record<SaleEntry['kind'], number>

export const bookingKinds = ['sale', 'royalty', 'commission', 'platform'] as const

const columns = [
  'at',
  'cause',
  'order',
  'work',
  'seller',
  'artist',
  'total_eur',
  'seller_eur',
  'artist_eur',
  'commission_eur',
  'platform_eur',
  'order_id',
  'line_id',
  'buyer_id',
  'token',
  'reversal',
]

type Page = { entries: SaleEntry[]; next: string | null }

/** Of the entries of a month, in the order of time. `readPage`: `listSales`. */
export async function readBookings(readPage: (after?: string) => Promise<Page>): Promise<Booking[]> {
  const entries: SaleEntry[] = []
  for (let page = await readPage(); ; page = await readPage(page.next)) {
    entries.push(...page.entries)
    if (page.next === null) return bookingsOf(entries)
  }
}

function bookingsOf(entries: SaleEntry[]): Booking[] {
  const groups = new Map<string, SaleEntry[]>()
  for (const entry of entries) {
    const key = `${entry.lineId} ${entry.cause} ${entry.reversalId}`
    groups.set(key, [...(groups.get(key) ?? []), entry])
  }
  return [...groups.values()].map((group) => {
    const { kind: _kind, amount: _amount, ...facts } = group[0]!
    const sumOf = (kind: SaleEntry['kind']) =>
      group.reduce((cents, entry) => cents + (entry.kind === kind ? Math.round(entry.amount * 100) : 0), 0) / 100
    return {
      ...facts,
      ...(Object.fromEntries(bookingKinds.map((kind) => [kind, sumOf(kind)])) as Record<SaleEntry['kind'], number>),
    }
  })
}

/** For a spreadsheet, under the names of the columns. `artists`: user names by account. */
export const bookingRows = (bookings: Booking[], artists: ReadonlyMap<string, string>): string[][] => [
  columns,
  ...bookings.map((booking) => rowOf(booking, artists)),
]

const totalOf = (booking: Booking) =>
  bookingKinds.reduce((cents, kind) => cents + Math.round(booking[kind] * 100), 0) / 100

/** Without the "@" of user names, which a spreadsheet takes for a formula. */
function rowOf(booking: Booking, artists: ReadonlyMap<string, string>): string[] {
  const { at, cause, orderId, lineId, buyerId, name, token, sellerUsername, sellerId, creatorId, reversalId } = booking
  const artist = creatorId === null ? '' : (artists.get(creatorId) ?? creatorId)
  return [
    at,
    cause,
    orderNumber(orderId),
    name,
    (sellerUsername ?? sellerId ?? '').replace(/^@/, ''),
    artist.replace(/^@/, ''),
    ...[totalOf(booking), ...bookingKinds.map((kind) => booking[kind])].map((amount) => amount.toFixed(2)),
    orderId,
    lineId,
    buyerId,
    token ?? '',
    reversalId ?? '',
  ]
}
