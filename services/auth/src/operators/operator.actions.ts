import { randomUUID } from 'node:crypto'
import type { FoundAccount, searchAccounts as searchEndpoint } from '@nifty/api/auth/account-search'
import type { EndpointBody, EndpointResponse } from '@nifty/api/endpoint'
import { invalidCursor, notFound } from '@nifty/service-kit/base/errors'
import type { OperatorReason } from '@nifty/service-kit/database/operator-audit'
import { type Kysely, sql, type Transaction } from 'kysely'
import { publishAccount, publishApplication } from '../accounts/account.events.ts'
import {
  findAccount,
  findAccountBlockedAt,
  findAccountByEmail,
  lockAccount,
  type Rights,
  saveRights,
  updateAccount,
} from '../accounts/account.store.ts'
import { type ExistingAccount, isExisting } from '../accounts/account.ts'
import { normalizeEmail } from '../accounts/email-address.ts'
import { answerApplication } from '../applications/application.actions.ts'
import { noApplication } from '../applications/application.ts'
import type { MailConfig } from '../config.ts'
import type { Database } from '../db.ts'
import { asFrozenBy, unfreezeAccount } from '../freezes/freeze.actions.ts'
import { notFrozenNow } from '../freezes/freeze.ts'
import { revokeLoginChallenges } from '../logins/login-challenge.store.ts'
import { removeSecondFactorOf } from '../second-factors/second-factor.actions.ts'
import { findTotp } from '../second-factors/second-factor.store.ts'
import { endSessionsOf } from '../sessions/session.store.ts'
import { findAccounts, hasAccount } from './account-search.store.ts'
import { type AccountAction, recordAccountAction } from './operator.store.ts'

const accountNotFound = () => notFound('account_not_found', 'No account has this e-mail address')
const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export type Command = OperatorReason & { email: string }

/**
 * `key` is an id, the present address, or the former one through which a frozen or closed account returns to its
 * owner.
 */
export async function describeAccount(db: Kysely<Database>, key: string) {
  const account = id.test(key)
    ? await findAccount(db, key)
    : ((await findAccountByEmail(db, key)) ?? (await findAccountBlockedAt(db, key)))
  if (!account) throw notFound('account_not_found', 'No account has this id or e-mail address')
  const { username, email, pendingEmail, admin } = account
  return {
    userId: account.id,
    username,
    email,
    pendingEmail,
    admin,
    emailConfirmed: account.emailConfirmedAt !== null,
    suspended: account.suspendedAt !== null,
    frozen: account.frozenAt !== null,
    deletionRequestedAt: account.deletionRequestedAt?.toISOString() ?? null,
    hasSecondFactor: Boolean((await findTotp(db, account.id))?.confirmedAt),
  }
}

/**
 * Allows minting and selling, grants the application that waits, and mails it, also where none waits. Every change of
 * rights ends the account's sessions.
 */
export async function grantAdmin(trx: Transaction<Database>, command: Command) {
  const before = await findAccountByEmail(trx, command.email)
  const account = await changeRights(trx, command, { action: 'grant-admin', rights: { admin: true } })
  const isAnswered = await answerApplication(trx, account, { granted: true, answer: '' })
  if (!isAnswered && !before!.admin)
    await publishApplication(trx, account, {
      applicationId: randomUUID(),
      state: 'granted',
      answer: '',
      links: [],
      message: '',
    })
  return account
}

/** Grants or declines an application that waits; the text is mailed. Throws 409 when it does not wait any more. */
export async function answerApplicationByHand(
  trx: Transaction<Database>,
  { applicationId: id, grant, answer, ...command }: Command & { applicationId: string; grant: boolean; answer: string },
) {
  const account = grant
    ? await changeRights(trx, command, { action: 'grant-admin', rights: { admin: true } })
    : await lockAndRecord(trx, command, 'decline-application')
  if (!(await answerApplication(trx, account, { id, granted: grant, answer: answer.trim() }))) throw noApplication()
  return { userId: account.id }
}

const PAGE = 50
const IDS_AT_MOST = 200

/**
 * A page of the accounts that match, newest first, as `view` shows them. Throws 400 `invalid_cursor` for an `after`
 * that is no account.
 */
