import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import type { Member, TestAuth } from './auth.ts'

/** The code that an authenticator app shows now. */
export const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate()

/** Sets up an app for a member. Its next code is accepted at any time. */
export async function givenSecondFactor(auth: TestAuth, { id, token, stepUp }: Member) {
  const { body: started } = await auth.call('POST', '/api/auth/second-factor', { token, stepUp })
  const body = { code: codeOf(started.secret) }
  const { body: on } = await auth.call('POST', '/api/auth/second-factor/confirm', { body, token, stepUp })
  if (!on.success) throw new Error(JSON.stringify(on))
  await letStepsPass(auth, id)
  return { secret: started.secret as string, recoveryCodes: on.recoveryCodes as string[] }
}

/** As if the newest accepted code were of a long time ago. */
export const letStepsPass = ({ db }: TestAuth, accountId: string) =>
  sql`update totp set last_step = 0 where account_id = ${accountId}`.execute(db)
