import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { invalid } from '../api/api-error.ts'
import { expireSession } from '../checkout/session.actions.ts'
import { closeDispute, openDispute, warnOfFraud } from '../disputes/dispute.actions.ts'
import { lapseHold } from '../payments/capture.actions.ts'
import { digitsOf } from '../payments/card.ts'
import { authenticate, type PayOutcome, pay } from '../payments/pay.actions.ts'
import { letTimePass } from '../store/due-changes.ts'
import { type Books, byItself } from '../store/store.ts'
import type { Draft } from '../store/transaction.ts'
import type { Dispatcher } from '../webhooks/dispatcher.ts'
import type { EndpointHolder } from '../webhooks/endpoint.ts'
import * as shapes from './control.schemas.ts'
import type { Fault, Faults } from './fault.ts'
import { statementOf } from './statement.ts'

export type SandboxDeps = { books: Books; faults: Faults; endpoint: EndpointHolder; dispatcher: Dispatcher }

type Id = { Params: { id: string } }
type Body<Shape> = { Body: Shape }

const told = ({ status, error, session }: PayOutcome) => ({
  status,
  session,
  ...(error ? { error: { code: error.code, decline_code: error.declineCode, message: error.message } } : {}),
})

function chargeOf(draft: Draft, { charge, payment_intent }: { charge?: string; payment_intent?: string }) {
  if (charge) return draft.need('charge', charge, 'charge')
  if (!payment_intent) throw invalid('Name a charge or a payment_intent.', { param: 'charge' })
  const intent = draft.need('payment_intent', payment_intent, 'payment_intent')
  return draft.need('charge', String(intent.latest_charge), 'payment_intent')
}

/** A fault with its defaults. A 500 before the effect is not stored under its key, one after it is. */
function completed(fault: Static<typeof shapes.faultBody>): Fault {
  const common = { times: 1, chance: 1 }
  return 'request' in fault
    ? { ...common, delayMs: 0, stored: fault.mode === 'error_after', ...fault }
    : { ...common, delayMs: 2000, copies: 3, window: 2, ...fault }
}

/** What tests and campaigns move by hand: buyers, time, banks, the network. */
export async function sandboxRoutes(app: FastifyInstance, { books, faults, endpoint, dispatcher }: SandboxDeps) {
  app.addHook('preHandler', async () => letTimePass(books))

  const moment = <Result>(work: (draft: Draft) => Result) => books.commit(byItself, work)

  app.post<Id & Body<Static<typeof shapes.payBody>>>(
    '/sandbox/sessions/:id/pay',
    { schema: { body: shapes.payBody } },
    async ({ params, body }) => {
      const { card, email = 'collector@example.com', name = 'Sandbox Buyer' } = body
      return told(moment((draft) => pay(draft, params.id, { card: digitsOf(card), buyer: { email, name } })))
    },
  )

  app.post<Id & Body<Static<typeof shapes.authenticateBody>>>(
    '/sandbox/sessions/:id/authenticate',
    { schema: { body: shapes.authenticateBody } },
    async ({ params, body }) => told(moment((draft) => authenticate(draft, params.id, body.outcome))),
  )

  app.post<Id>('/sandbox/sessions/:id/expire', async ({ params }) =>
    moment((draft) => expireSession(draft, draft.need('checkout.session', params.id, 'session'))),
  )

  app.post<Id>('/sandbox/payment_intents/:id/lapse', async ({ params }) =>
    moment((draft) => {
      const intent = draft.need('payment_intent', params.id, 'intent')
      if (intent.status !== 'requires_capture') throw invalid('Only an open hold can lapse.', { param: 'intent' })
      lapseHold(draft, intent)
      return draft.need('payment_intent', params.id)
    }),
  )

  app.get('/sandbox/ledger', async () => statementOf(books))

  app.get('/sandbox/clock', async () => ({ now: books.clock.seconds() }))
  app.post<Body<Static<typeof shapes.clockBody>>>(
    '/sandbox/clock',
    { schema: { body: shapes.clockBody } },
    async ({ body }) => {
      books.record({ advanceMs: body.advanceMs })
      letTimePass(books)
      dispatcher.poke()
      return { now: books.clock.seconds() }
    },
  )

  app.get('/sandbox/faults', async () => ({ faults: faults.all() }))
  app.delete('/sandbox/faults', async () => {
    faults.clear()
    return { faults: [] }
  })
  app.post<Body<Static<typeof shapes.faultBody>>>(
    '/sandbox/faults',
    { schema: { body: shapes.faultBody } },
    async ({ body }) => {
      faults.add(completed(body))
      return { faults: faults.all() }
    },
  )

  app.get('/sandbox/webhook', async () => ({ url: endpoint.current().url ?? null, tries: dispatcher.tries }))
  app.post<Body<Static<typeof shapes.webhookBody>>>(
    '/sandbox/webhook',
    { schema: { body: shapes.webhookBody } },
    async ({ body: { url, secret, secrets } }) => {
      endpoint.change({ ...(url ? { url } : {}), ...(secret || secrets ? { secrets: secrets ?? [secret!] } : {}) })
      dispatcher.poke()
      return { url: endpoint.current().url ?? null }
    },
  )

  app.post<Body<Static<typeof shapes.disputeBody>>>(
    '/sandbox/disputes',
    { schema: { body: shapes.disputeBody } },
    async ({ body }) => moment((draft) => openDispute(draft, chargeOf(draft, body), body.reason)),
  )

  app.post<Id & Body<Static<typeof shapes.closeDisputeBody>>>(
    '/sandbox/disputes/:id/close',
    { schema: { body: shapes.closeDisputeBody } },
    async ({ params, body }) => moment((draft) => closeDispute(draft, params.id, body.outcome)),
  )

  app.post<Body<Static<typeof shapes.fraudWarningBody>>>(
    '/sandbox/fraud-warnings',
    { schema: { body: shapes.fraudWarningBody } },
    async ({ body }) => moment((draft) => warnOfFraud(draft, chargeOf(draft, body))),
  )
}
