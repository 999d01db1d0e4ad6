import { unavailable } from '@nifty/service-kit/errors'
import { currentTraceparent } from '@nifty/service-kit/traces/trace'
import type { Transaction } from 'kysely'
import { type Call, noOpCall } from '../chain/calls.ts'
import type { Fees, Signer } from '../chain/signer.ts'
import type { Database } from '../db.ts'
import { type Lane, MAX_OPEN_TRANSACTIONS } from './chain-context.ts'
import {
  type Attempt,
  addAttempt,
  addLane,
  attemptsOf,
  countOpen,
  findLane,
  lockLane,
  lockTransaction,
  type OpenTransaction,
} from './chain-transaction.store.ts'

const NO_OP_GAS = 21_000n

/** A new key begins where the chain says; afterwards only the database counts. */
export async function openLane({ db, node, signer }: Lane) {
  const known = await findLane(db, signer.address)
  if (known) return known
  await addLane(db, signer.address, await node.nonceAt('pending'))
  return (await findLane(db, signer.address))!
}

/** Nothing is signed while the lane is halted, nor more than a node keeps waiting. */
export async function isLaneFree({ db, signer }: Lane): Promise<boolean> {
  const lane = await findLane(db, signer.address)
  if (!lane || lane.haltedReason !== null) return false
  return (await countOpen(db, signer.address)) < MAX_OPEN_TRANSACTIONS
}

/** Takes the next nonce, signs and stores, all in the caller's transaction. Nothing is sent before it commits. */
export async function signNext(
  trx: Transaction<Database>,
  signer: Signer,
  wanted: { kind: 'mint' | 'delivery'; call: Call; gasLimit: bigint; fees: Fees },
): Promise<{ id: string; hash: string }> {
  const { kind, call, gasLimit, fees } = wanted
  const lane = await lockLane(trx, signer.address)
  if (!lane || lane.haltedReason !== null) throw unavailable('lane_halted', 'The signing lane is halted')

  const { raw, hash } = await signer.sign({ call, nonce: lane.nextNonce, gasLimit, ...fees })
  const { id } = await trx
    .insertInto('laneTransaction')
    .values({
      signer: signer.address,
      nonce: lane.nextNonce,
      kind,
      gasLimit: Number(gasLimit),
      callTo: call.to,
      callData: call.data,
      outcome: null,
      minedHash: null,
      minedBlock: null,
      minedBlockHash: null,
      broadcastAt: null,
      finalAt: null,
      recheckedAt: null,
      traceparent: currentTraceparent(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await addAttempt(trx, { hash, raw, transactionId: id, number: 1, kind: 'call', ...fees })
  await trx
    .updateTable('signer')
    .set({ nextNonce: lane.nextNonce + 1 })
    .where('address', '=', signer.address)
    .execute()
  return { id, hash }
}

/**
 * Another attempt at the same nonce: dearer, or a no-op that takes the nonce away from what is no longer wanted.
 * Answers false when somebody else was faster.
 */
export async function signAgain(
  { db, signer }: Lane,
  open: OpenTransaction,
  { kind, fees }: { kind: Attempt['kind']; fees: Fees },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { state, nonce, callTo, callData, gasLimit } = await lockTransaction(trx, open.id)
    const attempts = await attemptsOf(trx, [open.id])
    if (state !== 'signed' || attempts.length !== open.attempts.length) return false

    const cancels = kind === 'cancel'
    const call = cancels ? noOpCall(signer.address) : { to: callTo, data: callData }
    const limit = cancels ? NO_OP_GAS : BigInt(gasLimit)
    const { raw, hash } = await signer.sign({ call, nonce, gasLimit: limit, ...fees })
    await addAttempt(trx, { hash, raw, transactionId: open.id, number: attempts.length + 1, kind, ...fees })
    await trx
      .updateTable('laneTransaction')
      .set({ broadcastAt: null, bumpAsked: false })
      .where('id', '=', open.id)
      .execute()
    return true
  })
}
