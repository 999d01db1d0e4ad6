import { conflict, notFound } from '@nifty/service-kit/base/errors'
import { type OperatorReason, recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { addSigner, lockSigner, setSignerState as setState } from '../chain-transactions/signer.store.ts'

/**
 * `active` signs, `draining` signs nothing new. A new address is stored when it becomes active. 409 for a retired
 * signer: its signed bytes may exist elsewhere, and would be valid again with its role.
 */
export async function setSignerState(
  { db, node }: ChainContext,
  { address, state, operator, reason }: { address: string; state: 'active' | 'draining' } & OperatorReason,
) {
  const pendingNonce = state === 'active' ? await node.nonceAt(address, 'pending') : undefined
  await db.transaction().execute(async (trx) => {
    if (pendingNonce !== undefined) await addSigner(trx, address, pendingNonce)
    const row = await lockSigner(trx, address)
    if (!row) throw notFound('signer_not_found', 'No such signer')
    if (row.state === 'retired') throw conflict('signer_retired', 'This signer is retired. Use a new key.')
    await setState(trx, address, state)
    await recordOperatorAction(trx, { action: `signer ${state}`, subject: address, operator, reason })
  })
}
