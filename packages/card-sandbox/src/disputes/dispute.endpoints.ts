import { missingObject } from '../api/api-error.ts'
import { reading } from '../api/endpoint.ts'
import { page, paging } from '../api/list.ts'
import { list, text } from '../api/parameter.ts'

const disputes = '/v1/disputes'

export const disputeEndpoints = [
  reading(`${disputes}/:id`, { expand: list(text()) }, (books, _, { id }) => {
    const dispute = books.find('dispute', id!)
    if (!dispute) throw missingObject('dispute', id!, 'dispute')
    return dispute
  }),

  reading(
    disputes,
    { ...paging, charge: text(), payment_intent: text() },
    (books, { charge, payment_intent, ...rest }) => {
      const found = books
        .list('dispute')
        .filter((dispute) => !charge || dispute.charge === charge)
        .filter((dispute) => !payment_intent || dispute.payment_intent === payment_intent)
      return page(found, rest, disputes)
    },
  ),
]
