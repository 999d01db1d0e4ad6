import { randomUUID } from 'node:crypto'
import { unauthenticated } from '@nifty/service-kit/base/errors'
import { type Keys, randomToken, sha256 } from '@nifty/service-kit/base/secrets'
import { sql, type Transaction } from 'kysely'
import type { Config } from '../config.ts'
import type { AccountChanges, Database } from '../db.ts'
import { revokeConfirmations } from '../mail-tokens/confirmation.store.ts'
import { findFirstFreezeAddress, findFreezeAddresses, insertFreezeLink } from '../mail-tokens/freeze-link.store.ts'
import { revokeResets } from '../mail-tokens/reset.store.ts'
import {
  openBidsOf,
  openClaimsOf,
  openGiftsOf,
  openLinesOf,
  removeGiftsOf,
  worksInCustodyOf,
} from '../obligations/obligation.store.ts'
import {
  bidLeads,
  deletionWaits,
  giftOnItsWay,
  giftWaits,
  moneyOwed,
  worksInCustody,
} from '../obligations/obligation.ts'
import { consumeQuota } from '../quotas/quota.store.ts'
import { endSessionsOf } from '../sessions/session.store.ts'
import {
  type Notice,
  publishAccount,
  publishAccountDeleted,
  publishDeletionRequested,
  publishSecurityNotice,
  publishSignUpRepeated,
} from './account.events.ts'
import { eraseAccount, findWithdrawer, lockAccount, saveAccount } from './account.store.ts'
import { type ExistingAccount, isBlocked, noOwner, tombstone } from './account.ts'
import { normalizeEmail } from './email-address.ts'

/** Locks the caller's own account. Throws 401 when it was deleted, suspended, frozen or closed meanwhile. */
export async function lockOwnAccount(trx: Transaction<Database>, id: string): Promise<ExistingAccount> {
  const account = await lockAccount(trx, id)
  if (!account || isBlocked(account)) throw unauthenticated()
  return account
}

/** Changes fields that other services keep copies of, and publishes the account. */
export async function changeAccount(trx: Transaction<Database>, id: string, changes: AccountChanges) {
  const account = await saveAccount(trx, id, changes)
  await publishAccount(trx, account)
  return account
}

/**
 * Mails a change to the address that the account had before it, with a link that freezes the account. `account` is the
 * state before the change; `keys` encrypt the token of the link for notification.
 */
export async function alertOwner(trx: Transaction<Database>, account: ExistingAccount, notice: Notice, keys: Keys) {
  const token = randomToken()
  const { id: accountId, email, emailConfirmedAt } = account
  await insertFreezeLink(trx, { tokenHash: sha256(token), accountId, email, emailConfirmed: emailConfirmedAt !== null })
  await publishSecurityNotice(trx, account, notice, { token, keys })
}

/** As `alertOwner`, once a day for each of these notices. */
export async function alertOwnerDaily(
  trx: Transaction<Database>,
  accountId: string,
  what: 'data_exported' | 'wrong_code',
  keys: Keys,
) {
  const account = await lockOwnAccount(trx, accountId)
  const { allowed } = await consumeQuota(trx, accountId, { action: `${what}_mail`, perDay: 1 })
  if (allowed) await alertOwner(trx, account, { what }, keys)
}

/**
 * Notifies the owner that the address of the account was entered elsewhere, at most `mailsPerHour` times an hour. The
 * caller holds the account's row lock. Beyond the limit, and without an owner, the same statements and event follow,
 * and no mail.
 */
export async function notifyOwner(
  trx: Transaction<Database>,
  owner: ExistingAccount | undefined,
  mailsPerHour: number,
) {
  const quota = { action: 'sign_up_mail', perHour: mailsPerHour } as const
  const { allowed } = await consumeQuota(trx, (owner ?? noOwner()).id, quota)
  await publishSignUpRepeated(trx, owner && allowed ? owner : noOwner())
}

type DeletionConfig = Pick<Config, 'mailTokenKeys' | 'withdrawalWaitHours'>
/** Files to remove after the transaction. */
type Pictures = { avatar: string | null; cover: string | null }
/** `erasedFrom`: when the last link ends that undoes the deletion; null where the account is erased. */
type Deletion = Pictures & { erasedFrom: Date | null }

