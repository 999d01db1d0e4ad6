import { csv } from '@nifty/api/csv'
import { orderNumber } from '@nifty/api/order-number'
import { listSales, type SaleEntry } from '@nifty/api/payments/sales'
import type { Command } from './command.ts'
import { euros, plural, printable, table } from './format.ts'
import { usernamesOf } from './lookup.ts'
import { type Store, UsageError } from './store.ts'

/** What was booked at once: a capture, a refund, a dispute or an assignment of one line. Euros. */
type Booking = Omit<SaleEntry, 'kind' | 'amount'> & Record<SaleEntry['kind'], number>

const kinds = ['sale', 'royalty', 'commission', 'platform'] as const

export const salesCommand: Command = {
  usage: '',
  about:
    'prints what was booked in a month (UTC): sales, refunds and disputes, with the shares of seller, artist and store',
  json: true,
  options: { '--month <month>': 'such as 2026-11; this month without it', '--csv': 'for spreadsheets' },
  run: async (store, _args, _action, _since, options = {}) => {
    const month = String(options.month ?? new Date().toISOString().slice(0, 7))
    if (!/^20\d\d-(0[1-9]|1[0-2])$/.test(month)) throw new UsageError(`--month ${month} is no month, such as 2026-11`)
    const bookings = bookingsOf(await entriesOf(store, month))
    const artists = await usernamesOf(
      store,
      bookings.map(({ creatorId }) => creatorId),
    )
    const rows = bookings.map((booking) => rowOf(booking, artists))
    const json = rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])))
    if (options.csv) return { text: csv([columns, ...rows]), ok: true, json }
    return { text: bookings.length === 0 ? 'Nothing was booked.' : summary(bookings, rows), ok: true, json }
  },
}

async function entriesOf(store: Store, month: string): Promise<SaleEntry[]> {
  const entries: SaleEntry[] = []
  for (let after: string | null | undefined; after !== null; ) {
    const page: { entries: SaleEntry[]; next: string | null } = await store.payments(listSales, {
      params: { month },
      query: { after },
    })
    entries.push(...page.entries)
    after = page.next
  }
  return entries
}

/** In the order of time. */
export function bookingsOf(entries: SaleEntry[]): Booking[] {
  const groups = Map.groupBy(entries, ({ lineId, cause, reversalId }) => `${lineId} ${cause} ${reversalId}`)
  return [...groups.values()].map((group) => {
    const { kind: _kind, amount: _amount, ...facts } = group[0]!
    const sumOf = (kind: SaleEntry['kind']) =>
      group.reduce((cents, entry) => cents + (entry.kind === kind ? Math.round(entry.amount * 100) : 0), 0) / 100
    return {
      ...facts,
      ...(Object.fromEntries(kinds.map((kind) => [kind, sumOf(kind)])) as Record<SaleEntry['kind'], number>),
    }
  })
}

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

const totalOf = (booking: Booking) => kinds.reduce((cents, kind) => cents + Math.round(booking[kind] * 100), 0) / 100

/** Without the "@" of user names, which a spreadsheet takes for a formula. */
function rowOf(booking: Booking, artists: Map<string, string>): string[] {
  const { at, cause, orderId, lineId, buyerId, name, token, sellerUsername, sellerId, creatorId, reversalId } = booking
  const artist = creatorId === null ? '' : (artists.get(creatorId) ?? creatorId)
  return [
    at,
    cause,
    orderNumber(orderId),
    name,
    (sellerUsername ?? sellerId ?? '').replace(/^@/, ''),
    artist.replace(/^@/, ''),
    ...[totalOf(booking), ...kinds.map((kind) => booking[kind])].map((amount) => amount.toFixed(2)),
    orderId,
    lineId,
    buyerId,
    token ?? '',
    reversalId ?? '',
  ]
}

const SHOWN = 11

function summary(bookings: Booking[], rows: string[][]): string {
  const sums = kinds.map(
    (kind) => bookings.reduce((cents, booking) => cents + Math.round(booking[kind] * 100), 0) / 100,
  )
  const [seller = 0, artist = 0, commission = 0, platform = 0] = sums
  const total = euros(Math.round(sums.reduce((sum, amount) => sum + amount, 0) * 100) / 100)
  return [
    table([columns.slice(0, SHOWN), ...rows.map((row) => row.slice(0, SHOWN).map(printable))]),
    '',
    `${plural(bookings.length, 'booking')}: ${total}, of it ${euros(seller)} for sellers, ${euros(artist)} for artists, ${euros(commission)} commission, ${euros(platform)} of the store.`,
  ].join('\n')
}
