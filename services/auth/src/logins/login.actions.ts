import { randomUUID } from 'node:crypto'
import type { SecondFactorRequired, SignedIn } from '@nifty/api/auth/account'
import { tooMany } from '@nifty/service-kit/base/errors'
import { randomToken, sha256 } from '@nifty/service-kit/base/secrets'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { networkOf } from '@nifty/service-kit/http/network'
import type { Transaction } from 'kysely'
import { alertOwner } from '../accounts/account.actions.ts'
import { lockAccount, updateAccount } from '../accounts/account.store.ts'
import { type ExistingAccount, mayLogIn } from '../accounts/account.ts'
import type { MailConfig } from '../config.ts'
import type { Database } from '../db.ts'
import type { Deps } from '../deps.ts'
import { accountFrozen } from '../freezes/freeze.ts'
import { consumeQuota } from '../quotas/quota.store.ts'
import { hasSecondFactor } from '../second-factors/second-factor.actions.ts'
import { openSession } from '../sessions/session.actions.ts'
import type { SessionClient } from '../sessions/session.client.ts'
import {
  type Attempt,
  clearFailures,
  countAttempt,
  findKnownOrigin,
  isNewDevice,
  type Origin,
  saveKnownOrigin,
  undoAttempt,
} from './login.store.ts'
import { passwordPace } from './login.ts'
import { insertLoginChallenge } from './login-challenge.store.ts'

export type LoginDeps = Pick<Deps, 'db' | 'hasher' | 'keys' | 'config' | 'contractWallets'>

/** `typed` identifies an account that does not exist, so that attempts on it are limited all the same. */
export type Claim = {
  account: ExistingAccount | undefined
  typed: string
  password: string
  ip: string
  device?: string
}

/** A log-in also stores what its owner's list of sessions shows. */
type LoginClaim = Claim & { client: SessionClient }

type FinishedLogIn = Pick<LoginClaim, 'ip' | 'device' | 'client'> & { account: ExistingAccount }

export const originOf = ({ ip, device }: Pick<Claim, 'ip' | 'device'>): Origin => ({ network: networkOf(ip), device })

/**
 * Verifies a password for log-in, lock screen and password change, which share one counter of failures. Takes equally
 * long with and without an account. Returns the attempt if the password is correct; throws 429 while attempts are
 * delayed.
 */
export async function verifyPassword({ db, hasher, config }: LoginDeps, claim: Claim): Promise<Attempt | undefined> {
  const { account, typed, password, ip } = claim
  const subject = account?.id ?? `unknown:${sha256(typed.toLowerCase())}`
  const attempt = { subject, originKey: await findKnownOrigin(db, account?.id ?? randomUUID(), originOf(claim)) }
  await inTransaction(db, (trx) => countAttempt(trx, attempt, passwordPace(config.limits.failuresBeforeDelay)))

  const correct = await hasher.verify(account?.passwordHash, password, ip).catch(async (error) => {
    await undoAttempt(db, attempt)
    throw error
  })
  return correct ? attempt : undefined
}

/**
 * Opens a session if the password is correct and the account may log in, or issues a challenge where the account has a
 * second factor; otherwise undefined, without the reason. Throws 403 `account_frozen` for the right password of a
 * frozen account: its owner has to recover it.
 */
export async function logIn(deps: LoginDeps, claim: LoginClaim): Promise<SignedIn | SecondFactorRequired | undefined> {
  const { db, hasher, config } = deps
  const attempt = await verifyPassword(deps, claim)
  if (!attempt || !claim.account) return undefined
  const { id, passwordHash, frozenAt, suspendedAt } = claim.account
  if (frozenAt && !suspendedAt) {
    await inTransaction(db, (trx) => clearFailures(trx, attempt))
    throw accountFrozen()
  }
  const newHash = hasher.isOutdated(passwordHash) ? await hasher.hash(claim.password, claim.ip) : undefined

  return inTransaction(db, async (trx) => {
    const account = await lockAccount(trx, id)
    if (!account || account.passwordHash !== passwordHash || !mayLogIn(account, config)) return undefined

    if (newHash) await updateAccount(trx, id, { passwordHash: newHash })
    await clearFailures(trx, attempt)
    if (await hasSecondFactor(trx, id)) return challenge(trx, id)
    return finishLogIn(deps, trx, { ...claim, account })
  })
}

/**
 * Opens the session of a log-in whose password, and code where there is a second factor, were verified. Throws 429
 * beyond the log-ins that an account has in an hour; a new password forgets them.
 */
export async function finishLogIn(
  deps: LoginDeps,
  trx: Transaction<Database>,
  { account, client, ...from }: FinishedLogIn,
): Promise<SignedIn> {
  const quota = { action: 'session', perHour: deps.config.limits.sessionsPerHour } as const
  const use = await consumeQuota(trx, account.id, quota)
  if (!use.allowed) throw tooMany(use.retryAfterS)
  const origin = originOf(from)
  if (await isNewDevice(trx, account.id, origin)) await alertOfNewDevice(trx, account, client, deps.config)
  await saveKnownOrigin(trx, account.id, origin)
  return openSession(trx, deps, { account, client, message: 'Logged in successfully' })
}

/** Mails a log-in from a new device to the owner, at most `mailsPerHour` times an hour. */
async function alertOfNewDevice(
  trx: Transaction<Database>,
  account: ExistingAccount,
  { browser, network }: SessionClient,
  { limits, mailTokenKeys }: MailConfig,
) {
  const quota = { action: 'new_device_mail', perHour: limits.mailsPerHour } as const
  if (!(await consumeQuota(trx, account.id, quota)).allowed) return
  await alertOwner(trx, account, { what: 'new_device', to: `${browser}, network ${network}` }, mailTokenKeys)
}

async function challenge(trx: Transaction<Database>, accountId: string): Promise<SecondFactorRequired> {
  const token = randomToken()
  await insertLoginChallenge(trx, { tokenHash: sha256(token), accountId })
  const message = 'Please enter a code of your second factor.'
  return { success: false, code: 'second_factor_required', message, challenge: token }
}
