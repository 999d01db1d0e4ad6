import { accountChanged, accountDeleted, signUpRepeated } from '@nifty/events/auth'
import { unauthenticated } from '@nifty/service-kit/errors'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import type { Transaction } from 'kysely'
import type { AccountChanges, Database } from '../db.ts'
import { moment } from '../moment.ts'
import { takeQuota } from '../quotas/quota.store.ts'
import { endSessionsOf } from '../sessions/session.store.ts'
import { buryAccount, lockAccount, saveAccount } from './account.store.ts'
import { avatarPath, type LivingAccount, tombstone } from './account.ts'

/** The caller's own account, locked; a token without one is void. */
export async function lockOwnAccount(trx: Transaction<Database>, id: string): Promise<LivingAccount> {
  const account = await lockAccount(trx, id)
  if (!account) throw unauthenticated()
  return account
}

/** Tells the neighbours what an account is now, whole. */
export async function announceAccount(trx: Transaction<Database>, account: LivingAccount) {
  const { id, username, firstName, lastName, email, avatar, description, admin, notifications, version } = account
  const [wallet, walletProven, suspended] = [account.wallet, account.walletProven, account.suspendedAt !== null]
  const names = { username, firstName, lastName, email, avatar: avatarPath(avatar), description }
  const rights = { admin, suspended, wallet, walletProven }
  await publishEvent(trx, accountChanged, { userId: id, version, ...names, ...rights, notifications, at: moment() })
}

/** Writes what neighbours keep copies of, and tells them. */
export async function changeAccount(trx: Transaction<Database>, id: string, changes: AccountChanges) {
  const account = await saveAccount(trx, id, changes)
  await announceAccount(trx, account)
  return account
}

/** Somebody used this account's address elsewhere: its owner hears of it, now and then. */
export async function tellOwner(trx: Transaction<Database>, accountId: string, mailsPerHour: number) {
  const owner = await lockAccount(trx, accountId)
  if (!owner) return
  const { taken } = await takeQuota(trx, owner.id, { action: 'sign_up_mail', perHour: mailsPerHour })
  if (!taken) return
  const { id, email, firstName } = owner
  await publishEvent(trx, signUpRepeated, { userId: id, email, firstName, at: moment() })
}

/** Erases a person at once. Open orders run on with the snapshots that payments and minting keep. */
export async function deleteAccount(trx: Transaction<Database>, id: string): Promise<{ avatar: string | null }> {
  const { username, email, firstName, avatar } = await lockOwnAccount(trx, id)
  await endSessionsOf(trx, id)
  await buryAccount(trx, id, tombstone)
  await publishEvent(trx, accountDeleted, { userId: id, username, email, firstName, at: moment() })
  return { avatar }
}
