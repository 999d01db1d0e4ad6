import fastifyJwt from '@fastify/jwt'
import type { Access } from '@nifty/api/endpoint'
import type { FastifyRequest } from 'fastify'
import { ExpectedError, unauthenticated, unavailable } from '../base/errors.ts'
import type { App } from './app.ts'
import type { Caller, Guards } from './routes.ts'
import type { Sessions } from './sessions.ts'
import { createStepUpCheck } from './step-up.ts'
import { AUDIENCE, type Claims, isClaims, keyOfHeader, TOKEN_LIFE_S, verifierOptions } from './token.ts'

/** Writes are refused while the list of ended sessions is older: a session may have ended in the meantime. */
const MAX_SESSIONS_AGE_MS = 30_000

/** Resolves with the caller, or throws 401. */
export type Authenticate = (request: FastifyRequest) => Promise<Caller>

/** Access that an account has by a role. */
type RoleAccess = Exclude<Access, 'public' | 'optional' | 'account' | 'service' | 'operator'>

/** Throws 403 for an account that does not have the role. */
export type Roles = Partial<Record<RoleAccess, (userId: string) => Promise<void>>>

/** The guards of endpoints that a bearer token opens: `optional`, `account`, and one for each role. */
export const accountGuards = (authenticate: Authenticate, roles: Roles = {}): Guards => ({
  account: authenticate,
  optional: async (request) =>
    request.headers.authorization ? authenticate(request).catch(ignoreUnauthenticated) : undefined,
  ...Object.fromEntries(
    Object.entries(roles).map(([access, requireRole]) => [
      access,
      async (request: FastifyRequest) => {
        const caller = await authenticate(request)
        await requireRole(caller.userId)
        return caller
      },
    ]),
  ),
})

/** An invalid token counts as none; any other error, such as an unavailable database, is thrown. */
function ignoreUnauthenticated(error: unknown) {
  if (error instanceof ExpectedError && error.statusCode === 401) return undefined
  throw error
}

/** Verifies tokens with auth's keys, by their `kid`. The admin flag is never read from a token. */
export function createAuthenticate(app: App, sessions: Sessions): Authenticate {
  app.register(fastifyJwt, {
    secret: async (_request: FastifyRequest, token: unknown) => {
      const key = keyOfHeader(sessions, (token as { header: Record<string, unknown> }).header)
      if (!key) throw unauthenticated()
      return key
    },
    decode: { complete: true },
    verify: verifierOptions(AUDIENCE),
  })

  const hasSteppedUp = createStepUpCheck(sessions)

  return async (request) => {
    // Without auth's keys a valid token looks like a forged one, and a 401 would log its client out.
    if (request.headers.authorization && sessions.age() === Number.POSITIVE_INFINITY) throw sessionsUnknown()
    const claims = await readClaims(request)
    if (sessions.hasEnded(claims.sid)) throw unauthenticated()
    const writes = request.method !== 'GET' && request.method !== 'HEAD'
    if (writes && sessions.age() > MAX_SESSIONS_AGE_MS) throw sessionsUnknown()
    return { userId: claims.sub, sessionId: claims.sid, steppedUp: await hasSteppedUp(request, claims) }
  }
}

const sessionsUnknown = () => unavailable('sessions_unknown', 'Please try again in a moment.')

async function readClaims(request: FastifyRequest): Promise<Claims> {
  let claims: unknown
  try {
    claims = await request.jwtVerify()
  } catch {
    throw unauthenticated()
  }
  const payload = (claims as { payload?: unknown }).payload ?? claims
  if (!isClaims(payload, { audience: AUDIENCE, maxLifeS: TOKEN_LIFE_S })) throw unauthenticated()
  return payload
}
