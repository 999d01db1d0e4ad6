import { randomUUID } from 'node:crypto'
import type { SignedIn } from '@nifty/api/auth'
import { inTransaction } from '@nifty/service-kit/transaction'
import { lockAccount, updateAccount } from '../accounts/account.store.ts'
import { type LivingAccount, mayLogIn } from '../accounts/account.ts'
import type { Deps } from '../deps.ts'
import { digest } from '../secrets.ts'
import { openSession } from '../sessions/session.actions.ts'
import {
  type Attempt,
  findDevice,
  forgetFailures,
  giveBackAttempt,
  rememberDevice,
  takeAttempt,
} from './login.store.ts'
import { FAILURES_BEFORE_DELAY, networkOf } from './login.ts'

export type LoginDeps = Pick<Deps, 'db' | 'hasher' | 'keys' | 'config'>

/** `typed` stands in for an account that does not exist, so that guessing is slowed down all the same. */
export type Claim = { account: LivingAccount | undefined; typed: string; password: string; ip: string }

/**
 * Looks at a password, wherever one is asked for: log-in, lock screen and password change share one counter.
 * Takes equally long with and without an account. Returns the attempt when the password is right.
 */
export async function provePassword(
  { db, hasher, config }: LoginDeps,
  { account, typed, password, ip }: Claim,
): Promise<Attempt | undefined> {
  const subject = account?.id ?? `unknown:${digest(typed.toLowerCase())}`
  const attempt = { subject, device: await findDevice(db, account?.id ?? randomUUID(), networkOf(ip)) }
  const free = Math.ceil(FAILURES_BEFORE_DELAY * config.rateLimitFactor)
  await inTransaction(db, (trx) => takeAttempt(trx, attempt, free))

  const right = await hasher.verify(account?.passwordHash, password).catch(async (error) => {
    await giveBackAttempt(db, attempt)
    throw error
  })
  return right ? attempt : undefined
}

/** Logs in whoever knows the password; undefined for every other case, whatever it was. */
export async function logIn(deps: LoginDeps, claim: Claim): Promise<SignedIn | undefined> {
  const { db, hasher, keys, config } = deps
  const attempt = await provePassword(deps, claim)
  if (!attempt || !claim.account) return undefined
  const { id, passwordHash } = claim.account
  const renewed = hasher.isOutdated(passwordHash) ? await hasher.hash(claim.password) : undefined

  return inTransaction(db, async (trx) => {
    const account = await lockAccount(trx, id)
    if (!account || account.passwordHash !== passwordHash || !mayLogIn(account, config)) return undefined

    if (renewed) await updateAccount(trx, id, { passwordHash: renewed })
    await forgetFailures(trx, attempt)
    await rememberDevice(trx, id, networkOf(claim.ip))
    return openSession(trx, keys, { account, message: 'Logged in successfully' })
  })
}
