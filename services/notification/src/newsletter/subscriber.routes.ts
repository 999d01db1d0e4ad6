import { listSubscribers, SUBSCRIBERS_PAGE } from '@nifty/api/notification/ops'
import { unsubscribeOneClick } from '@nifty/api/notification/public'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { isReachable } from '../recipients/reachable.ts'
import { signSubject, subjectOf, unsubscribeUrl } from '../unsubscribe/unsubscribe-token.ts'
import { findNewsAddresses } from './subscriber.store.ts'

/** The newsletter's addresses for operators, who send it with a tool of their own. */
export const subscriberRoutes: FastifyPluginAsync<Deps> = async (app, { db, auth, store, mailTokenKeys }) => {
  registerRoute(app, listSubscribers, async ({ body }) => {
    const found = await findNewsAddresses(db, { after: body.after ?? '', limit: SUBSCRIBERS_PAGE })
    const subscribers = []
    for (const { email, id, confirmedAt, ofAccount } of found) {
      if (ofAccount && !(await isReachable(auth, id))) continue
      const token = signSubject(subjectOf({ list: ofAccount ? 'companyNews' : 'newsletter', id }), mailTokenKeys)
      subscribers.push({
        email,
        confirmedAt: confirmedAt?.toISOString() ?? null,
        unsubscribeUrl: unsubscribeUrl(store.publicUrl, token),
        oneClickUrl: `${store.publicUrl}${unsubscribeOneClick.path}?token=${token}`,
      })
    }
    return { subscribers, next: found.length === SUBSCRIBERS_PAGE ? found.at(-1)!.email : null }
  })
}
