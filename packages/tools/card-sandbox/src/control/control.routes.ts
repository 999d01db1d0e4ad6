import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import type { ApiKeys } from '../api/api-keys.ts'
import { expireSession } from '../checkout/session.actions.ts'
import { closeDispute, createFraudWarning, escalateInquiry, openDispute } from '../disputes/dispute.actions.ts'
import { applyDueChanges } from '../due-changes/due-changes.ts'
import { invalid } from '../errors/api-error.ts'
import { digitsOf } from '../intents/card.ts'
import { expireHold } from '../payments/capture.actions.ts'
import { authenticate, type PayOutcome, pay } from '../payments/pay.actions.ts'
import { failRefund } from '../refunds/refund.actions.ts'
import type { Store } from '../store/store.ts'
import type { Transaction } from '../store/transaction.ts'
import { automatic } from '../store/transaction.ts'
import type { Dispatcher } from '../webhooks/dispatcher.ts'
import type { WebhookEndpoint } from '../webhooks/endpoint.ts'
import * as schemas from './control.schemas.ts'
import type { Fault, Faults } from './fault.ts'
import { statementOf } from './statement.ts'

export type ControlDeps = {
  store: Store
  faults: Faults
  endpoint: WebhookEndpoint
  dispatcher: Dispatcher
  apiKeys: ApiKeys
}

type Id = { Params: { id: string } }
type Body<Shape> = { Body: Shape }

const toResponse = ({ status, error, session }: PayOutcome) => ({
  status,
  session,
  ...(error ? { error: { code: error.code, decline_code: error.declineCode, message: error.message } } : {}),
})

function chargeOf(tx: Transaction, { charge, payment_intent }: { charge?: string; payment_intent?: string }) {
  if (charge) return tx.get('charge', charge, 'charge')
  if (!payment_intent) throw invalid('Name a charge or a payment_intent.', { param: 'charge' })
  const intent = tx.get('payment_intent', payment_intent, 'payment_intent')
  return tx.get('charge', String(intent.latest_charge), 'payment_intent')
}

/** Adds defaults. A 500 before the effect is not stored under its idempotency key, one after it is. */
function withDefaults(fault: Static<typeof schemas.faultBody>): Fault {
  const common = { times: 1, chance: 1 }
  return 'request' in fault
    ? { ...common, delayMs: 0, stored: fault.mode === 'error_after', ...fault }
    : { ...common, delayMs: 2000, copies: 3, window: 2, ...fault }
}

/** The control API, by which tests act for buyers and banks, advance the clock and inject faults. */
export async function controlRoutes(
  app: FastifyInstance,
  { store, faults, endpoint, dispatcher, apiKeys }: ControlDeps,
) {
  app.addHook('preHandler', async () => applyDueChanges(store))

  const transaction = <Result>(work: (tx: Transaction) => Result) => store.transaction(automatic, work)

  app.post<Id & Body<Static<typeof schemas.payBody>>>(
    '/sandbox/sessions/:id/pay',
    { schema: { body: schemas.payBody } },
    async ({ params, body }) => {
      const { card, email = 'collector@example.com', name = 'Sandbox Buyer', save } = body
      const paying = { card: digitsOf(card), buyer: { email, name }, save }
      return toResponse(transaction((tx) => pay(tx, params.id, paying)))
    },
  )

  app.post<Id & Body<Static<typeof schemas.authenticateBody>>>(
    '/sandbox/sessions/:id/authenticate',
    { schema: { body: schemas.authenticateBody } },
    async ({ params, body }) => toResponse(transaction((tx) => authenticate(tx, params.id, body.outcome))),
  )

  app.post<Id>('/sandbox/sessions/:id/expire', async ({ params }) =>
    transaction((tx) => expireSession(tx, tx.get('checkout.session', params.id, 'session'))),
  )

  app.post<Id>('/sandbox/payment_intents/:id/lapse', async ({ params }) =>
    transaction((tx) => {
      const intent = tx.get('payment_intent', params.id, 'intent')
      if (intent.status !== 'requires_capture') throw invalid('Only an open hold can lapse.', { param: 'intent' })
      expireHold(tx, intent)
      return tx.get('payment_intent', params.id)
    }),
  )

  app.get('/sandbox/ledger', async () => statementOf(store))

  app.get('/sandbox/clock', async () => ({ now: store.clock.seconds() }))
  app.post<Body<Static<typeof schemas.clockBody>>>(
    '/sandbox/clock',
    { schema: { body: schemas.clockBody } },
    async ({ body }) => {
      store.record({ advanceMs: body.advanceMs })
      applyDueChanges(store)
      dispatcher.deliverDue()
      return { now: store.clock.seconds() }
    },
  )

  app.get('/sandbox/faults', async () => ({ faults: faults.all(), applied: faults.applied }))
  app.delete('/sandbox/faults', async () => {
    faults.clear()
    return { faults: [] }
  })
  app.post<Body<Static<typeof schemas.faultBody>>>(
    '/sandbox/faults',
    { schema: { body: schemas.faultBody } },
    async ({ body }) => {
      faults.add(withDefaults(body))
      return { faults: faults.all() }
    },
  )

  app.get('/sandbox/webhook', async () => ({ url: endpoint.current().url ?? null, tries: dispatcher.attempts }))
  app.post<Body<Static<typeof schemas.webhookBody>>>(
    '/sandbox/webhook',
    { schema: { body: schemas.webhookBody } },
    async ({ body: { url, secret, secrets } }) => {
      endpoint.change({ ...(url ? { url } : {}), ...(secret || secrets ? { secrets: secrets ?? [secret!] } : {}) })
      dispatcher.deliverDue()
      return { url: endpoint.current().url ?? null }
    },
  )

  app.post<Body<Static<typeof schemas.keysBody>>>(
    '/sandbox/keys',
    { schema: { body: schemas.keysBody } },
    async ({ body }) => {
      apiKeys.change(body.keys)
      return body
    },
  )

  app.post<Body<Static<typeof schemas.disputeBody>>>(
    '/sandbox/disputes',
    { schema: { body: schemas.disputeBody } },
    async ({ body }) => transaction((tx) => openDispute(tx, chargeOf(tx, body), body)),
  )

  app.post<Id>('/sandbox/disputes/:id/escalate', async ({ params }) =>
    transaction((tx) => escalateInquiry(tx, params.id)),
  )

  app.post<Id>('/sandbox/refunds/:id/fail', async ({ params }) =>
    transaction((tx) => failRefund(tx, tx.get('refund', params.id, 'refund'))),
  )

  app.post<Id & Body<Static<typeof schemas.closeDisputeBody>>>(
    '/sandbox/disputes/:id/close',
    { schema: { body: schemas.closeDisputeBody } },
    async ({ params, body }) => transaction((tx) => closeDispute(tx, params.id, body.outcome)),
  )

  app.post<Body<Static<typeof schemas.fraudWarningBody>>>(
    '/sandbox/fraud-warnings',
    { schema: { body: schemas.fraudWarningBody } },
    async ({ body }) => transaction((tx) => createFraudWarning(tx, chargeOf(tx, body))),
  )
}
