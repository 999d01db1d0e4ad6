import * as api from '@nifty/api/auth/public'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { createSemaphore } from '@nifty/service-kit/semaphore'
import type { FastifyPluginAsync } from 'fastify'
import { findAccount, findAccountByEmail } from '../accounts/account.store.ts'
import { normalizeEmail } from '../accounts/email-address.ts'
import type { Deps } from '../deps.ts'
import { logIn } from './login.actions.ts'
import { wrongCredentials, wrongPassword } from './login.ts'

export const loginRoutes: FastifyPluginAsync<Deps> = async (app, deps) => {
  // Many log-ins at once do not take all database connections from other requests.
  const semaphore = createSemaphore({ concurrency: 6, maxWaiting: 100 })

  registerRoute(app, api.login, async ({ body: { email, password }, ip }) => {
    const signedIn = await semaphore(async () => {
      const account = await findAccountByEmail(deps.db, email)
      return logIn(deps, { account, typed: normalizeEmail(email), password, ip })
    })
    if (!signedIn) throw wrongCredentials()
    return signedIn
  })

  registerRoute(app, api.lockscreenLogin, async ({ body: { userId, password }, ip }) => {
    const account = await findAccount(deps.db, userId)
    const signedIn = await logIn(deps, { account, typed: userId, password, ip })
    if (!signedIn) throw wrongPassword()
    return signedIn
  })
}
