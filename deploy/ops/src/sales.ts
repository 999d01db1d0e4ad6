import { type Booking, bookingKinds, bookingRows, readBookings } from '@nifty/api/payments/bookings'
import { listSales } from '@nifty/api/payments/sales'
import { plural } from '@nifty/api/plural'
import type { Command } from './command.ts'
import { euros, exported, printable, table } from './format.ts'
import { usernamesOf } from './lookup.ts'
import { UsageError } from './store.ts'

export const salesCommand: Command = {
  usage: '',
  about:
    'prints what was booked in a month (UTC): sales, refunds and disputes, with the shares of seller, artist and store',
  json: true,
  options: { '--month <month>': 'such as 2026-11; this month without it', '--csv': 'for spreadsheets' },
  run: async (store, _args, _action, _since, options = {}) => {
    const month = String(options.month ?? new Date().toISOString().slice(0, 7))
    if (!/^20\d\d-(0[1-9]|1[0-2])$/.test(month)) throw new UsageError(`--month ${month} is no month, such as 2026-11`)
    const bookings = await readBookings((after) => store.payments(listSales, { params: { month }, query: { after } }))
    const artists = await usernamesOf(
      store,
      bookings.map(({ creatorId }) => creatorId),
    )
    const rows = bookingRows(bookings, artists)
    const report = exported(rows)
    if (options.csv) return report
    return { ...report, text: bookings.length === 0 ? 'Nothing was booked.' : summary(bookings, rows) }
  },
}

const SHOWN = 11

function summary(bookings: Booking[], rows: string[][]): string {
  const sums = bookingKinds.map(
    (kind) => bookings.reduce((cents, booking) => cents + Math.round(booking[kind] * 100), 0) / 100,
  )
  const [seller = 0, artist = 0, commission = 0, platform = 0] = sums
  const total = euros(Math.round(sums.reduce((sum, amount) => sum + amount, 0) * 100) / 100)
  return [
    table(rows.map((row) => row.slice(0, SHOWN).map(printable))),
    '',
    `${plural(bookings.length, 'booking')}: ${total}, of it ${euros(seller)} for sellers, ${euros(artist)} for artists, ${euros(commission)} commission, ${euros(platform)} of the store.`,
  ].join('\n')
}
