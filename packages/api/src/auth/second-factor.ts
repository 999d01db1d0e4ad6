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
  method: 'GET',
  path: '/api/auth/second-factor',
  access: 'account',
  response: SecondFactor,
})

/**
 * Makes the secret for an authenticator app; a later call replaces it. Log-ins need it once a code of it was confirmed.
 * 409 `second_factor_on`.
 */
export const startTotp = endpoint({
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

/** Turns the second factor on with a code of the app. 400 `wrong_code`, 409 `second_factor_on` · `no_second_factor`. */
export const confirmTotp = endpoint({
  method: 'POST',
  path: '/api/auth/second-factor/confirm',
  access: 'account',
  stepUp: 'always',
  limit: limits.login,
  body: Type.Object({ code: SecondFactorCode }),
  response: RecoveryCodes,
})

/** Makes new recovery codes; the former ones end. 409 `no_second_factor`. */
export const replaceRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/auth/second-factor/recovery-codes',
  access: 'account',
  stepUp: 'always',
  response: RecoveryCodes,
})

/** Turns the second factor off; its recovery codes end. 409 `no_second_factor`. */
export const removeSecondFactor = endpoint({
  method: 'DELETE',
  path: '/api/auth/second-factor',
  access: 'account',
  stepUp: 'always',
  response: Done,
})

/**
 * The second step of a log-in or of the lock screen, whose response named the challenge. The challenge is valid for
 * five minutes. 400 `wrong_code` · `invalid_challenge`, 429.
 */
export const loginWithSecondFactor = endpoint({
  method: 'POST',
  path: '/api/auth/login/second-factor',
  access: 'public',
  limit: limits.login,
  body: Type.Object({ challenge: Type.String({ maxLength: 200 }), code: SecondFactorCode }),
  response: SignedIn,
})
