import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { noDelivery } from '../deliveries/delivery.store.ts'
import type { Gift, GiftWithClaim } from './gift.ts'

const gifts = (db: Kysely<Database>) =>
  db
    .selectFrom('gift')
    .leftJoin('delivery', 'delivery.lineId', 'gift.deliveryId')
    .leftJoin('token', 'token.token', 'gift.token')
    .leftJoin('mint', 'mint.id', 'token.mintId')
    .leftJoin('account', 'account.userId', 'gift.giverId')
    .selectAll('gift')
    .select(['delivery.state as claim', 'mint.file'])
    .select(sql<string | null>`nullif(account.username, '')`.as('giver'))
    .select(
      sql<string | null>`coalesce(delivery.tx_hash, (
        select hash from attempt where attempt.transaction_id = delivery.transaction_id
        order by number desc limit 1))`.as('txHash'),
    )
    .$castTo<GiftWithClaim>()

type Listed = { userId: string; orderId?: string | undefined }

/** Given and received, newest first; with an order those of the work that it bought as a gift, for its giver. */
export const listGiftsOf = (
  db: Kysely<Database>,
  { userId, orderId }: Listed,
  limit: number,
): Promise<GiftWithClaim[]> =>
  gifts(db)
    .where((eb) =>
      orderId === undefined
        ? eb.or([eb('giverId', '=', userId), eb('recipientId', '=', userId)])
        : eb.and([
            eb('giverId', '=', userId),
            eb(
              'gift.token',
              'in',
              eb.selectFrom('gift as bought').select('bought.token').where('bought.orderId', '=', orderId),
            ),
          ]),
    )
    .orderBy('gift.createdAt', 'desc')
    .limit(limit)
    .execute()

export const findGift = (db: Kysely<Database>, id: string): Promise<GiftWithClaim | undefined> =>
  gifts(db).where('gift.id', '=', id).executeTakeFirst()

/** By its own id, or that of its order, its line, its giver or its recipient. */
export const findGiftsBy = (db: Kysely<Database>, id: string, limit: number): Promise<GiftWithClaim[]> =>
  gifts(db)
    .where((eb) =>
      eb.or(
        (['gift.id', 'gift.orderId', 'gift.lineId', 'gift.giverId', 'gift.recipientId'] as const).map((column) =>
          eb(column, '=', id),
        ),
      ),
    )
    .orderBy('gift.createdAt', 'desc')
    .limit(limit)
    .execute()

/** Locks the gift, and reads what is beside it afterwards. */
export async function lockGift(trx: Transaction<Database>, id: string): Promise<GiftWithClaim | undefined> {
  await trx.selectFrom('gift').select('id').where('id', '=', id).forUpdate().execute()
  return findGift(trx, id)
}

export const findGiftOfLine = (db: Kysely<Database>, lineId: string) =>
  db.selectFrom('gift').select(['id', 'giverId']).where('lineId', '=', lineId).executeTakeFirst()

/** `isNewest`: no later link of the gift was mailed. */
export async function findGiftLink(db: Kysely<Database>, tokenHash: string) {
  const { rows } = await sql<{ giftId: string; token: string; giverId: string; isNewest: boolean }>`
    select link.gift_id, gift.token, gift.giver_id,
      link.number = (select max(number) from gift_link newest where newest.gift_id = link.gift_id) as is_newest
    from gift_link link join gift on gift.id = link.gift_id where link.token_hash = ${tokenHash}`.execute(db)
  return rows[0]
}

type NewGift = Pick<Gift, 'id' | 'giverId' | 'token' | 'name' | 'lineId' | 'orderId' | 'email' | 'text' | 'state'>

