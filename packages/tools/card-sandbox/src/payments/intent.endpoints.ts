import { readEndpoint, writeEndpoint } from '../api/endpoint.ts'
import { page, paging } from '../api/list.ts'
import { choice, integer, labels, list, text } from '../api/parameter.ts'
import { missingObject } from '../errors/api-error.ts'
import { cancelHold, capture } from './capture.actions.ts'

const intents = '/v1/payment_intents'
const expand = list(text())
const cancellation = {
  expand,
  cancellation_reason: choice('duplicate', 'fraudulent', 'requested_by_customer', 'abandoned'),
}

/** Payment intents and their charges. Intents are created by Checkout Sessions only. */
export const intentEndpoints = [
  writeEndpoint(`${intents}/:id/capture`, {
    shape: { expand, amount_to_capture: integer({ least: 1 }), metadata: labels() },
    check: ({ amount_to_capture: amount, metadata }) => ({ amount, metadata }),
    execute: (tx, request, { id }) => capture(tx, id!, request),
  }),

  writeEndpoint(`${intents}/:id/cancel`, {
    shape: cancellation,
    check: (input) => input,
    execute: (tx, { cancellation_reason }, { id }) => cancelHold(tx, id!, cancellation_reason ?? null),
  }),

  readEndpoint(`${intents}/:id`, { expand }, (store, _, { id }) => {
    const intent = store.find('payment_intent', id!)
    if (!intent) throw missingObject('payment_intent', id!, 'intent')
    return intent
  }),

  readEndpoint(intents, paging, (store, input) => page(store.list('payment_intent'), input, intents)),

  readEndpoint('/v1/charges/:id', { expand }, (store, _, { id }) => {
    const charge = store.find('charge', id!)
    if (!charge) throw missingObject('charge', id!, 'id')
    return charge
  }),

  readEndpoint('/v1/charges', { ...paging, payment_intent: text() }, (store, { payment_intent, ...rest }) => {
    const found = store.list('charge').filter((charge) => !payment_intent || charge.payment_intent === payment_intent)
    return page(found, rest, '/v1/charges')
  }),

  readEndpoint('/v1/balance_transactions/:id', { expand }, (store, _, { id }) => {
    const transaction = store.find('balance_transaction', id!)
    if (!transaction) throw missingObject('balance_transaction', id!, 'id')
    return transaction
  }),
]
