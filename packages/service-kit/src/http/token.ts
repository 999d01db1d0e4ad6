import type { Sessions } from './sessions.ts'

export const ISSUER = 'nifty'
export const AUDIENCE = 'nifty'
/** A bearer token is not accepted as a step-up token, nor the other way round. */
export const STEP_UP_AUDIENCE = 'nifty-step-up'
/** Maximum lifetime of a bearer token, in seconds. */
export const TOKEN_LIFE_S = 12 * 60 * 60
/** Lifetime of a step-up token, in seconds. */
export const STEP_UP_LIFE_S = 10 * 60
const LEEWAY_S = 5
/** How far a service's clock may be behind auth's: it would refuse every new token. */
const MAX_CLOCK_SKEW_S = 15 * 60

export type Claims = { aud: string; sub: string; sid: string; iat: number; exp: number }

/** Settings of fast-jwt that verify tokens of one audience. */
export const verifierOptions = (audience: string) => ({
  algorithms: ['EdDSA' as const],
  allowedIss: ISSUER,
  allowedAud: audience,
  requiredClaims: ['iss', 'aud', 'sub', 'sid', 'iat', 'exp'],
  clockTolerance: LEEWAY_S * 1000,
})

/**
 * The key of auth that a token's header names; undefined for a header that names none, demands extensions, or is of
 * another type.
 */
export const keyOfHeader = (sessions: Pick<Sessions, 'publicKey'>, { kid, crit, typ }: Record<string, unknown>) =>
  typeof kid === 'string' && typ === 'JWT' && crit === undefined ? sessions.publicKey(kid) : undefined

/** One audience, given as text: with a list of two a token would be a bearer token and a step-up. */
export function isClaims(value: unknown, expected: { audience: string; maxLifeS: number }): value is Claims {
  const { aud, sub, sid, iat, exp } = value as Record<string, unknown>
  return (
    aud === expected.audience &&
    typeof sub === 'string' &&
    typeof sid === 'string' &&
    Number.isInteger(iat) &&
    Number.isInteger(exp) &&
    (exp as number) - (iat as number) <= expected.maxLifeS &&
    (iat as number) <= Date.now() / 1000 + MAX_CLOCK_SKEW_S
  )
}
