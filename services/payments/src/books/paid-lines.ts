import { conflict } from '@nifty/service-kit/errors'
import type { Kysely } from 'kysely'
import type { Database } from '../db.ts'
import { type AccountEntry, accountEntries } from './book.store.ts'

const total = (entries: AccountEntry[]) => entries.reduce((sum, { amountCents }) => sum + amountCents, 0)

/** Unpaid entries by line, each in the sequence of its bookings. */
const byLine = (unpaid: AccountEntry[]): Map<string, AccountEntry[]> =>
  Map.groupBy(
    unpaid.toSorted((a, b) => a.id - b.id),
    ({ lineId }) => lineId,
  )

/** What an account was booked with and no recorded payout has paid, by line, oldest first. */
export async function unpaidShares(db: Kysely<Database>, { holdMs, userId }: { holdMs: number; userId: string }) {
  const unpaid = await accountEntries(db, { holdMs, userId, unpaidOnly: true })
  return [...byLine(unpaid).values()].map((entries) => {
    const { lineId, name, dueAt, amountCents, status } = entries[0]!
    // Unpaid entries have no other status.
    return {
      lineId,
      name,
      dueAt,
      amountCents,
      balanceCents: total(entries),
      status: status as 'due' | 'waiting' | 'held_back',
    }
  })
}

/**
 * The entries that a payout of the past paid: of each line the first ones, because later ones (a refund, a dispute) were
 * booked after it, so many that they add up to its amount. Throws 409 `line_not_payable` and `amount_differs`.
 */
export function paidEntries(
  unpaid: AccountEntry[],
  { lineIds, amountCents }: { lineIds: string[]; amountCents: number },
): AccountEntry[] {
  const lines = byLine(unpaid)
  /** By sum. */
  let choices = new Map<number, AccountEntry[]>([[0, []]])
  for (const lineId of lineIds) {
    const entries = lines.get(lineId)
    if (!entries) throw conflict('line_not_payable', `Line ${lineId} has no unpaid share of this account`)
    const firstOnes = entries.map((_, index) => entries.slice(0, index + 1))
    choices = new Map(
      [...choices.values()].flatMap((paid) =>
        firstOnes.map((first) => [total([...paid, ...first]), [...paid, ...first]] as const),
      ),
    )
  }
  const paid = choices.get(amountCents)
  if (!paid || amountCents <= 0)
    throw conflict(
      'amount_differs',
      `These lines were booked with other amounts: ${[...choices.keys()].slice(0, NAMED_AT_MOST).map(euros).join(' or ')}`,
    )
  return paid
}

/** Of the amounts that a refusal names. */
const NAMED_AT_MOST = 5

const euros = (cents: number) => (cents / 100).toFixed(2)
