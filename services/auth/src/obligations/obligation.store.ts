import type { OpenLine, WorkInCustody } from '@nifty/api/auth/deletion'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

/** At most so many are listed in a refusal. */
const LISTED = 50

type Moved = {
  token: string
  contract: string
  identifier: string
  ownerId: string | null
  wallet: string | null
  position: number
}

/** Applies a move of minting; an older or equal position changes nothing. */
export async function saveCustody(trx: Transaction<Database>, { wallet, ownerId, ...move }: Moved) {
  const row = { ...move, ownerId: wallet === null ? ownerId : null }
  await trx
    .insertInto('custodyWork')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('token').doUpdateSet(row).where('custodyWork.position', '<', move.position),
    )
    .execute()
}

type Line = { lineId: string; orderId: string; name: string; buyerId: string; sellerId: string }

export async function saveOpenLine(trx: Transaction<Database>, line: Line & { deliverBy: string }) {
  const { lineId, orderId, name, buyerId, sellerId, deliverBy } = line
  await trx
    .insertInto('openLine')
    .values({ lineId, orderId, name, buyerId, sellerId, deliverBy: new Date(deliverBy) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Also of a line whose authorisation was not consumed: it never opens afterwards. */
export async function endLine(trx: Transaction<Database>, { lineId, orderId, name, buyerId, sellerId }: Line) {
  await trx
    .insertInto('openLine')
    .values({ ...{ lineId, orderId, name, buyerId, sellerId }, deliverBy: sql<Date>`now()`, ended: true })
    .onConflict((conflict) => conflict.column('lineId').doUpdateSet({ ended: true }))
    .execute()
}

export const worksInCustodyOf = (db: Kysely<Database>, ownerId: string): Promise<WorkInCustody[]> =>
  db
    .selectFrom('custodyWork')
    .select(['contract', 'identifier'])
    .where('ownerId', '=', ownerId)
    .orderBy('token')
    .limit(LISTED)
    .execute()

/** Lines that the account buys or sells. Payments captures or releases a line within an hour of its deadline. */
export async function openLinesOf(db: Kysely<Database>, accountId: string): Promise<OpenLine[]> {
  const lines = await db
    .selectFrom('openLine')
    .select(['orderId', 'name', 'buyerId'])
    .where('ended', '=', false)
    .where('deliverBy', '>', sql<Date>`now() - interval '1 hour'`)
    .where((where) => where.or([where('buyerId', '=', accountId), where('sellerId', '=', accountId)]))
    .orderBy('lineId')
    .limit(LISTED)
    .execute()
  return lines.map(({ orderId, name, buyerId }) => ({
    orderId,
    name,
    role: buyerId === accountId ? 'buyer' : 'seller',
  }))
}
