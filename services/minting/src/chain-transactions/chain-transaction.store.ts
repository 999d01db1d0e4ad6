import { anyOf } from '@nifty/service-kit/database'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Fees } from '../chain/signer.ts'
import type { Database, Row } from '../db.ts'
import type { SignerQueue } from './signer.ts'

export type ChainTransaction = Row<'chainTransaction'>
export type Attempt = Row<'attempt'>
export type OpenTransaction = ChainTransaction & { attempts: Attempt[] }

export const feesOf = ({ maxFeePerGas, maxPriorityFeePerGas }: Attempt): Fees => ({
  maxFeePerGas: BigInt(maxFeePerGas),
  maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
})

export const newestAttempt = ({ attempts }: OpenTransaction): Attempt => attempts.at(-1)!

export const lockTransaction = (trx: Transaction<Database>, id: string) =>
  trx.selectFrom('chainTransaction').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

/** All transactions that are not final, lowest nonce first, each with its attempts, oldest first. */
export async function openTransactions(db: Kysely<Database>, signer: string): Promise<OpenTransaction[]> {
  const transactions = await db
    .selectFrom('chainTransaction')
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
  db.selectFrom('attempt').selectAll().where('transactionId', '=', anyOf(transactionIds)).orderBy('number').execute()

/** The open transactions of each signer, in the given order. */
export async function readQueues(db: Kysely<Database>, signers: string[]): Promise<Omit<SignerQueue, 'isFunded'>[]> {
  if (signers.length === 0) return []
  const rows = await db
    .selectFrom('chainTransaction')
    .select((eb) => [
      'signer',
      eb.fn.countAll<string>().as('notFinal'),
      eb.fn.countAll<string>().filterWhere('state', '=', 'signed').as('unmined'),
      eb.fn.min<Date | null>('signedAt').filterWhere('state', '=', 'signed').as('oldestUnmined'),
    ])
    .where('signer', '=', anyOf(signers))
    .where('state', '<>', 'final')
    .groupBy('signer')
    .execute()
  return signers.map((address) => {
    const row = rows.find(({ signer }) => signer === address)
    return {
      address,
      unmined: Number(row?.unmined ?? 0),
      notFinal: Number(row?.notFinal ?? 0),
      oldestUnmined: row?.oldestUnmined ?? null,
    }
  })
}

/** The maximum cost of all open transactions of these signers, in wei. */
export async function worstCaseCost(db: Kysely<Database>, signers: string[]): Promise<bigint> {
  const { rows } = await sql<{ cost: string }>`
    select coalesce(sum(gas_limit * fee), 0)::numeric(78, 0)::text as cost from (
      select t.gas_limit, max(a.max_fee_per_gas) as fee
      from chain_transaction t join attempt a on a.transaction_id = t.id
      where t.signer = any(${signers}) and t.state <> 'final' group by t.id) open`.execute(db)
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

/** The next poll of the tracker replaces the transaction at a higher fee, if it is in no block by then. */
export const requestFeeBump = (trx: Transaction<Database>, id: string) =>
  trx
    .updateTable('chainTransaction')
    .set({ bumpRequested: true })
    .where('id', '=', id)
    .where('state', '=', 'signed')
    .execute()

export const closeTransaction = (trx: Transaction<Database>, id: string, outcome: ChainTransaction['outcome']) =>
  trx
    .updateTable('chainTransaction')
    .set({ state: 'final', outcome, finalAt: sql`now()` })
    .where('id', '=', id)
    .execute()
