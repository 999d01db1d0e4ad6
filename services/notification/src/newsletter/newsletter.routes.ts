import { parseEmail } from '@nifty/api/email-address'
import * as api from '@nifty/api/notification/public'
import { invalid } from '@nifty/service-kit/base/errors'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { confirm, subscribe, wantNews } from './newsletter.actions.ts'

export const newsletterRoutes: FastifyPluginAsync<Deps> = async (app, { db, auth, store, mailTokenKeys }) => {
  registerRoute(app, api.subscribeToNewsletter, async ({ body }) => {
    const email = parseEmail((body as Record<string, unknown>).email)
    if (email === null) {
      const msg = 'Please enter a valid email'
      throw invalid('invalid_email', msg, { errors: [{ msg, path: 'email' }] })
    }
    await inTransaction(db, (trx) => subscribe(trx, { email, store, mailTokenKeys }))
    return { success: true as const, message: 'Thank you for subscribing!' }
  })

  registerRoute(app, api.confirmSubscription, async ({ body }) => {
    await wantNews({ db, auth }, body.token)
    await inTransaction(db, (trx) => confirm(trx, body.token))
    return { success: true as const, message: 'Your subscription is confirmed.' }
  })
}
