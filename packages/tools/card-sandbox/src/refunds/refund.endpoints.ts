import { readEndpoint, writeEndpoint } from '../api/endpoint.ts'
import { page, paging } from '../api/list.ts'
import { choice, integer, labels, list, text } from '../api/parameter.ts'
import { missingObject, missingParameter } from '../errors/api-error.ts'
import { createRefund } from './refund.actions.ts'

const refunds = '/v1/refunds'

export const refundEndpoints = [
  writeEndpoint(refunds, {
    shape: {
      amount: integer({ least: 1 }),
      charge: text(),
      expand: list(text()),
      metadata: labels(),
      payment_intent: text(),
      reason: choice('duplicate', 'fraudulent', 'requested_by_customer'),
    },
    check: (input) => {
      if (!input.charge && !input.payment_intent) throw missingParameter('payment_intent')
      return input
    },
    execute: createRefund,
  }),

  readEndpoint(`${refunds}/:id`, { expand: list(text()) }, (store, _, { id }) => {
    const refund = store.find('refund', id!)
    if (!refund) throw missingObject('refund', id!, 'refund')
    return refund
  }),

  readEndpoint(
    refunds,
    { ...paging, charge: text(), payment_intent: text() },
    (store, { charge, payment_intent, ...rest }) => {
      const found = store
        .list('refund')
        .filter((refund) => !charge || refund.charge === charge)
        .filter((refund) => !payment_intent || refund.payment_intent === payment_intent)
      return page(found, rest, refunds)
    },
  ),
]
