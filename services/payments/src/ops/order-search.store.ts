import type { OrderSearch } from '@nifty/api/payments/order-search'
import { anyOf } from '@nifty/service-kit/database/database'
import { type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import type { Database, Order } from '../db.ts'

/** Up to so many orders are sorted; of more, the newest orders are read in their order until a page is full. */
const FEW = 10_000
/** So many of the newest orders are read before an index of lines is, and then before all that match are sorted. */
const NEWEST = [2_000, 20_000] as const

type Condition = RawBuilder<SqlBool>
type Conditions = { own: Condition[]; line: Condition | undefined }

/** Orders that match, newest first, at most `limit`. `after`: those after this order. */
export async function findOrders(db: Transaction<Database>, search: OrderSearch, limit: number): Promise<Order[]> {
  const { accountIds, as } = search
  const [own, lines] = [ownConditions(search, ofOrder), lineConditions(search)]
  const line = lines.length > 0 ? and(lines) : undefined
  if (!accountIds) return read(db, await findIds(db, { own, line }, limit), limit)
  const isBought = sql<SqlBool>`buyer_id = ${anyOf(accountIds)}`
  const bought = as === 'seller' ? [] : await findIds(db, { own: [...own, isBought], line }, limit)
  const sold = as === 'buyer' ? [] : await idsOfSellers(db, accountIds, search, limit)
  return read(db, [...new Set([...bought, ...sold])], limit)
}

async function findIds(db: Transaction<Database>, { own, line }: Conditions, limit: number): Promise<string[]> {
  if (!line) return idsOf(db, sql`orders where ${and(own)}`, limit)
  const hasLine = sql`exists (select from line where order_id = orders.id and ${line})`
  const amongNewest = (count: number) =>
    idsOf(
      db,
      sql`(
        select id, created_at from orders where ${and(own)} order by created_at desc, id desc limit ${count}
      ) orders where ${hasLine}`,
      limit,
    )
  const first = await amongNewest(NEWEST[0])
  if (first.length === limit) return first

  const matching = sql`select order_id from line where ${line}`
  const few = await fewOf(db, matching)
  if (few) return idsOf(db, sql`orders where id = ${anyOf(few)} and ${and(own)}`, limit)

  const newest = await amongNewest(NEWEST[1])
  if (newest.length === limit) return newest
  // `offset 0`: otherwise PostgreSQL may read all orders in their order, and look up the lines of each.
  return idsOf(
    db,
    sql`orders where id in (select order_id from (${matching}) matching offset 0) and ${and(own)}`,
    limit,
  )
}

/** The ids of the newest orders with a line of one of these accounts, each seller's in the order of an index. */
async function idsOfSellers(
  db: Transaction<Database>,
  sellerIds: string[],
  search: OrderSearch,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct order_id as id, ordered_at from unnest(${sellerIds}::uuid[]) seller, lateral (
      select order_id, ordered_at from line
      where seller_id = seller and ${and([...ownConditions(search, ofLine), ...lineConditions(search)])}
      group by ordered_at, order_id order by ordered_at desc, order_id desc limit ${limit}
    ) newest
    order by ordered_at desc, order_id desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Where orders and lines have the id of the order and its time. */
type Columns = { id: RawBuilder<unknown>; at: RawBuilder<unknown> }
const ofOrder: Columns = { id: sql`orders.id`, at: sql`created_at` }
const ofLine: Columns = { id: sql`order_id`, at: sql`ordered_at` }

function ownConditions({ order, payment, since, until, after }: OrderSearch, { id, at }: Columns): Condition[] {
  return [
    ...(order === undefined ? [] : [isOrder(order, id)]),
    ...(payment === undefined
      ? []
      : [
          payment.startsWith('pi_')
            ? sql<SqlBool>`${id} = (select id from orders where intent_id = ${payment})`
            : sql<SqlBool>`${id} = (select id from orders where session_id = ${payment})`,
        ]),
    ...(since === undefined ? [] : [sql<SqlBool>`${at} >= ${new Date(since)}`]),
    ...(until === undefined ? [] : [sql<SqlBool>`${at} < ${new Date(until)}`]),
    ...(after === undefined
      ? []
      : [sql<SqlBool>`(${at}, ${id}) < (select created_at, id from orders where id = ${after})`]),
  ]
}

/** By its id, or by its first eight digits, in the primary key. */
const isOrder = (order: string, id: RawBuilder<unknown>) =>
  order.length > 8
    ? sql<SqlBool>`${id} = ${order}`
    : sql<SqlBool>`${id} between ${`${order}-0000-0000-0000-000000000000`} and ${`${order}-ffff-ffff-ffff-ffffffffffff`}`

function lineConditions({ transaction, itemId, token, state }: OrderSearch): Condition[] {
  const [contract, identifier] = token?.split('/') ?? []
  return [
    ...(transaction === undefined ? [] : [sql<SqlBool>`tx_hash = ${transaction.toLowerCase()}`]),
    ...(itemId === undefined ? [] : [sql<SqlBool>`item_id = ${itemId}`]),
    ...(token === undefined
      ? []
      : [sql<SqlBool>`identifier = ${identifier} and lower(contract) = ${contract!.toLowerCase()}`]),
    // As a constant, so that the indexes of some states are used.
    ...(state === undefined ? [] : [sql<SqlBool>`state = ${sql.lit(state)}`]),
  ]
}

const and = (conditions: Condition[]) => sql<SqlBool>`${sql.join([sql`true`, ...conditions], sql` and `)}`

/** All order ids, or undefined when there are more than `FEW`. */
async function fewOf(db: Transaction<Database>, matching: RawBuilder<unknown>): Promise<string[] | undefined> {
  const { rows } = await sql<{ orderId: string }>`${matching} limit ${FEW + 1}`.execute(db)
  return rows.length > FEW ? undefined : rows.map(({ orderId }) => orderId)
}

/** The ids of the newest of these orders. */
async function idsOf(db: Transaction<Database>, orders: RawBuilder<unknown>, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ${orders} order by created_at desc, id desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

const read = (db: Transaction<Database>, ids: string[], limit: number): Promise<Order[]> =>
  db
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', anyOf(ids))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
