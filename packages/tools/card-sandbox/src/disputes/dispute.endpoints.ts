import { readEndpoint } from '../api/endpoint.ts'
import { page, paging } from '../api/list.ts'
import { list, text } from '../api/parameter.ts'
import { missingObject } from '../errors/api-error.ts'

const disputes = '/v1/disputes'

export const disputeEndpoints = [
  readEndpoint(`${disputes}/:id`, { expand: list(text()) }, (store, _, { id }) => {
    const dispute = store.find('dispute', id!)
    if (!dispute) throw missingObject('dispute', id!, 'dispute')
    return dispute
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
]
