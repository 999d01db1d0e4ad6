import type { OpenBid, OpenGift, OpenLine, WorkInCustody } from '@nifty/api/auth/deletion'
import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
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

/** Applies a move of minting; an older or equal position changes nothing. Ends the wait of a line for this work. */
export async function saveCustody(trx: Transaction<Database>, { wallet, ownerId, ...move }: Moved) {
  const row = { ...move, ownerId: wallet === null ? ownerId : null }
  await trx
    .insertInto('custodyWork')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('token').doUpdateSet(row).where('custodyWork.position', '<', move.position),
    )
    .execute()
  if (row.ownerId === null) return
  await trx
    .updateTable('openLine')
    .set({ awaitedToken: null })
    .where('awaitedToken', '=', move.token)
    .where('buyerId', '=', row.ownerId)
    .execute()
}

type Line = { lineId: string; orderId: string; name: string; buyerId: string; sellerId: string }
/** `custody`: the store keeps the token for the buyer. */
type Delivered = Line & { token: string; custody?: true }

export async function saveOpenLine(trx: Transaction<Database>, line: Delivered & { deliverBy: string }) {
  await trx
    .insertInto('openLine')
    .values({ ...columnsOf(line), deliverBy: new Date(line.deliverBy), awaitedToken: await awaitedToken(trx, line) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await endOpenBid(trx, line)
}

/** The work of a line into custody may arrive later than this. Also of a line whose authorisation was not consumed. */
export async function completeLine(trx: Transaction<Database>, line: Delivered) {
  await endLine(trx, line, { awaitedToken: await awaitedToken(trx, line) })
}

export const releaseLine = (trx: Transaction<Database>, line: Line) => endLine(trx, line, { awaitedToken: null })

/**
 * A line that is stored as ended never opens afterwards. One whose work arrived awaits none, though it moved on since.
 */
async function endLine(trx: Transaction<Database>, line: Line, { awaitedToken }: { awaitedToken: string | null }) {
  await trx
    .insertInto('openLine')
    .values({ ...columnsOf(line), deliverBy: sql<Date>`now()`, ended: true, awaitedToken })
    .onConflict((conflict) =>
      conflict
        .column('lineId')
        .doUpdateSet({ ended: true, ...(awaitedToken === null && { awaitedToken: sql<null>`null` }) }),
    )
    .execute()
  await endOpenBid(trx, line)
}

const columnsOf = ({ lineId, orderId, name, buyerId, sellerId }: Line) => ({ lineId, orderId, name, buyerId, sellerId })

/** The token that the buyer's custody lacks; null of a line to a wallet, and once the move to the buyer is consumed. */
async function awaitedToken(trx: Transaction<Database>, { token, custody, buyerId }: Delivered) {
  if (!custody) return null
  const work = await trx.selectFrom('custodyWork').select('ownerId').where('token', '=', token).executeTakeFirst()
  return work?.ownerId === buyerId ? null : token
}

export const worksInCustodyOf = (db: Kysely<Database>, ownerId: string): Promise<WorkInCustody[]> =>
  db
    .selectFrom('custodyWork')
    .select(['contract', 'identifier'])
    .where('ownerId', '=', ownerId)
    .orderBy('token')
    .limit(LISTED)
    .execute()

/**
 * Lines that the account sells, or buys and waits for. Payments captures or releases a line within an hour of its
 * deadline.
 */
export async function openLinesOf(db: Kysely<Database>, accountId: string): Promise<OpenLine[]> {
  const lines = await db
    .selectFrom('openLine')
    .select(['orderId', 'name', 'buyerId'])
    .where('deliverBy', '>', sql<Date>`now() - interval '1 hour'`)
    .where((eb) => {
      const isOpen = eb('ended', '=', false)
      const buys = eb('buyerId', '=', accountId).and(eb.or([isOpen, eb('awaitedToken', 'is not', null)]))
      return eb.or([buys, eb('sellerId', '=', accountId).and(isOpen)])
    })
    .orderBy('lineId')
    .limit(LISTED)
    .execute()
  return lines.map(({ orderId, name, buyerId }) => ({
    orderId,
    name,
    role: buyerId === accountId ? 'buyer' : 'seller',
  }))
}

/**
 * One that has ended stays so. One whose order has a line, open or over, never leads afterwards: an auction is decided
 * before.
 */
export async function saveOpenBid(trx: Transaction<Database>, bid: Database['openBid']) {
  const { orderId } = bid
  const line = await trx.selectFrom('openLine').select('lineId').where('orderId', '=', orderId).executeTakeFirst()
  if (line) return
  await trx
    .insertInto('openBid')
    .values(bid)
    .onConflict((conflict) =>
      conflict.column('orderId').doUpdateSet({ auctionId: sql`coalesce(excluded.auction_id, open_bid.auction_id)` }),
    )
    .execute()
}

export async function isStoredBid(trx: Transaction<Database>, orderId: string): Promise<boolean> {
  const stored = await trx.selectFrom('openBid').select('orderId').where('orderId', '=', orderId).executeTakeFirst()
  return stored !== undefined
}

/**
 * Its auction ended without it, or its order is a sale under way or released. The row stays for another day: a late
 * request of payments opens it no more.
 */
export async function endOpenBid(trx: Transaction<Database>, { orderId }: { orderId: string }) {
  await trx
    .updateTable('openBid')
    .set({ latestEndAt: sql`now() - interval '1 day'` })
    .where('orderId', '=', orderId)
    .execute()
}

/** Whether a bid of the account leads an auction that is not over. */
export async function hasLeadingBid(db: Kysely<Database>, bidderId: string): Promise<boolean> {
  const bid = await db
    .selectFrom('openBid')
    .select('orderId')
    .where('bidderId', '=', bidderId)
    .where('auctionId', 'is not', null)
    .where('latestEndAt', '>', sql<Date>`now()`)
    .limit(1)
    .executeTakeFirst()
  return bid !== undefined
}

/** Bids of the account or for its works that lead or are about to. Catalog decides within minutes of the latest end. */
export async function openBidsOf(db: Kysely<Database>, accountId: string): Promise<OpenBid[]> {
  const bids = await db
    .selectFrom('openBid')
    .select(['auctionId', 'name', 'bidderId'])
    .where('latestEndAt', '>', sql<Date>`now() - interval '1 day'`)
    .where((eb) => eb.or([eb('bidderId', '=', accountId), eb('sellerId', '=', accountId)]))
    .orderBy('orderId')
    .limit(LISTED)
    .execute()
  return bids.map(({ auctionId, name, bidderId }) => ({
    auctionId,
    name,
    role: bidderId === accountId ? 'buyer' : 'seller',
  }))
}

/** A gift that ended stays ended, also when it is offered in a later event. */
export async function saveOpenGift(trx: Transaction<Database>, gift: Insertable<Database['openGift']>) {
  await trx
    .insertInto('openGift')
    .values(gift)
    .onConflict((conflict) =>
      gift.ended
        ? conflict.column('giftId').doUpdateSet({ ended: true, changedAt: sql`now()` })
        : conflict.column('giftId').doNothing(),
    )
    .execute()
}

/** Gifts of the account that are not accepted yet. */
export async function openGiftsOf(db: Kysely<Database>, giverId: string): Promise<OpenGift[]> {
  const open = await db
    .selectFrom('openGift')
    .select(['giftId', 'name'])
    .where('giverId', '=', giverId)
    .where('ended', '=', false)
    .orderBy('giftId')
    .limit(LISTED)
    .execute()
  return open.map(({ giftId, name }) => ({ _id: giftId, name }))
}

/** A claim that failed stays so, also when it is published again. */
export async function saveOpenClaim(trx: Transaction<Database>, claim: Insertable<Database['openClaim']>) {
  await trx
    .insertInto('openClaim')
    .values(claim)
    .onConflict((conflict) =>
      claim.ended
        ? conflict.column('claimId').doUpdateSet({ ended: true, changedAt: sql`now()` })
        : conflict.column('claimId').doNothing(),
    )
    .execute()
}

/** Gifts that the account accepted, and whose work has neither moved since nor stays with its giver. */
export async function openClaimsOf(db: Kysely<Database>, recipientId: string): Promise<OpenGift[]> {
  const { rows } = await sql<{ giftId: string; name: string }>`
    select gift_id, name from open_claim
    where recipient_id = ${recipientId} and not ended
      and not exists (select from custody_work
        where custody_work.token = open_claim.token and custody_work.position > open_claim.position)
    order by claim_id limit ${LISTED}`.execute(db)
  return rows.map(({ giftId, name }) => ({ _id: giftId, name }))
}

/** Deletes what is known of the gifts of an account whose works are its own, or never were. */
export async function removeGiftsOf(trx: Transaction<Database>, accountId: string) {
  await trx.deleteFrom('openGift').where('giverId', '=', accountId).execute()
  await trx.deleteFrom('openClaim').where('recipientId', '=', accountId).execute()
}

/** Deletes gifts that ended, and claims, a month later. */
export async function deleteEndedGifts(db: Kysely<Database>) {
  await sql`delete from open_gift where ended and changed_at < now() - interval '30 days'`.execute(db)
  await sql`
    delete from open_claim where changed_at < now() - interval '30 days' and (ended or exists (
      select from custody_work where custody_work.token = open_claim.token
        and custody_work.position > open_claim.position))`.execute(db)
}
