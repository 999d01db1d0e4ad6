import type { SignedIn } from '@nifty/api/auth/account'
import type { PasskeyResponse } from '@nifty/api/auth/passkeys'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { lockAccount } from '../accounts/account.store.ts'
import { mayLogIn } from '../accounts/account.ts'
import { accountFrozen } from '../freezes/freeze.ts'
import { consumeChallengeOf } from '../passkeys/ceremony.ts'
import { usePasskey } from '../passkeys/passkey.actions.ts'
import { findPasskeyByCredential } from '../passkeys/passkey.store.ts'
import { invalidPasskey } from '../passkeys/passkey.ts'
import type { SessionClient } from '../sessions/session.client.ts'
import { finishLogIn, type LoginDeps } from './login.actions.ts'

type Attempt = { response: PasskeyResponse; ip: string; device?: string; client: SessionClient }

/** The account that a response claims to be of, if there is one. */
export const findClaimedAccount = async ({ db }: Pick<LoginDeps, 'db'>, { id }: PasskeyResponse) =>
  (await findPasskeyByCredential(db, id))?.accountId

/**
 * Opens a session for the signature of a passkey, which counts as password and second factor. Throws 400
 * `invalid_passkey`, also for accounts that may not log in, and 403 `account_frozen`.
 */
export async function logInByPasskey(deps: LoginDeps, { response, ...from }: Attempt): Promise<SignedIn> {
  const challenge = await consumeChallengeOf(deps, response, { purpose: 'log_in', accountId: null })
  const accountId = await findClaimedAccount(deps, response)
  return inTransaction(deps.db, async (trx) => {
    const account = accountId && (await lockAccount(trx, accountId))
    if (!account) throw invalidPasskey()
    await usePasskey(trx, deps, account, { response, challenge })
    if (account.frozenAt && !account.suspendedAt) throw accountFrozen()
    if (!mayLogIn(account, deps.config)) throw invalidPasskey()
    return finishLogIn(deps, trx, { ...from, account })
  })
}
