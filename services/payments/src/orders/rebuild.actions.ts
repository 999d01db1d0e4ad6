import { type Kysely, sql, type Transaction } from 'kysely'
import { restoreCustomer } from '../card-customers/card-customer.store.ts'
import type { Database, Order } from '../db.ts'
import { classifyError } from '../processor/failure.ts'
import type { Session } from '../processor/processor.ts'
import { findOrder } from './order.store.ts'
import type { StepDeps } from './run-step.ts'
import { isOfStore, readSessionOrder } from './session-metadata.ts'

/** Covers clocks that differ, and sessions whose creation was under way. */
const OVERLAP_MS = 3_600_000

/**
 * Rebuilds orders that the processor has sessions of and this database does not: it was restored from an older backup.
 * Reads the sessions since the last run, which a restored database remembers from before its backup. An order's row is
 * committed before its session is created, so an order that another replica is placing is found here. Idempotent.
 */
export async function rebuildLostOrders(deps: StepDeps): Promise<number> {
  const { longPool, processor, log } = deps
  const { readUntil, now } = await longPool
    .selectFrom('sessionScan')
    .select(['readUntil', sql<Date>`now()`.as('now')])
    .executeTakeFirstOrThrow()
  let rebuilt = 0
  for await (const session of processor.sessionsSince(new Date(readUntil.getTime() - OVERLAP_MS))) {
    const order = await longPool.transaction().execute((trx) => rebuildOrder(trx, session, deps))
    if (!order) continue
    rebuilt++
    log.warn({ orderId: order.id, sessionId: session.id }, 'orders: rebuilding an order that this database lacks')
  }
  await longPool.updateTable('sessionScan').set({ readUntil: now }).execute()
  return rebuilt
}

type Mention = { sessionId: string | null; intentId: string | null }

/** What the processor has of a payment of which this database has no order. `order`: as rebuilt. */
type Mentioned = { isOurs: boolean; order?: Order }

/**
 * Rebuilds the order that an event of the processor mentions. It is not of this store unless its session carries the
 * store's id: other shops may use the same account.
 */
export async function rebuildMentionedOrder(
  trx: Transaction<Database>,
  deps: StepDeps,
  { sessionId, intentId }: Mention,
): Promise<Mentioned> {
  const { processor } = deps
  const read = sessionId ? processor.session(sessionId) : processor.sessionOfIntent(intentId!)
  const session = await read.catch((error) => {
    if (classifyError(error) !== 'refused') throw error
    return null
  })
  if (!session || !isOfStore(session.metadata.store, deps)) return { isOurs: false }
  const rebuilt = await rebuildOrder(trx, session, deps)
  // Another worker may have rebuilt it since the event was looked up.
  const order =
    rebuilt ?? (await trx.selectFrom('orders').selectAll().where('sessionId', '=', session.id).executeTakeFirst())
  return { isOurs: true, order }
}

/**
 * Stores the order of a session, with lines that are placed and not reserved; the step `rebuild` does the rest.
 * Undefined when the order exists, or when the session is not of this store.
 */
async function rebuildOrder(
  db: Kysely<Database>,
  session: Session,
  names: Pick<StepDeps, 'storeId' | 'config'>,
): Promise<Order | undefined> {
  const lost = readSessionOrder(session, names)
  if (!lost || (await findOrder(db, lost.id))) return undefined
  const { id, orderKind, days, buyerId, wallet, termsVersion, commissionBps, lines } = lost
  const inserted = await db
    .insertInto('orders')
    .values({
      id,
      orderKind,
      ...(days === null ? {} : { days }),
      buyerId,
      wallet,
      termsVersion,
      commissionBps,
      sessionId: session.id,
      totalCents: lines.reduce((sum, { priceCents }) => sum + priceCents, 0),
      createdAt: session.createdAt,
      expiresAt: session.expiresAt,
      rebuiltAt: sql<Date>`now()`,
      nextRunAt: sql<Date>`now()`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!inserted) return undefined
  await db
    .insertInto('line')
    .values(
      lines.map(({ lineId, itemId, priceCents }, position) => ({
        id: lineId,
        orderId: id,
        buyerId,
        orderedAt: session.createdAt,
        itemId,
        conditional: orderKind !== 'purchase',
        priceCents,
        position,
      })),
    )
    .execute()
  const { customerId, createdAt } = session
  if (customerId) await restoreCustomer(db, { userId: buyerId, customerId, since: createdAt })
  return inserted
}
