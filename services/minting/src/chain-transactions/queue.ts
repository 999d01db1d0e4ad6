import { type Call, noOpCall } from '@nifty/contracts/calls'
import { unavailable } from '@nifty/service-kit/base/errors'
import { currentTraceparent } from '@nifty/service-kit/base/trace'
import { sql, type Transaction } from 'kysely'
import type { Fees, Signer } from '../chain/signer.ts'
import type { Database } from '../db.ts'
import type { ChainContext } from './chain-context.ts'
import {
  type Attempt,
  addAttempt,
  attemptsOf,
  type ChainTransaction,
  lockTransaction,
  type OpenTransaction,
} from './chain-transaction.store.ts'
import type { UsableSigner } from './choose-signer.ts'
import { lockSigner, takeNonce } from './signer.store.ts'
import { maySign } from './signer.ts'

const NO_OP_GAS = 21_000n

/** Name of the worker to which a signed transaction is reported. */
export const SIGNED_WORK = 'chain transactions'

/**
 * Takes the next nonce, signs and stores, all in the caller's transaction; locks the signer's row. The tracker, to
 * which it is reported, broadcasts the bytes after the commit.
 */
export async function signNext(
  trx: Transaction<Database>,
  { signer, roleBlock }: UsableSigner,
  { kind, call, gasLimit, fees }: { kind: ChainTransaction['kind']; call: Call; gasLimit: bigint; fees: Fees },
): Promise<{ id: string; hash: string }> {
  const row = await lockSigner(trx, signer.address)
  if (!row || !maySign(row)) throw unavailable('signer_halted', 'The signer is halted')

  const { raw, hash } = await signer.sign({ call, nonce: row.nextNonce, gasLimit, ...fees })
  const { id } = await trx
    .insertInto('chainTransaction')
    .values({
      signer: signer.address,
      nonce: row.nextNonce,
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
      auditedAt: null,
      traceparent: currentTraceparent(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await addAttempt(trx, { hash, raw, transactionId: id, number: 1, kind: 'call', ...fees })
  await takeNonce(trx, row, roleBlock)
  await sql`select pg_notify('work', ${`${SIGNED_WORK}:${id}`})`.execute(trx)
  return { id, hash }
}

/**
 * Signs a replacement on the same nonce: the same call at a higher fee, or a no-op that cancels it. Returns false when
 * the transaction is mined or another replica has replaced it already.
 */
export async function signReplacement(
  { db }: Pick<ChainContext, 'db'>,
  open: OpenTransaction,
  { signer, kind, fees }: { signer: Signer; kind: Attempt['kind']; fees: Fees },
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
      .updateTable('chainTransaction')
      .set({ broadcastAt: null, bumpRequested: false })
      .where('id', '=', open.id)
      .execute()
    return true
  })
}
