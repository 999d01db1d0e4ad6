import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Fees } from '../chain/signer.ts'
import type { Database } from '../db.ts'

export type LaneTransaction = Selectable<Database['laneTransaction']>
/** A signing key and where it is. */
export type SigningLane = Selectable<Database['signer']>
export type Attempt = Selectable<Database['attempt']>
export type OpenTransaction = LaneTransaction & { attempts: Attempt[] }

export const feesOf = ({ maxFeePerGas, maxPriorityFeePerGas }: Attempt): Fees => ({
  maxFeePerGas: BigInt(maxFeePerGas),
  maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
})

export const newestAttempt = ({ attempts }: OpenTransaction): Attempt => attempts.at(-1)!

export const findLane = (db: Kysely<Database>, address: string) =>
  db.selectFrom('signer').selectAll().where('address', '=', address).executeTakeFirst()

export const addLane = (db: Kysely<Database>, address: string, nextNonce: number) =>
  db
    .insertInto('signer')
    .values({ address, nextNonce, haltedReason: null, haltedAt: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Whoever signs holds this lock from the choice of the nonce until the signed bytes are stored. */
export const lockLane = (trx: Transaction<Database>, address: string) =>
  trx.selectFrom('signer').selectAll().where('address', '=', address).forUpdate().executeTakeFirst()

/** Answers whether the lane was running until now. */
export async function haltLane(db: Kysely<Database>, address: string, reason: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('signer')
    .set({ haltedReason: reason, haltedAt: sql`now()` })
    .where('address', '=', address)
    .where('haltedReason', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export const lockTransaction = (trx: Transaction<Database>, id: string) =>
  trx.selectFrom('laneTransaction').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

/** Everything that is not final yet, lowest nonce first, each with its attempts, oldest first. */
export async function openTransactions(db: Kysely<Database>, signer: string): Promise<OpenTransaction[]> {
  const transactions = await db
    .selectFrom('laneTransaction')
    .selectAll()
    .where('signer', '=', signer)
    .where('state', '<>', 'final')
    .orderBy('nonce')
    .execute()
  if (transactions.length === 0) return []
  const attempts = await attemptsOf(
    db,
    transactions.map(({ id }) => id),
  )
  return transactions.map((transaction) => ({
    ...transaction,
    attempts: attempts.filter(({ transactionId }) => transactionId === transaction.id),
  }))
}

export const attemptsOf = (db: Kysely<Database>, transactionIds: string[]) =>
  db.selectFrom('attempt').selectAll().where('transactionId', 'in', transactionIds).orderBy('number').execute()

export async function countOpen(db: Kysely<Database>, signer: string): Promise<number> {
  const { count } = await db
    .selectFrom('laneTransaction')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('signer', '=', signer)
    .where('state', '<>', 'final')
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The most that open transactions may still cost, in wei. */
export async function worstCaseCost(db: Kysely<Database>, signer: string): Promise<bigint> {
  const { rows } = await sql<{ cost: string }>`
    select coalesce(sum(gas_limit * fee), 0)::numeric(78, 0)::text as cost from (
      select t.gas_limit, max(a.max_fee_per_gas) as fee
      from lane_transaction t join attempt a on a.transaction_id = t.id
      where t.signer = ${signer} and t.state <> 'final' group by t.id) open`.execute(db)
  return BigInt(rows[0]!.cost)
}

export const addAttempt = (
  trx: Transaction<Database>,
  attempt: { hash: string; raw: string; transactionId: string; number: number; kind: Attempt['kind'] } & Fees,
) =>
  trx
    .insertInto('attempt')
    .values({
      ...attempt,
      maxFeePerGas: String(attempt.maxFeePerGas),
      maxPriorityFeePerGas: String(attempt.maxPriorityFeePerGas),
    })
    .execute()
