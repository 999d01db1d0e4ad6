import type { SignedIn } from '@nifty/api/auth/account'
import { ExpectedError, unauthenticated } from '@nifty/service-kit/base/errors'
import { sha256 } from '@nifty/service-kit/base/secrets'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import type { Transaction } from 'kysely'
import { alertOwnerDaily } from '../accounts/account.actions.ts'
import { lockAccount } from '../accounts/account.store.ts'
import { type ExistingAccount, mayLogIn } from '../accounts/account.ts'
import type { Database } from '../db.ts'
import { consumeCode } from '../second-factors/second-factor.actions.ts'
import { isWrongCode, wrongCode } from '../second-factors/second-factor.ts'
import type { SessionClient } from '../sessions/session.client.ts'
import { finishLogIn, type LoginDeps, originOf } from './login.actions.ts'
import { clearFailures, countAttempt, findKnownOrigin, undoAttempt } from './login.store.ts'
import { codePace, invalidChallenge } from './login.ts'
import { findLoginChallenge, revokeLoginChallenges } from './login-challenge.store.ts'

type CodeAttempt = { accountId: string; code: string; ip: string; device?: string }

/**
 * Verifies a code of the second factor; log-in and step-up share one counter of failures. An attempt is counted as
 * failed before it is verified. `before` runs with the account locked and may refuse the attempt, `use` in the
 * transaction that uses the code up. A wrong one is mailed to the owner, once a day: it follows the right password.
 * Throws 400 `wrong_code`, 429 while attempts are delayed, and 503
 * `second_factor_unavailable`, which is no failure.
 */
async function withCode<Result>(
  { db, config }: LoginDeps,
  attempted: CodeAttempt,
  use: (trx: Transaction<Database>, account: ExistingAccount) => Promise<Result>,
  before: (trx: Transaction<Database>, account: ExistingAccount) => Promise<void> = async () => {},
): Promise<Result> {
  const { accountId, code } = attempted
  const attempt = { subject: `code:${accountId}`, originKey: await findKnownOrigin(db, accountId, originOf(attempted)) }
  await inTransaction(db, (trx) => countAttempt(trx, attempt, codePace(config.limits.failuresBeforeDelay)))
  return inTransaction(db, async (trx) => {
    const account = await lockAccount(trx, accountId)
    if (!account) throw unauthenticated()
    await before(trx, account)
    if (!(await consumeCode(trx, config, accountId, code))) throw wrongCode()
    await clearFailures(trx, attempt)
    return use(trx, account)
  }).catch(async (error) => {
    if (isWrongCode(error))
      await inTransaction(db, (trx) => alertOwnerDaily(trx, accountId, 'wrong_code', config.mailTokenKeys))
    if (!isRefusal(error)) await undoAttempt(db, attempt)
    throw error
  })
}

/** Otherwise the code was not verified: the database failed, or the stored secret cannot be read. */
const isRefusal = (error: unknown) => error instanceof ExpectedError && error.statusCode < 500

/** Verifies a code for a step-up. */
export const verifyCode = (deps: LoginDeps, attempt: CodeAttempt) => withCode(deps, attempt, async () => {})

/** Opens a session after the password was verified, with a code and the challenge of the log-in. */
export const completeLogIn = (
  deps: LoginDeps,
  { challenge, client, ...attempt }: CodeAttempt & { challenge: string; client: SessionClient },
): Promise<SignedIn> =>
  withCode(
    deps,
    attempt,
    async (trx, account) => {
      await revokeLoginChallenges(trx, account.id)
      return finishLogIn(deps, trx, { ...attempt, account, client })
    },
    async (trx, account) => {
      // The password may have changed, or another request may have used the challenge.
      if (!mayLogIn(account, deps.config) || !(await findLoginChallenge(trx, sha256(challenge))))
        throw invalidChallenge()
    },
  )
