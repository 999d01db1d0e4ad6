import { STEP_UP_HEADER } from '@nifty/api/endpoint'
import { createVerifier } from 'fast-jwt'
import type { FastifyRequest } from 'fastify'
import { forbidden } from '../base/errors.ts'
import type { Sessions } from './sessions.ts'
import { isClaims, keyOfHeader, STEP_UP_AUDIENCE, STEP_UP_LIFE_S, verifierOptions } from './token.ts'

export const stepUpRequired = () => forbidden('step_up_required', 'Please confirm that it is you.')

/**
 * Resolves with whether a request carries a step-up token of this account and session. Such tokens are signed with
 * auth's keys; an invalid one counts as none, because the request may not need it.
 */
export function createStepUpCheck(sessions: Sessions) {
  const verify = createVerifier({
    ...verifierOptions(STEP_UP_AUDIENCE),
    key: async ({ header }: { header: Record<string, unknown> }) => {
      const key = keyOfHeader(sessions, header)
      if (!key) throw new Error('the token names no key of auth')
      return key
    },
  })

  const expected = { audience: STEP_UP_AUDIENCE, maxLifeS: STEP_UP_LIFE_S }
  return async ({ headers }: FastifyRequest, { sub, sid }: { sub: string; sid: string }): Promise<boolean> => {
    const token = headers[STEP_UP_HEADER]
    if (typeof token !== 'string') return false
    const claims: unknown = await verify(token).catch(() => undefined)
    return claims !== undefined && isClaims(claims, expected) && claims.sub === sub && claims.sid === sid
  }
}
