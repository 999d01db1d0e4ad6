import { GAS_PER_ENTRY } from '@nifty/contracts/calls'
import { anyOf } from '@nifty/service-kit/database/database'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Fees } from '../chain/signer.ts'
import type { Database, Row } from '../db.ts'
import { isFollowed, type SignerRow } from './signer.store.ts'
import { maySign, type SignerQueue } from './signer.ts'

export type ChainTransaction = Row<'chainTransaction'>
export type Attempt = Row<'attempt'>
/**
 * `readAt` is the database's time, to which the other times are compared. `isOverdue`: the deadline of a delivery in it
 * has passed, or the delivery was stopped.
 */
export type OpenTransaction = ChainTransaction & { attempts: Attempt[]; isOverdue: boolean; readAt: Date }

export const feesOf = ({ maxFeePerGas, maxPriorityFeePerGas }: Attempt): Fees => ({
  maxFeePerGas: BigInt(maxFeePerGas),
  maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
})

export const newestAttempt = ({ attempts }: OpenTransaction): Attempt => attempts.at(-1)!

export const lockTransaction = (trx: Transaction<Database>, id: string) =>
  trx.selectFrom('chainTransaction').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

export const findTransaction = (db: Kysely<Database>, id: string) =>
  db.selectFrom('chainTransaction').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** With its attempts, oldest first. JSON: their times are text. */
const openColumns = sql`
  open.*, now() as read_at,
  exists (select from delivery where transaction_id = open.id and state = 'signed' and deliver_by <= now()) as is_overdue,
  (select json_agg(json_build_object(
     'hash', hash, 'transactionId', transaction_id, 'number', number, 'kind', kind, 'raw', raw,
     'maxFeePerGas', max_fee_per_gas::text, 'maxPriorityFeePerGas', max_priority_fee_per_gas::text, 'createdAt', created_at
   ) order by number) from attempt where transaction_id = open.id) as attempts`

type OpenRow = Omit<OpenTransaction, 'attempts'> & { attempts: (Omit<Attempt, 'createdAt'> & { createdAt: string })[] }

const toOpen = (row: OpenRow): OpenTransaction => ({
  ...row,
  attempts: row.attempts.map((attempt) => ({ ...attempt, createdAt: new Date(attempt.createdAt) })),
})

/** All transactions of a signer that are not final, lowest nonce first. */
export async function openTransactions(db: Kysely<Database>, signer: string): Promise<OpenTransaction[]> {
  const { rows } = await sql<OpenRow>`
    select ${openColumns} from chain_transaction open
    where signer = ${signer} and state <> 'final' order by nonce`.execute(db)
  return rows.map(toOpen)
}

/** More than a signer sends in an hour at its limit of tokens. */
const NEWEST = 1_000

/**
 * Deliveries an hour whose gas a signer used in the last hour, or in the last day where that is more. Of its newest
 * transactions: their table has no end.
 */
export async function deliveriesPerHour(db: Kysely<Database>, signer: string): Promise<number> {
  const { rows } = await sql<{ hour: number; day: number }>`
    select coalesce(sum(gas_limit) filter (where signed_at > now() - interval '1 hour'), 0)::float8 as hour,
      coalesce(sum(gas_limit) filter (where signed_at > now() - interval '1 day'), 0)::float8 as day
    from (select gas_limit, signed_at from chain_transaction
      where signer = ${signer} order by nonce desc limit ${NEWEST}) newest`.execute(db)
  const { hour, day } = rows[0]!
  return Math.max(hour, day / 24) / Number(GAS_PER_ENTRY)
}

export type FollowedSigner = Pick<SignerRow, 'address' | 'state' | 'nextNonce' | 'roleBlock' | 'retiredBlock'> & {
  open: OpenTransaction[]
}

/**
 * The signers whose transactions have to be followed, each with its open ones, and the last block of the index. One
 * statement: it is read at every poll.
 */
export async function readFollowed(
  db: Kysely<Database>,
  collection: string,
): Promise<{ signers: FollowedSigner[]; lastBlock: number }> {
  type Joined = OpenRow & { followed: Omit<FollowedSigner, 'open'>; lastBlock: number | null }
  const { rows } = await sql<Joined>`
    select json_build_object('address', signer.address, 'state', signer.state, 'nextNonce', next_nonce,
        'roleBlock', role_block, 'retiredBlock', retired_block) as followed,
      (select block from chain_cursor where collection = ${collection}) as last_block, ${openColumns}
    from signer left join chain_transaction open on open.signer = signer.address and open.state <> 'final'
    where ${isFollowed}
    order by signer.address, open.nonce`.execute(db)
  const signers = [...Map.groupBy(rows, ({ followed }) => followed.address).values()].map((ofSigner) => ({
    ...ofSigner[0]!.followed,
    open: ofSigner.flatMap(({ followed, lastBlock, ...row }) => (row.id === null ? [] : toOpen(row))),
  }))
  return { signers, lastBlock: rows[0]?.lastBlock ?? -1 }
}

export const attemptsOf = (db: Kysely<Database>, transactionIds: string[]) =>
  db.selectFrom('attempt').selectAll().where('transactionId', '=', anyOf(transactionIds)).orderBy('number').execute()

/** The open transactions of those signers that may sign, in the given order. */
export async function readQueues(db: Kysely<Database>, addresses: string[]): Promise<Omit<SignerQueue, 'isFunded'>[]> {
  const { rows } = await sql<Omit<SignerQueue, 'isFunded'> & Pick<SignerRow, 'state' | 'haltedReason'>>`
    select address, signer.state, halted_reason, count(open.id) as not_final,
      count(*) filter (where open.state = 'signed') as unmined,
      min(signed_at) filter (where open.state = 'signed') as oldest_unmined
    from signer left join chain_transaction open on open.signer = address and open.state <> 'final'
    where address = ${anyOf(addresses)}
    group by address`.execute(db)
  return addresses.flatMap((address) => {
    const row = rows.find((each) => each.address === address)
    return row && maySign(row) ? { ...row, address } : []
  })
}

/**
 * The maximum cost of the transactions of these signers that are in no block, in wei, and how many deliveries wait for
 * one.
 */
export async function readOpenCost(
  db: Kysely<Database>,
  signers: string[],
): Promise<{ openCost: bigint; waiting: number }> {
  const { rows } = await sql<{ cost: string; waiting: number }>`
    select coalesce(sum(gas_limit * fee), 0)::numeric(78, 0)::text as cost,
      (select count(*) from delivery where state = 'waiting') as waiting
    from (
      select t.gas_limit, max(a.max_fee_per_gas) as fee
      from chain_transaction t join attempt a on a.transaction_id = t.id
      where t.signer = any(${signers}) and t.state = 'signed' group by t.id) open`.execute(db)
  const { cost, waiting } = rows[0]!
  return { openCost: BigInt(cost), waiting }
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
