import { missingObject } from '../api/api-error.ts'
import { changing, reading } from '../api/endpoint.ts'
import { page, paging } from '../api/list.ts'
import { choice, list, text } from '../api/parameter.ts'
import { createSession, expireSession } from './session.actions.ts'
import { checkVersion, type SessionRequest, sessionRequest } from './session.request.ts'
import { describe } from './session.ts'

const sessions = '/v1/checkout/sessions'
const expandOnly = { expand: list(text()) }

/** Checkout sessions. `payUrl` is the public address below which the pay pages lie. */
export const sessionEndpoints = (payUrl: () => string) => [
  changing(sessions, {
    shape: sessionRequest,
    plan: (input, { now, version }) => {
      checkVersion(input, version)
      return describe(input as SessionRequest, { now, payUrl: payUrl() })
    },
    act: createSession,
  }),

  changing(`${sessions}/:id/expire`, {
    shape: expandOnly,
    plan: () => ({}),
    act: (draft, _, { id }) => expireSession(draft, draft.need('checkout.session', id!, 'session')),
  }),

  reading(`${sessions}/:id`, expandOnly, (books, _, { id }) => {
    const session = books.find('checkout.session', id!)
    if (!session) throw missingObject('checkout.session', id!, 'session')
    return session
  }),

  reading(
    sessions,
    { ...paging, payment_intent: text(), status: choice('open', 'complete', 'expired') },
    (books, { payment_intent, status, ...rest }) => {
      const found = books
        .list('checkout.session')
        .filter((session) => !payment_intent || session.payment_intent === payment_intent)
        .filter((session) => !status || session.status === status)
      return page(found, rest, sessions)
    },
  ),
]
