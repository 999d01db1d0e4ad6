import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { Done, IsoDate, Nullable } from '../shapes.ts'
import { SignedIn } from './account.ts'

/**
 * A code of the authenticator app (RFC 6238, six digits), or one of the recovery codes. Spaces and hyphens are ignored.
 */
export const SecondFactorCode = Type.String({ minLength: 1, maxLength: 64 })

/** Shown once: each replaces a code of the authenticator app, one time. */
const RecoveryCodes = Type.Object({ success: Type.Literal(true), recoveryCodes: Type.Array(Type.String()) })

export type SecondFactor = Static<typeof SecondFactor>
export const SecondFactor = Type.Object({
  /** Since when log-ins need a code; null while they need the password only. */
  onSince: Nullable(IsoDate),
  recoveryCodesLeft: Type.Integer({ minimum: 0 }),
})

export const getSecondFactor = endpoint({
  summary: 'Returns the state of the second factor',
  method: 'GET',
  path: '/api/auth/second-factor',
  access: 'account',
  response: SecondFactor,
})

export const startTotp = endpoint({
  summary: 'Makes the secret for an authenticator app; a later call replaces it',
  description: 'Log-ins need it once a code of it was confirmed. 409 `second_factor_on`.',
  method: 'POST',
  path: '/api/auth/second-factor',
  access: 'account',
  stepUp: 'always',
  response: Type.Object({
    /** Base32. */
    secret: Type.String(),
    /** `otpauth://totp/…`, for a QR code. */
    uri: Type.String(),
  }),
})

export const confirmTotp = endpoint({
  summary: 'Turns the second factor on with a code of the app',
  description: '400 `wrong_code`, 409 `second_factor_on` · `no_second_factor`.',
  method: 'POST',
  path: '/api/auth/second-factor/confirm',
  access: 'account',
  stepUp: 'always',
  limit: limits.login,
  body: Type.Object({ code: SecondFactorCode }),
  response: RecoveryCodes,
})

export const replaceRecoveryCodes = endpoint({
  summary: 'Makes new recovery codes; the former ones end',
  description: '409 `no_second_factor`.',
  method: 'POST',
  path: '/api/auth/second-factor/recovery-codes',
  access: 'account',
  stepUp: 'always',
  response: RecoveryCodes,
})

export const removeSecondFactor = endpoint({
  summary: 'Turns the second factor off; its recovery codes end',
  description: '409 `no_second_factor`.',
  method: 'DELETE',
  path: '/api/auth/second-factor',
  access: 'account',
  stepUp: 'always',
  response: Done,
})

export const loginWithSecondFactor = endpoint({
  summary: 'The second step of a log-in or of the lock screen',
  description:
    'After a response that named the challenge, which is valid for five minutes. 400 `wrong_code` · ' +
    '`invalid_challenge`, 429.',
  method: 'POST',
  path: '/api/auth/login/second-factor',
  access: 'public',
  limit: limits.login,
  body: Type.Object({ challenge: Type.String({ maxLength: 200 }), code: SecondFactorCode }),
  response: SignedIn,
})
