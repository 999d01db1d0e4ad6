import { randomUUID } from 'node:crypto'
import type { Withdrawer } from '@nifty/api/auth/internal'
import { conflict } from '@nifty/service-kit/errors'
import type { Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { findOpenDelivery } from '../deliveries/delivery.store.ts'
import { lockToken } from '../tokens/token.store.ts'
import { addWithdrawal, findWithdrawal, isListed } from './withdrawal.store.ts'
import { assertMayWithdraw, assertNoWait } from './withdrawal.ts'

/** Queues a withdrawal. Idempotent: while one is open, it is returned. Locks the token. */
export async function requestWithdrawal(
  trx: Transaction<Database>,
  { token, userId, withdrawer }: { token: string; userId: string; withdrawer: Withdrawer },
  forbiddenRecipients: string[],
) {
  const held = (await lockToken(trx, token))!
  const linked = withdrawer.wallet?.toLowerCase() ?? null
  const wallet = linked && !forbiddenRecipients.includes(linked) ? linked : null
  const open = await findOpenDelivery(trx, token)
  if (open?.kind === 'withdrawal' && open.buyerId === userId) return (await findWithdrawal(trx, open.lineId))!
  assertMayWithdraw(held, { userId, listed: await isListed(trx, token), wallet })
  assertNoWait(withdrawer)
  if (open) throw conflict('being_delivered', 'This NFT is being delivered to its buyer')

  const lineId = randomUUID()
  await addWithdrawal(trx, { lineId, token, userId, wallet: wallet! })
  return (await findWithdrawal(trx, lineId))!
}
