import { sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

type HistoryEntry = {
  itemId: string
  what: 'minted' | 'listed' | 'moved' | 'sold'
  happenedAt: string
  userId: string | null
  priceCents?: number
  txHash?: string
  /** Into the store's custody, or withdrawn from it by the owner. */
  custody?: 'in' | 'out' | null
}

/**
 * One entry per chain transaction: `sold` replaces `moved`, a repetition changes nothing. Custody is
 * recorded with the move; the entry of a mint or sale takes it over, in either order.
 */
export async function recordHistory(
  trx: Transaction<Database>,
  { priceCents, txHash, custody, ...entry }: HistoryEntry,
) {
  const row = { ...entry, priceCents: priceCents ?? null, txHash: txHash ?? null }
  await trx
    .insertInto('itemHistory')
    .values({ ...row, custody: custody ?? null })
    .onConflict((conflict) => {
      const sameTransaction = conflict.columns(['itemId', 'txHash'])
      if (entry.what === 'sold') return sameTransaction.doUpdateSet({ ...row, what: 'sold' })
      return custody ? sameTransaction.doUpdateSet({ custody }) : sameTransaction.doNothing()
    })
    .execute()
}

/**
 * Changes the entry of the owner's listing to a new price and the time from which it is asked: no history shows a price
 * that stood for a moment as a former one, or a price at a time before it. Returns false if the owner has no entry.
 */
export async function changeListedPrice(
  trx: Transaction<Database>,
  {
    itemId,
    userId,
    priceCents,
    happenedAt,
  }: { itemId: string; userId: string; priceCents: number; happenedAt: string },
): Promise<boolean> {
  const { rows } = await sql`
    update item_history set price_cents = ${priceCents}, happened_at = ${happenedAt}
    where user_id = ${userId} and id = (
      select id from item_history where item_id = ${itemId} and what = 'listed' order by happened_at desc, id desc limit 1)
    returning id`.execute(trx)
  return rows.length > 0
}
