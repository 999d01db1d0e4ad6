import { randomUUID } from 'node:crypto'
import type { Withdrawer } from '@nifty/api/auth/internal'
import { checkedAddress } from '@nifty/contracts/address'
import { tokenContested, withdrawalRequested } from '@nifty/events/minting'
import type { orderLineContested } from '@nifty/events/payments'
import { conflict } from '@nifty/service-kit/base/errors'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import { sql, type Transaction } from 'kysely'
import type { Static } from 'typebox'
import { lockAccountShared } from '../accounts/account.store.ts'
import type { Database } from '../db.ts'
import { findCustodyHold, findOpenDelivery } from '../deliveries/delivery.store.ts'
import { findMintOf } from '../mints/mint.store.ts'
import { isContested, saveContestedLine } from '../tokens/contested-line.store.ts'
import { giftWaits, isGiftOpen } from '../tokens/open-gift.store.ts'
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

/** The waiting time after the token was bought into custody; undefined when none runs. */
export const findRunningHold = async (
  trx: Transaction<Database>,
  token: string,
  { custodyHoldHours: holdHours }: Pick<WithdrawalRules, 'custodyHoldHours'>,
) => (holdHours > 0 ? findCustodyHold(trx, { token, holdHours }) : undefined)

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
  assertHoldOver(await findRunningHold(trx, token, rules), rules.custodyHoldHours)
  if (await isGiftOpen(trx, { token, userId })) throw giftWaits()
  if (open) throw conflict('being_delivered', 'This NFT is being delivered to its buyer')

  const lineId = randomUUID()
  await addWithdrawal(trx, { lineId, token, userId, wallet: wallet! })
  const at = new Date().toISOString()
  const mint = await findMintOf(trx, token)
  await publishEvent(trx, withdrawalRequested, {
    withdrawalId: lineId,
    userId,
    token,
    name: mint?.name,
    wallet: checkedAddress(wallet!)!,
    at,
  })
  return (await findWithdrawal(trx, lineId))!
}

/**
 * Stops withdrawals, and gifts that were claimed, as far as that is possible: the nonce of a signed one is cancelled
 * while no block has it. Of an account that is suspended, or frozen by its owner, or of a token; `claims`: claimed
 * gifts alone, of an account that is deleted.
 */
export async function stopWithdrawalsAndClaims(
  trx: Transaction<Database>,
  {
    userId,
    token,
    only,
  }: { userId: string; token?: undefined; only?: 'claims' } | { userId?: undefined; token: string; only?: undefined },
) {
  const requested = () => {
    const ofAny = trx.updateTable('delivery').where('kind', 'in', only === 'claims' ? ['gift'] : ['gift', 'withdrawal'])
    if (userId === undefined) return ofAny.where('token', '=', token)
    return ofAny.where((eb) => eb.or([eb('buyerId', '=', userId), eb('fromId', '=', userId)]))
  }
  await requested().where('state', '=', 'waiting').set({ state: 'stopped' }).execute()
  // Afterwards: one that was signed before the first statement had its lock is signed by now.
  await requested().where('state', '=', 'signed').set({ deliverBy: sql<Date>`now()` }).execute()
}

/**
 * The bank contests the payment of a line: its buyer, or the recipient of a gift, can no more withdraw the token or
 * give it away, what is under way is stopped as far as that is possible, and catalog is told. Locks the token.
 */
export async function contestToken(trx: Transaction<Database>, line: Static<typeof orderLineContested.data>) {
  const { token } = line
  const { ownerId } = (await lockToken(trx, token)) ?? {}
  if (!(await saveContestedLine(trx, line, 'contested')) || !ownerId) return
  if (!(await isContested(trx, { token, userId: ownerId }))) return
  await stopWithdrawalsAndClaims(trx, { token })
  await publishEvent(trx, tokenContested, { token, ownerId, at: line.at })
}