/**
 * Erases personal data at once, or blocks the account until no mailed link can freeze it any more: such a link undoes
 * the deletion. Throws 409 while a sale of the account is under way, while a bid that is its own or for its work leads
 * an auction, while a gift waits for its recipient or is on its way to the account, or while the store keeps works for
 * it that are not given up or withdrawals wait; the mail about the deletion has a code with which an operator hands
 * given up works back. An order whose event has not arrived here yet continues with the snapshots of payments and
 * minting; one into custody is cancelled there.
 */
export async function deleteAccount(
  trx: Transaction<Database>,
  id: string,
  { giveUpWorks, config }: { giveUpWorks: boolean; config: DeletionConfig },
): Promise<Deletion> {
  const account = await lockOwnAccount(trx, id)
  const lines = await openLinesOf(trx, id)
  const works = await worksInCustodyOf(trx, id)
  const addresses = await findFreezeAddresses(trx, id)
  if (lines.length > 0 || works.length > 0) {
    const waiting = await findWithdrawer(trx, id, config.withdrawalWaitHours)
    const ends = [...addresses.map(({ until }) => until), waiting?.waitsUntil].filter((end) => end instanceof Date)
    if (ends.length > 0) throw deletionWaits(new Date(Math.max(...ends.map(Number))))
  }
  if (lines.length > 0) throw moneyOwed(lines)
  const bids = await openBidsOf(trx, id)
  if (bids.length > 0) throw bidLeads(bids)
  const gifts = await openGiftsOf(trx, id)
  if (gifts.length > 0) throw giftWaits(gifts)
  const claims = await openClaimsOf(trx, id)
  if (claims.length > 0) throw giftOnItsWay(claims)
  if (works.length > 0 && !giveUpWorks) throw worksInCustody(works)
  await endSessionsOf(trx, id)
  if (addresses.length > 0) return requestDeletion(trx, account, { addresses, keys: config.mailTokenKeys })
  return { ...(await erase(trx, account, config.mailTokenKeys)), erasedFrom: null }
}

/**
 * Erases an account whose deletion was requested. Undefined when it was undone, while an operator suspends the account,
 * or a sale or a gift to it is under way after all.
 */
export async function completeDeletion(
  trx: Transaction<Database>,
  id: string,
  mailTokenKeys: Keys,
): Promise<Pictures | undefined> {
  const account = await lockAccount(trx, id)
  const isDue =
    account?.deletionRequestedAt && !account.suspendedAt && (await findFreezeAddresses(trx, id)).length === 0
  if (!isDue || (await openLinesOf(trx, id)).length > 0 || (await openClaimsOf(trx, id)).length > 0) return undefined
  const former = await findFirstFreezeAddress(trx, id)
  return erase(trx, { ...account, email: former ?? account.email }, mailTokenKeys)
}

/** The mail about the deletion, with the code that hands works back, goes to the address of `account`. */
async function erase(trx: Transaction<Database>, account: ExistingAccount, mailTokenKeys: Keys): Promise<Pictures> {
  const { id, avatar, cover } = account
  const works = await worksInCustodyOf(trx, id)
  await eraseAccount(trx, id, tombstone)
  await removeGiftsOf(trx, id)
  const handBack = works.length > 0 ? { code: randomUUID(), keys: mailTokenKeys } : undefined
  await publishAccountDeleted(trx, account, handBack)
  return { avatar, cover }
}

/** Mails the request to the account's address and to every address that can still freeze it, with such a link. */
async function requestDeletion(
  trx: Transaction<Database>,
  account: ExistingAccount,
  { addresses, keys }: { addresses: Awaited<ReturnType<typeof findFreezeAddresses>>; keys: Keys },
): Promise<Deletion> {
  const { id: accountId, emailKey } = account
  await revokeConfirmations(trx, accountId, 'sign_up')
  await revokeConfirmations(trx, accountId, 'new_address')
  await revokeResets(trx, accountId)
  for (const { email, emailConfirmed, since } of addresses) {
    const token = randomToken()
    await insertFreezeLink(trx, { tokenHash: sha256(token), accountId, email, emailConfirmed, createdAt: since })
    await publishDeletionRequested(trx, { ...account, email }, { token, keys })
  }
  if (!addresses.some(({ email }) => normalizeEmail(email) === emailKey)) await publishDeletionRequested(trx, account)
  await changeAccount(trx, accountId, { deletionRequestedAt: sql<Date>`now()`, pendingEmail: null })
  const ends = (await findFreezeAddresses(trx, accountId)).map(({ until }) => Number(until))
  return { avatar: null, cover: null, erasedFrom: new Date(Math.max(...ends)) }
}