export async function searchAccounts(
  db: Kysely<Database>,
  search: EndpointBody<typeof searchEndpoint>,
  view: (account: ExistingAccount) => FoundAccount,
): Promise<EndpointResponse<typeof searchEndpoint>> {
  if (search.after !== undefined && !(await hasAccount(db, search.after))) throw invalidCursor()
  const limit = search.ids ? IDS_AT_MOST : PAGE
  const found = await db.transaction().execute(async (trx) => {
    // How many accounts match decides which index is read.
    await sql`set local plan_cache_mode = force_custom_plan`.execute(trx)
    return findAccounts(trx, { ...search, limit: limit + 1 })
  })
  const accounts = found.slice(0, limit).filter(isExisting)
  return { accounts: accounts.map(view), next: found.length > limit ? accounts.at(-1)!.id : null }
}

/** What payouts and refunds need of an account. */
export const viewPayee = ({ id: userId, username, email }: ExistingAccount): FoundAccount => ({
  userId,
  username,
  email,
})

export const viewFound = (account: ExistingAccount): FoundAccount => ({
  ...viewPayee(account),
  firstName: account.firstName,
  lastName: account.lastName,
  emailConfirmed: account.emailConfirmedAt !== null,
  wallet: account.wallet,
  admin: account.admin,
  suspended: account.suspendedAt !== null,
  frozen: account.frozenAt !== null,
  deletionRequestedAt: account.deletionRequestedAt?.toISOString() ?? null,
  createdAt: account.createdAt.toISOString(),
})

export const revokeAdmin = (trx: Transaction<Database>, command: Command) =>
  changeRights(trx, command, { action: 'revoke-admin', rights: { admin: false } })

/** Refuses log-in, purchases and sales of the account. Works that are already sold are still delivered. */
export const suspendAccount = (trx: Transaction<Database>, command: Command) =>
  changeRights(trx, command, { action: 'suspend-account', rights: { suspended: true } })

export const reinstateAccount = (trx: Transaction<Database>, command: Command) =>
  changeRights(trx, command, { action: 'reinstate-account', rights: { suspended: false } })

/** For accounts whose owners do not receive our mails. */
export async function confirmEmailByHand(trx: Transaction<Database>, command: Command) {
  const { id } = await lockAndRecord(trx, command, 'confirm-email')
  await updateAccount(trx, id, { emailConfirmedAt: sql<Date>`now()` })
  return { userId: id }
}

/**
 * Ends a freeze, or undoes a requested deletion, for owners who cannot reset their password through the address that
 * the link was mailed to.
 */
export async function unfreezeByHand(trx: Transaction<Database>, { email, ...operator }: Command) {
  const found = (await findAccountBlockedAt(trx, email)) ?? (await findAccountByEmail(trx, email))
  const locked = found && (await lockAccount(trx, found.id))
  if (!locked) throw accountNotFound()
  if (!locked.frozenAt && !locked.deletionRequestedAt) throw notFrozenNow()
  await recordAccountAction(trx, { ...operator, action: 'unfreeze-account', accountId: locked.id })
  const account = locked.frozenAt ? locked : await asFrozenBy(trx, locked, email)
  await unfreezeAccount(trx, account, normalizeEmail(email) === account.emailKey ? account.email : account.frozenEmail!)
  return { userId: account.id }
}

/** For owners who have neither their app nor a recovery code. Ends the account's sessions, and mails the change. */
export async function removeSecondFactorByHand(trx: Transaction<Database>, command: Command, config: MailConfig) {
  const account = await lockAndRecord(trx, command, 'remove-second-factor')
  await removeSecondFactorOf(trx, config, account)
  await revokeLoginChallenges(trx, account.id)
  await endSessionsOf(trx, account.id)
  return { userId: account.id }
}

async function changeRights(
  trx: Transaction<Database>,
  command: Command,
  { action, rights }: { action: AccountAction; rights: Rights },
) {
  const { id } = await lockAndRecord(trx, command, action)
  const account = await saveRights(trx, id, rights)
  await endSessionsOf(trx, id)
  await publishAccount(trx, account)
  return { ...account, userId: id }
}

/** Locks the account of an address, and records the action. Throws 404 `account_not_found`. */
export async function lockAndRecord(
  trx: Transaction<Database>,
  { email, ...operator }: Command,
  action: AccountAction,
) {
  const found = await findAccountByEmail(trx, email)
  const account = found && (await lockAccount(trx, found.id))
  if (!account) throw accountNotFound()
  await recordAccountAction(trx, { ...operator, action, accountId: account.id })
  return account
}
