import type { PasskeyResponse } from '@nifty/api/auth/passkeys'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { lockOwnAccount } from '../accounts/account.actions.ts'
import { consumeChallengeOf } from '../passkeys/ceremony.ts'
import { hasPasskey, usePasskey } from '../passkeys/passkey.actions.ts'
import type { AuthenticationMethod } from './step-up.ts'

/** A passkey verifies its user, so it stands for password and code together. */
export const byPasskey: AuthenticationMethod<PasskeyResponse> = {
  isAvailable: ({ db }, { id }) => hasPasskey(db, id),
  check: async (deps, { account: { id }, proof: response }) => {
    const challenge = await consumeChallengeOf(deps, response, { purpose: 'step_up', accountId: id })
    await inTransaction(deps.db, async (trx) =>
      usePasskey(trx, deps, await lockOwnAccount(trx, id), { response, challenge }),
    )
  },
}
