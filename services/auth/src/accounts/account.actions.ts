import { randomUUID } from 'node:crypto'
import { unauthenticated } from '@nifty/service-kit/base/errors'
import { randomToken, sha256 } from '@nifty/service-kit/base/secrets'
import type { Transaction } from 'kysely'
import type { AccountChanges, Database } from '../db.ts'
import { insertFreezeLink } from '../mail-tokens/freeze-link.store.ts'
import { openLinesOf, worksInCustodyOf } from '../obligations/obligation.store.ts'
import { moneyOwed, worksInCustody } from '../obligations/obligation.ts'
import { consumeQuota } from '../quotas/quota.store.ts'
import { endSessionsOf } from '../sessions/session.store.ts'
import {
  type Notice,
  publishAccount,
  publishAccountDeleted,
  publishSecurityNotice,
  publishSignUpRepeated,
} from './account.events.ts'
import { eraseAccount, lockAccount, saveAccount } from './account.store.ts'
import { type ExistingAccount, noOwner, tombstone } from './account.ts'

/** Locks the caller's own account. Throws 401 when it was deleted meanwhile. */
export async function lockOwnAccount(trx: Transaction<Database>, id: string): Promise<ExistingAccount> {
  const account = await lockAccount(trx, id)
  if (!account) throw unauthenticated()
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
 * state before the change; `key` encrypts the token of the link for notification.
 */
export async function alertOwner(trx: Transaction<Database>, account: ExistingAccount, notice: Notice, key: string) {
  const token = randomToken()
  const { id: accountId, email, emailConfirmedAt } = account
  await insertFreezeLink(trx, { tokenHash: sha256(token), accountId, email, emailConfirmed: emailConfirmedAt !== null })
  await publishSecurityNotice(trx, account, notice, { token, key })
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

/**
 * Erases personal data at once. Throws 409 while a sale of the account is under way, or while the store keeps works for
 * it that are not given up; the mail about the deletion has a code with which an operator hands them back. An order
 * whose event has not arrived here yet continues with the snapshots of payments and minting; one into custody is
 * cancelled there.
 */
export async function deleteAccount(
  trx: Transaction<Database>,
  id: string,
  { giveUpWorks, mailTokenKey }: { giveUpWorks: boolean; mailTokenKey: string },
): Promise<{ avatar: string | null; cover: string | null }> {
  const account = await lockOwnAccount(trx, id)
  const lines = await openLinesOf(trx, id)
  if (lines.length > 0) throw moneyOwed(lines)
  const works = await worksInCustodyOf(trx, id)
  if (works.length > 0 && !giveUpWorks) throw worksInCustody(works)
  await endSessionsOf(trx, id)
  await eraseAccount(trx, id, tombstone)
  const handBack = works.length > 0 ? { code: randomUUID(), key: mailTokenKey } : undefined
  await publishAccountDeleted(trx, account, handBack)
  return { avatar: account.avatar, cover: account.cover }
}
