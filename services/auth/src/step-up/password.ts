import { invalid } from '@nifty/service-kit/base/errors'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import type { ExistingAccount } from '../accounts/account.ts'
import { verifyCode } from '../logins/code.actions.ts'
import { type LoginDeps, verifyPassword } from '../logins/login.actions.ts'
import { clearFailures } from '../logins/login.store.ts'
import { hasSecondFactor } from '../second-factors/second-factor.actions.ts'
import { noSecondFactor, secondFactorRequired } from '../second-factors/second-factor.ts'
import type { AuthenticationMethod } from './step-up.ts'

type Attempt = { account: ExistingAccount; password: string; ip: string }

/** Shares the counter of failed attempts with log-in. */
async function checkPassword(deps: LoginDeps, { account, password, ip }: Attempt) {
  const attempt = await verifyPassword(deps, { account, typed: account.id, password, ip })
  if (!attempt) throw invalid('wrong_password', 'Incorrect password.')
  await inTransaction(deps.db, (trx) => clearFailures(trx, attempt))
}

/** For accounts without a second factor: there the password alone would turn that off. */
export const byPassword: AuthenticationMethod<string> = {
  isAvailable: async ({ db }, { id }) => !(await hasSecondFactor(db, id)),
  check: async (deps, { account, proof: password, ip }) => {
    if (await hasSecondFactor(deps.db, account.id)) throw secondFactorRequired()
    await checkPassword(deps, { account, password, ip })
  },
}

export const byPasswordAndCode: AuthenticationMethod<{ password: string; code: string }> = {
  isAvailable: ({ db }, { id }) => hasSecondFactor(db, id),
  check: async (deps, { account, proof: { password, code }, ip }) => {
    if (!(await hasSecondFactor(deps.db, account.id))) throw noSecondFactor()
    await checkPassword(deps, { account, password, ip })
    await verifyCode(deps, { accountId: account.id, code, ip })
  },
}
