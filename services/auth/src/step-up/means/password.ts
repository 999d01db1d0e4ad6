import { invalid } from '@nifty/service-kit/errors'
import { inTransaction } from '@nifty/service-kit/transaction'
import { verifyPassword } from '../../logins/login.actions.ts'
import { clearFailures } from '../../logins/login.store.ts'
import type { Means } from './means.ts'

/** Shares the counter of failed attempts with log-in. */
export const passwordMeans: Means<string> = {
  isAvailable: async () => true,
  check: async (deps, { account, proof: password, ip }) => {
    const attempt = await verifyPassword(deps, { account, typed: account.id, password, ip })
    if (!attempt) throw invalid('wrong_password', 'Incorrect password.')
    await inTransaction(deps.db, (trx) => clearFailures(trx, attempt))
  },
}
