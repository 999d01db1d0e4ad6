import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import type { Shares } from './book.ts'

type SaleShares = Shares & { lineId: string; sellerId: string; creatorId: string }

/** Writes the entries of a completed line. A second call fails: the primary key is line and kind. */
export async function recordSale(
  trx: Transaction<Database>,
  { lineId, sellerId, creatorId, sellerCents, commissionCents, royaltyCents }: SaleShares,
) {
  const entries = [
    { lineId, kind: 'sale' as const, userId: sellerId, amountCents: sellerCents, payoutId: null },
    { lineId, kind: 'commission' as const, userId: null, amountCents: commissionCents, payoutId: null },
    { lineId, kind: 'royalty' as const, userId: creatorId, amountCents: royaltyCents, payoutId: null },
  ]
  await trx
    .insertInto('bookEntry')
    .values(entries.filter(({ kind, amountCents }) => kind !== 'royalty' || amountCents > 0))
    .execute()
}

/** All entries of one account with price, commission and royalty of their sale, newest first. Cents. */
export async function entriesOf(db: Kysely<Database>, userId: string) {
  const { rows } = await sql<{
    lineId: string
    itemId: string
    name: string
    at: Date
    kind: 'sale' | 'royalty'
    priceCents: number
    commissionCents: number
    royaltyCents: number
    dueCents: number
    paidOutAt: Date | null
  }>`
    select e.line_id, l.item_id, l.name, e.at, e.kind, l.price_cents, e.amount_cents as due_cents, p.at as paid_out_at,
      coalesce((select amount_cents from book_entry where line_id = l.id and kind = 'commission'), 0) as commission_cents,
      coalesce((select amount_cents from book_entry where line_id = l.id and kind = 'royalty'), 0) as royalty_cents
    from book_entry e
    join line l on l.id = e.line_id
    left join payout p on p.id = e.payout_id
    where e.user_id = ${userId}
    order by e.at desc, e.line_id, e.kind`.execute(db)
  return rows
}
