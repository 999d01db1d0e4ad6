import { loginWithPasskey, startPasskeyLogin } from '@nifty/api/auth/passkeys'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { describeSecurityEvent } from '@nifty/service-kit/http/security-event'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { startLogin } from '../passkeys/passkey.actions.ts'
import { clientOf } from '../sessions/session.client.ts'
import { deviceOf, sessionIdOf } from './login.ts'
import { findClaimedAccount, logInByPasskey } from './passkey-login.actions.ts'

export const passkeyLoginRoutes: FastifyPluginAsync<Deps> = async (app, deps) => {
  registerRoute(app, startPasskeyLogin, () => startLogin(deps))

  registerRoute(app, loginWithPasskey, async (request) => {
    const { response } = request.body
    const userId = await findClaimedAccount(deps, response)
    if (userId) describeSecurityEvent(request, { userId })
    const origin = { ip: request.ip, device: deviceOf(request.headers), client: clientOf(request) }
    const signedIn = await logInByPasskey(deps, { response, ...origin })
    describeSecurityEvent(request, { sessionId: sessionIdOf(signedIn.token) })
    return signedIn
  })
}
