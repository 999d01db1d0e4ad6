import { missingObject, missingParameter } from '../api/api-error.ts'
import { changing, reading } from '../api/endpoint.ts'
import { page, paging } from '../api/list.ts'
import { choice, labels, list, text, whole } from '../api/parameter.ts'
import { createRefund } from './refund.actions.ts'

const refunds = '/v1/refunds'

export const refundEndpoints = [
  changing(refunds, {
    shape: {
      amount: whole({ least: 1 }),
      charge: text(),
      expand: list(text()),
      metadata: labels(),
      payment_intent: text(),
      reason: choice('duplicate', 'fraudulent', 'requested_by_customer'),
    },
    plan: (input) => {
      if (!input.charge && !input.payment_intent) throw missingParameter('payment_intent')
      return input
    },
    act: createRefund,
  }),

  reading(`${refunds}/:id`, { expand: list(text()) }, (books, _, { id }) => {
    const refund = books.find('refund', id!)
    if (!refund) throw missingObject('refund', id!, 'refund')
    return refund
  }),

  reading(
    refunds,
    { ...paging, charge: text(), payment_intent: text() },
    (books, { charge, payment_intent, ...rest }) => {
      const found = books
        .list('refund')
        .filter((refund) => !charge || refund.charge === charge)
        .filter((refund) => !payment_intent || refund.payment_intent === payment_intent)
      return page(found, rest, refunds)
    },
  ),
]
