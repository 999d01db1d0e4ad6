import * as api from '@nifty/api/auth/public'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { describeSecurityEvent } from '@nifty/service-kit/security-events/security-event'
import { createSemaphore } from '@nifty/service-kit/semaphore'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { findAccount, findAccountByEmail } from '../accounts/account.store.ts'
import { normalizeEmail } from '../accounts/email-address.ts'
import type { Deps } from '../deps.ts'
import { clientOf } from '../sessions/session.client.ts'
import { type Claim, logIn } from './login.actions.ts'
import { deviceOf, sessionIdOf, wrongCredentials, wrongPassword } from './login.ts'

export const loginRoutes: FastifyPluginAsync<Deps> = async (app, deps) => {
  // Many log-ins at once do not take all database connections from other requests.
  const semaphore = createSemaphore({ concurrency: 6, maxWaiting: 100 })

  const admit = (request: FastifyRequest<any>, claim: () => Promise<Claim>) =>
    semaphore(async () => {
      const { account, ...rest } = await claim()
      describeSecurityEvent(request, { userId: account?.id })
      const signedIn = await logIn(deps, { account, ...rest, client: clientOf(request) })
      if (signedIn) describeSecurityEvent(request, { sessionId: sessionIdOf(signedIn.token) })
      return signedIn
    })

  registerRoute(app, api.login, async (request) => {
    const { email, password } = request.body
    const signedIn = await admit(request, async () => {
      const account = await findAccountByEmail(deps.db, email)
      return { account, typed: normalizeEmail(email), password, ip: request.ip, device: deviceOf(request.headers) }
    })
    if (!signedIn) throw wrongCredentials()
    return signedIn
  })

  registerRoute(app, api.lockscreenLogin, async (request) => {
    const { userId, password } = request.body
    const signedIn = await admit(request, async () => {
      const account = await findAccount(deps.db, userId)
      return { account, typed: userId, password, ip: request.ip, device: deviceOf(request.headers) }
    })
    if (!signedIn) throw wrongPassword()
    return signedIn
  })
}
