import { readEndpoint, writeEndpoint } from '../api/endpoint.ts'
import { page, paging } from '../api/list.ts'
import { boolean, group, labels, list, text } from '../api/parameter.ts'
import { missingObject } from '../errors/api-error.ts'
import { addEvidence, closeDispute } from './dispute.actions.ts'

const disputes = '/v1/disputes'
const evidence = group({
  access_activity_log: text({ longest: 20_000 }),
  cancellation_rebuttal: text({ longest: 20_000 }),
  customer_email_address: text(),
  customer_name: text(),
  customer_purchase_ip: text(),
  product_description: text({ longest: 20_000 }),
  refund_policy_disclosure: text({ longest: 20_000 }),
  refund_refusal_explanation: text({ longest: 20_000 }),
  service_date: text(),
  uncategorized_text: text({ longest: 20_000 }),
})
const warnings = '/v1/radar/early_fraud_warnings'

export const disputeEndpoints = [
  readEndpoint(`${disputes}/:id`, { expand: list(text()) }, (store, _, { id }) => {
    const dispute = store.find('dispute', id!)
    if (!dispute) throw missingObject('dispute', id!, 'dispute')
    return dispute
  }),

  writeEndpoint(`${disputes}/:id`, {
    shape: { expand: list(text()), evidence, metadata: labels(), submit: boolean() },
    check: ({ evidence, metadata, submit }) => ({ evidence, metadata, submit }),
    execute: (tx, given, { id }) => addEvidence(tx, id!, given),
  }),

  writeEndpoint(`${disputes}/:id/close`, {
    shape: { expand: list(text()) },
    check: () => ({}),
    execute: (tx, _, { id }) => closeDispute(tx, id!, 'lost'),
  }),

  readEndpoint(
    disputes,
    { ...paging, charge: text(), payment_intent: text() },
    (store, { charge, payment_intent, ...rest }) => {
      const found = store
        .list('dispute')
        .filter((dispute) => !charge || dispute.charge === charge)
        .filter((dispute) => !payment_intent || dispute.payment_intent === payment_intent)
      return page(found, rest, disputes)
    },
  ),

  readEndpoint(`${warnings}/:id`, { expand: list(text()) }, (store, _, { id }) => {
    const warning = store.find('radar.early_fraud_warning', id!)
    if (!warning) throw missingObject('early_fraud_warning', id!, 'early_fraud_warning')
    return warning
  }),

  readEndpoint(
    warnings,
    { ...paging, charge: text(), payment_intent: text() },
    (store, { charge, payment_intent, ...rest }) => {
      const found = store
        .list('radar.early_fraud_warning')
        .filter((warning) => !charge || warning.charge === charge)
        .filter((warning) => !payment_intent || warning.payment_intent === payment_intent)
      return page(found, rest, warnings)
    },
  ),
]
