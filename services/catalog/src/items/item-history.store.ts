import type { Transaction } from 'kysely'
import type { Database } from '../db.ts'

type HistoryEntry = {
  itemId: string
  what: 'minted' | 'listed' | 'moved' | 'sold'
  happenedAt: string
  userId: string | null
  priceCents?: number
  txHash?: string
}

/** One entry per chain transaction: `sold` replaces `moved`, a repetition changes nothing. */
export async function recordHistory(trx: Transaction<Database>, { priceCents, txHash, ...entry }: HistoryEntry) {
  const row = { ...entry, priceCents: priceCents ?? null, txHash: txHash ?? null }
  await trx
    .insertInto('itemHistory')
    .values(row)
    .onConflict((conflict) =>
      entry.what === 'sold'
        ? conflict.columns(['itemId', 'txHash']).doUpdateSet({ ...row, what: 'sold' })
        : conflict.columns(['itemId', 'txHash']).doNothing(),
    )
    .execute()
}
