import * as api from '@nifty/api/auth/public'
import { loginWithSecondFactor } from '@nifty/api/auth/second-factor'
import { sha256 } from '@nifty/service-kit/base/secrets'
import { createSemaphore } from '@nifty/service-kit/base/semaphore'
import { networkOf, siteOf } from '@nifty/service-kit/http/network'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { describeSecurityEvent } from '@nifty/service-kit/http/security-event'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { findAccount, findAccountByEmail } from '../accounts/account.store.ts'
import { normalizeEmail } from '../accounts/email-address.ts'
import type { Deps } from '../deps.ts'
import { MAX_WAITING_PER_SITE } from '../quotas/limits.ts'
import { clientOf } from '../sessions/session.client.ts'
import { completeLogIn } from './code.actions.ts'
import { type Claim, logIn } from './login.actions.ts'
import { deviceOf, invalidChallenge, sessionIdOf, wrongCredentials, wrongPassword } from './login.ts'
import { findLoginChallenge } from './login-challenge.store.ts'

export const loginRoutes: FastifyPluginAsync<Deps> = async (app, deps) => {
  // Many log-ins at once do not take all database connections from other requests.
  const semaphore = createSemaphore({ concurrency: 6, maxWaiting: 100, maxWaitingPerClient: MAX_WAITING_PER_SITE })

  const admit = (request: FastifyRequest<any>, claim: () => Promise<Claim>) =>
    semaphore(
      async () => {
        const { account, ...rest } = await claim()
        describeSecurityEvent(request, { userId: account?.id })
        const answer = await logIn(deps, { account, ...rest, client: clientOf(request) })
        if (answer?.success) describeSecurityEvent(request, { sessionId: sessionIdOf(answer.token) })
        else if (answer) describeSecurityEvent(request, { kind: answer.code })
        return answer
      },
      siteOf(networkOf(request.ip)),
    )

  registerRoute(app, api.login, async (request) => {
    const { email, password } = request.body
    const answer = await admit(request, async () => {
      const account = await findAccountByEmail(deps.db, email)
      return { account, typed: normalizeEmail(email), password, ip: request.ip, device: deviceOf(request.headers) }
    })
    if (!answer) throw wrongCredentials()
    return answer
  })

  registerRoute(app, api.lockscreenLogin, async (request) => {
    const { userId, password } = request.body
    const answer = await admit(request, async () => {
      const account = await findAccount(deps.db, userId)
      return { account, typed: userId, password, ip: request.ip, device: deviceOf(request.headers) }
    })
    if (!answer) throw wrongPassword()
    return answer
  })

  registerRoute(app, loginWithSecondFactor, async (request) => {
    const { challenge, code } = request.body
    const found = await findLoginChallenge(deps.db, sha256(challenge))
    if (!found) throw invalidChallenge()
    describeSecurityEvent(request, { userId: found.accountId })
    const origin = { ip: request.ip, device: deviceOf(request.headers), client: clientOf(request) }
    const signedIn = await completeLogIn(deps, { challenge, accountId: found.accountId, code, ...origin })
    describeSecurityEvent(request, { sessionId: sessionIdOf(signedIn.token) })
    return signedIn
  })
}
