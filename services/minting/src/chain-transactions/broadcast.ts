import { inSpan } from '@nifty/service-kit/traces/trace'
import { sql } from 'kysely'
import { deadlinePassed } from '../deliveries/delivery.store.ts'
import type { Lane } from './chain-context.ts'
import { type Attempt, feesOf, newestAttempt, type OpenTransaction } from './chain-transaction.store.ts'
import { bump, isPricedOut } from './fees.ts'
import { signAgain } from './queue.ts'

/** Without a reason in the prices, a transaction is given this many times the usual patience before it is raised. */
const PATIENCE = 6

/** Sends stored bytes, again and again until a block has them. What the node answers decides nothing. */
export async function send({ db, node, log, settings }: Lane, transaction: OpenTransaction) {
  const { broadcastAt, id, nonce } = transaction
  if (broadcastAt && !(await isOlder(db, broadcastAt, settings.rebroadcastMs))) return
  const { raw, hash } = newestAttempt(transaction)
  await inSpan({ name: 'broadcast', continues: transaction.traceparent, facts: { 'transaction.hash': hash } }, () =>
    node.broadcast(raw),
  ).catch((error) => log.debug({ err: error, hash, nonce }, 'not taken by the node'))
  await db.updateTable('laneTransaction').set({ broadcastAt: sql`now()` }).where('id', '=', id).execute()
}

/** Cancels what came too late, and pays more for what prices have left behind. */
export async function replaceIfNeeded(lane: Lane, transaction: OpenTransaction, isNext: boolean) {
  const newest = newestAttempt(transaction)
  if (newest.kind === 'call' && (await deadlinePassed(lane.db, transaction.id))) {
    lane.log.warn({ nonce: transaction.nonce }, 'not delivered in time, cancelling')
    return raise(lane, transaction, 'cancel')
  }
  if (transaction.bumpAsked) return raise(lane, transaction, newest.kind)
  // What stands behind a stuck nonce cannot be mined whatever it pays.
  if (!isNext || !(await isOlder(lane.db, newest.createdAt, lane.settings.bumpAfterMs))) return false
  const priced = isPricedOut(feesOf(newest), await lane.node.fees())
  if (priced || (await isOlder(lane.db, newest.createdAt, lane.settings.bumpAfterMs * PATIENCE)))
    return raise(lane, transaction, newest.kind)
  return false
}

async function raise(lane: Lane, transaction: OpenTransaction, kind: Attempt['kind']): Promise<boolean> {
  const wanted = await lane.node.fees()
  const fees = bump(feesOf(newestAttempt(transaction)), wanted, lane.settings.maxFee)
  if (!fees) {
    lane.log.error({ alarm: 'fee_cap', nonce: transaction.nonce }, 'stuck at the highest fee allowed, waiting')
    return false
  }
  return signAgain(lane, transaction, { kind, fees })
}

/** Compared by the database's clock. */
async function isOlder(db: Lane['db'], at: Date, ms: number): Promise<boolean> {
  const { rows } = await sql<{ older: boolean }>`
    select ${at}::timestamptz < now() - make_interval(secs => ${ms / 1000}) as older`.execute(db)
  return rows[0]!.older
}
