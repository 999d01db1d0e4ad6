import { conflict } from '@nifty/service-kit/base/errors'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'
import { type AccountEntry, accountEntries } from './book.store.ts'

const total = (entries: AccountEntry[]) => entries.reduce((sum, { amountCents }) => sum + amountCents, 0)

/** Unpaid entries by line, each in the sequence of its bookings. */
const byLine = (unpaid: AccountEntry[]): Map<string, AccountEntry[]> =>
  Map.groupBy(
    unpaid.toSorted((a, b) => a.id - b.id),
    ({ lineId }) => lineId,
  )

/**
 * What an account was booked with and no recorded payout has paid, by line, oldest first: the first `limit` shares
 * behind `after`, the id of a share's first unpaid entry.
 */
export async function unpaidShares(
  db: Kysely<Database>,
  { holdMs, userId, after, limit }: { holdMs: number; userId: string; after?: number; limit: number },
) {
  const lineIds = await unpaidLines(db, { userId, after, limit })
  const unpaid = await accountEntries(db, { holdMs, userId, unpaidOnly: true, lineIds })
  const entriesOf = byLine(unpaid)
  // A payout that was recorded between the two statements has paid the others.
  return lineIds.flatMap((lineId) => {
    const entries = entriesOf.get(lineId)
    if (!entries) return []
    const { id, name, dueAt, amountCents, status } = entries[0]!
    // Unpaid entries have no other status.
    const share = {
      id,
      lineId,
      name,
      dueAt,
      amountCents,
      balanceCents: total(entries),
      status: status as 'due' | 'waiting' | 'held_back',
    }
    return [share]
  })
}

async function unpaidLines(
  db: Kysely<Database>,
  { userId, after, limit }: { userId: string; after?: number; limit: number },
): Promise<string[]> {
  const isBehind = sql`and (at, id) > (select at, id from book_entry where id = ${after})`
  const { rows } = await sql<{ lineId: string }>`
    select line_id from book_entry entry
    where user_id = ${userId} and payout_id is null ${after === undefined ? sql`` : isBehind}
      and not exists (
        select from book_entry earlier
        where earlier.user_id = ${userId} and earlier.line_id = entry.line_id and earlier.payout_id is null
          and earlier.id < entry.id)
    order by at, id limit ${limit}`.execute(db)
  return rows.map(({ lineId }) => lineId)
}

/** The first entries of a line, and those chosen of the lines before it. */
type Choice = { before: Choice | null; first: AccountEntry[] }

/** Of the sums that the entries of some lines may add up to: the time and memory of a search. */
const SUMS_AT_MOST = 10_000

/**
 * The entries that a payout of the past paid: of each line the first ones, because later ones (a refund, a dispute)
 * were booked after it, so many that they add up to its amount. Throws 409 `line_not_payable`, `amount_differs`, and
 * `too_many_lines` when the entries have too many sums.
 */
export function paidEntries(
  unpaid: AccountEntry[],
  { lineIds, amountCents }: { lineIds: string[]; amountCents: number },
): AccountEntry[] {
  const lines = byLine(unpaid)
  const entriesOf = lineIds.map((lineId) => {
    const entries = lines.get(lineId)
    if (!entries) throw conflict('line_not_payable', `Line ${lineId} has no unpaid share of this account`)
    return entries
  })
  const firstOnes = entriesOf.map((entries) => entries.map((_, index) => entries.slice(0, index + 1)))
  const sums = firstOnes.map((options) => options.map(total))
  const rest = { least: add(sums.map((of) => Math.min(...of))), most: add(sums.map((of) => Math.max(...of))) }

  let choices = new Map<number, Choice | null>([[0, null]])
  for (const [line, options] of firstOnes.entries()) {
    rest.least -= Math.min(...sums[line]!)
    rest.most -= Math.max(...sums[line]!)
    const next: typeof choices = new Map()
    for (const [sum, before] of choices)
      for (const [option, first] of options.entries()) {
        const missing = amountCents - sum - sums[line]![option]!
        // Sums from which the lines that follow do not lead to the amount are not followed.
        if (missing >= rest.least && missing <= rest.most) next.set(amountCents - missing, { before, first })
      }
    if (next.size > SUMS_AT_MOST)
      throw conflict('too_many_lines', 'The shares of these lines have too many sums: record fewer lines at a time')
    choices = next
  }
  const paid = choices.get(amountCents)
  if (paid && amountCents > 0) return entriesIn(paid)
  const booked = euros(add(entriesOf.map((entries) => entries[0]!.amountCents)))
  const balance = euros(add(entriesOf.map(total)))
  throw conflict(
    'amount_differs',
    `These lines were booked with other amounts: ${booked === balance ? booked : `${booked}, with refunds and disputes ${balance}`}`,
  )
}

function entriesIn(last: Choice): AccountEntry[] {
  const entries: AccountEntry[] = []
  for (let choice: Choice | null = last; choice; choice = choice.before) entries.push(...choice.first)
  return entries
}

const add = (cents: number[]) => cents.reduce((sum, each) => sum + each, 0)

const euros = (cents: number) => (cents / 100).toFixed(2)
