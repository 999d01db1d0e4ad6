import { missingObject } from '../api/api-error.ts'
import { changing, reading } from '../api/endpoint.ts'
import { page, paging } from '../api/list.ts'
import { choice, list, text, whole } from '../api/parameter.ts'
import { cancelHold, capture } from './capture.actions.ts'

const intents = '/v1/payment_intents'
const expand = list(text())
const cancellation = {
  expand,
  cancellation_reason: choice('duplicate', 'fraudulent', 'requested_by_customer', 'abandoned'),
}

/** Payment intents and their charges. Intents come from checkout only. */
export const intentEndpoints = [
  changing(`${intents}/:id/capture`, {
    shape: { expand, amount_to_capture: whole({ least: 1 }) },
    plan: ({ amount_to_capture }) => amount_to_capture,
    act: (draft, amount, { id }) => capture(draft, id!, amount),
  }),

  changing(`${intents}/:id/cancel`, {
    shape: cancellation,
    plan: (input) => input,
    act: (draft, { cancellation_reason }, { id }) => cancelHold(draft, id!, cancellation_reason ?? null),
  }),

  reading(`${intents}/:id`, { expand }, (books, _, { id }) => {
    const intent = books.find('payment_intent', id!)
    if (!intent) throw missingObject('payment_intent', id!, 'intent')
    return intent
  }),

  reading(intents, paging, (books, input) => page(books.list('payment_intent'), input, intents)),

  reading('/v1/charges/:id', { expand }, (books, _, { id }) => {
    const charge = books.find('charge', id!)
    if (!charge) throw missingObject('charge', id!, 'id')
    return charge
  }),

  reading('/v1/charges', { ...paging, payment_intent: text() }, (books, { payment_intent, ...rest }) => {
    const found = books.list('charge').filter((charge) => !payment_intent || charge.payment_intent === payment_intent)
    return page(found, rest, '/v1/charges')
  }),

  reading('/v1/balance_transactions/:id', { expand }, (books, _, { id }) => {
    const transaction = books.find('balance_transaction', id!)
    if (!transaction) throw missingObject('balance_transaction', id!, 'id')
    return transaction
  }),
]