/** Nothing happens when the line has a gift, or the giver an open one of the token. */
export const addGift = (trx: Transaction<Database>, gift: NewGift & { until: Date | null }) =>
  trx
    .insertInto('gift')
    .values({
      ...gift,
      offeredAt: gift.state === 'offered' ? sql<Date>`now()` : null,
      deliveryId: null,
      recipientId: null,
      waitsFor: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const updateGift = (trx: Transaction<Database>, id: string, changes: Partial<Gift>) =>
  trx.updateTable('gift').set(changes).where('id', '=', id).execute()

/** Handles an open gift again after `ms`. */
export const postponeGift = (db: Kysely<Database>, id: string, ms: number) =>
  db
    .updateTable('gift')
    .set({ offerFrom: sql<Date>`now() + make_interval(secs => ${ms / 1000})` })
    .where('id', '=', id)
    .where('state', 'in', ['bought', 'offered'])
    .execute()

/** Adds the next link of a gift, which makes the former ones invalid. Returns its number. */
export async function addGiftLink(
  trx: Transaction<Database>,
  { giftId, tokenHash, recipient }: { giftId: string; tokenHash: string; recipient: string },
): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    insert into gift_link (token_hash, gift_id, recipient, number)
    select ${tokenHash}, ${giftId}::uuid, ${recipient}, coalesce(max(number), 0) + 1 from gift_link where gift_id = ${giftId}
    returning number`.execute(trx)
  return rows[0]!.number
}

/**
 * The first link of a bought gift, which its price pays for; `other`: links of owned works and to corrected addresses.
 */
type LinkKind = 'bought' | 'other'

/** How many links of a kind an account had mailed within a day. */
export const countGiftLinks = (db: Kysely<Database>, giverId: string, kind: LinkKind) =>
  count(db, kind, sql`giver_id = ${giverId}`)

/** How many links of a kind were mailed to a recipient (`recipientOf`) within a day. */
export const countGiftLinksTo = (db: Kysely<Database>, recipient: string, kind: LinkKind) =>
  count(db, kind, sql`recipient = ${recipient}`)

async function count(db: Kysely<Database>, kind: LinkKind, of: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from gift_link join gift on gift.id = gift_link.gift_id
    where ${of} and gift_link.created_at > now() - interval '1 day'
      and (line_id is not null and number = 1) = ${kind === 'bought'}`.execute(db)
  return rows[0]!.count
}

/** How many gifts of an account wait for the payment of their purchase. */
export async function countBoughtGifts(db: Kysely<Database>, giverId: string): Promise<number> {
  const { count } = await db
    .selectFrom('gift')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('giverId', '=', giverId)
    .where('state', '=', 'bought')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Queues the change of the beneficiary; the recipient's custody account is chosen once the chain has been read. */
export const addClaim = (
  trx: Transaction<Database>,
  { lineId, token, giverId, recipientId }: { lineId: string; token: string; giverId: string; recipientId: string },
) =>
  trx
    .insertInto('delivery')
    .values({
      ...noDelivery,
      lineId,
      kind: 'gift',
      state: 'waiting',
      token,
      fromId: giverId,
      buyerId: recipientId,
      alone: true,
    })
    .execute()

/** Of an account, or of one of its works. */
export async function openGiftsOf(
  db: Kysely<Database>,
  { giverId, token }: { giverId: string; token?: string },
): Promise<string[]> {
  const ofGiver = db.selectFrom('gift').select('id').where('giverId', '=', giverId)
  const wanted = token === undefined ? ofGiver : ofGiver.where('token', '=', token)
  const open = await wanted.where('state', 'in', ['bought', 'offered']).orderBy('id').execute()
  return open.map(({ id }) => id)
}

export type DueGift = Pick<Gift, 'id' | 'giverId' | 'state'>

/**
 * Bought gifts that are paid, claimed ones whose delivery has an outcome, and those that were not claimed in time. The
 * first by the row of the sale: a process of a release without gifts may have consumed that it is paid. None is due
 * before its `offer_from`, at which one is handled again whose handling failed.
 */
export async function dueGifts(db: Kysely<Database>, limit: number): Promise<DueGift[]> {
  const { rows } = await sql<DueGift>`
    (select gift.id, giver_id, gift.state from gift join delivery using (line_id)
      where gift.state = 'bought' and gift.offer_from <= now() and delivery.paid_at is not null limit ${limit})
    union
    (select gift.id, giver_id, gift.state from gift join delivery on delivery.line_id = gift.delivery_id
      where gift.state = 'offered' and gift.offer_from <= now() and gift.delivery_id is not null
        and delivery.state in ('final', 'failed', 'stopped')
      limit ${limit})
    union
    (select id, giver_id, state from gift
      where state = 'offered' and offer_from <= now() and until <= now() and delivery_id is null
      limit ${limit})`.execute(db)
  return rows
}

/** Erases the addresses and texts of gifts that ended a month ago, and to which mailboxes links were mailed. */
export async function eraseEndedGifts(db: Kysely<Database>) {
  await sql`
    update gift set email = null, text = '' where email is not null and state not in ('bought', 'offered')
      and changed_at < now() - interval '30 days'`.execute(db)
  await sql`
    update gift_link set recipient = '' where recipient <> '' and created_at < now() - interval '1 day'`.execute(db)
}
