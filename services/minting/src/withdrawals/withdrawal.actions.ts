import { randomUUID } from 'node:crypto'
import type { Withdrawer } from '@nifty/api/auth/internal'
import { checkedAddress } from '@nifty/contracts/address'
import { withdrawalRequested } from '@nifty/events/minting'
import type { orderLineContested } from '@nifty/events/payments'
import { conflict } from '@nifty/service-kit/base/errors'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import { sql, type Transaction } from 'kysely'
import type { Static } from 'typebox'
import { lockAccountShared } from '../accounts/account.store.ts'
import type { Database } from '../db.ts'
import { findCustodyHold, findOpenDelivery } from '../deliveries/delivery.store.ts'
import { isContested, saveContestedLine } from '../tokens/contested-line.store.ts'
import { lockToken } from '../tokens/token.store.ts'
import { addWithdrawal, findWithdrawal, isListed } from './withdrawal.store.ts'
import { assertHoldOver, assertMayWithdraw, assertNoWait, suspended } from './withdrawal.ts'

/**
 * Throws 403 `suspended` when the copy of the account is suspended, frozen or deleted since auth was asked. Locks the
 * copy: a change that is consumed later finds the withdrawal and stops it. Call it before the token is locked.
 */
export async function assertNotSuspended(trx: Transaction<Database>, userId: string) {
  if ((await lockAccountShared(trx, userId))?.suspended) throw suspended()
}

export type WithdrawalRules = {
  /** Lower case. */
  forbiddenRecipients: string[]
  /** From the capture of a purchase into custody. */
  custodyHoldHours: number
}

/** The waiting time after this account bought the token into custody; undefined when none runs. */
export const findRunningHold = async (
  trx: Transaction<Database>,
  { token, userId: buyerId }: { token: string; userId: string },
  { custodyHoldHours: holdHours }: Pick<WithdrawalRules, 'custodyHoldHours'>,
) => (holdHours > 0 ? findCustodyHold(trx, { token, buyerId, holdHours }) : undefined)

/** Queues a withdrawal. Idempotent: while one is open, it is returned. Locks the token. */
export async function requestWithdrawal(
  trx: Transaction<Database>,
  { token, userId, withdrawer }: { token: string; userId: string; withdrawer: Withdrawer },
  rules: WithdrawalRules,
) {
  const held = (await lockToken(trx, token))!
  const linked = withdrawer.wallet?.toLowerCase() ?? null
  const wallet = linked && !rules.forbiddenRecipients.includes(linked) ? linked : null
  const open = await findOpenDelivery(trx, token)
  if (open?.kind === 'withdrawal' && open.buyerId === userId) return (await findWithdrawal(trx, open.lineId))!
  const contested = await isContested(trx, { token, userId })
  assertMayWithdraw(held, { userId, listed: await isListed(trx, token), contested, wallet })
  assertNoWait(withdrawer)
  assertHoldOver(await findRunningHold(trx, { token, userId }, rules), rules.custodyHoldHours)
  if (open) throw conflict('being_delivered', 'This NFT is being delivered to its buyer')

  const lineId = randomUUID()
  await addWithdrawal(trx, { lineId, token, userId, wallet: wallet! })
  const at = new Date().toISOString()
  await publishEvent(trx, withdrawalRequested, {
    withdrawalId: lineId,
    userId,
    token,
    wallet: checkedAddress(wallet!)!,
    at,
  })
  return (await findWithdrawal(trx, lineId))!
}

/**
 * Stops what an account requested, as far as that is possible: the nonce of a signed withdrawal is cancelled while no
 * block has it. For accounts that are suspended, or frozen by their owner.
 */
export async function stopWithdrawals(trx: Transaction<Database>, userId: string, { token }: { token?: string } = {}) {
  const requested = () => {
    const ofUser = trx.updateTable('delivery').where('kind', '=', 'withdrawal').where('buyerId', '=', userId)
    return token === undefined ? ofUser : ofUser.where('token', '=', token)
  }
  await requested().where('state', '=', 'waiting').set({ state: 'stopped' }).execute()
  // Afterwards: one that was signed before the first statement had its lock is signed by now.
  await requested().where('state', '=', 'signed').set({ deliverBy: sql<Date>`now()` }).execute()
}

/**
 * The bank contests the payment of a line: its buyer withdraws the token no more, and a withdrawal under way is stopped
 * as far as that is possible. Locks the token.
 */
export async function contestToken(trx: Transaction<Database>, line: Static<typeof orderLineContested.data>) {
  await lockToken(trx, line.token)
  if (await saveContestedLine(trx, line, 'contested')) await stopWithdrawals(trx, line.buyerId, { token: line.token })
}
