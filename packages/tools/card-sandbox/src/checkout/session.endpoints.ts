import { readEndpoint, writeEndpoint } from '../api/endpoint.ts'
import { page, paging } from '../api/list.ts'
import { choice, list, text } from '../api/parameter.ts'
import { missingObject } from '../errors/api-error.ts'
import { createSession, expireSession } from './session.actions.ts'
import { checkVersion, type SessionRequest, sessionRequest } from './session.request.ts'
import { buildSession } from './session.ts'

const sessions = '/v1/checkout/sessions'
const expandOnly = { expand: list(text()) }

/** Checkout sessions. `payUrl`: the public base address of the pay pages. */
export const sessionEndpoints = (payUrl: () => string) => [
  writeEndpoint(sessions, {
    shape: sessionRequest,
    check: (input, { now, version }) => {
      checkVersion(input, version)
      return buildSession(input as SessionRequest, { now, payUrl: payUrl() })
    },
    execute: createSession,
  }),

  writeEndpoint(`${sessions}/:id/expire`, {
    shape: expandOnly,
    check: () => ({}),
    execute: (tx, _, { id }) => expireSession(tx, tx.get('checkout.session', id!, 'session')),
  }),

  readEndpoint(`${sessions}/:id`, expandOnly, (store, _, { id }) => {
    const session = store.find('checkout.session', id!)
    if (!session) throw missingObject('checkout.session', id!, 'session')
    return session
  }),

  readEndpoint(
    sessions,
    { ...paging, payment_intent: text(), status: choice('open', 'complete', 'expired') },
    (store, { payment_intent, status, ...rest }) => {
      const found = store
        .list('checkout.session')
        .filter((session) => !payment_intent || session.payment_intent === payment_intent)
        .filter((session) => !status || session.status === status)
      return page(found, rest, sessions)
    },
  ),
]
