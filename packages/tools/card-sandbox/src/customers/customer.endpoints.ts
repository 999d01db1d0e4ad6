import { deleteEndpoint, readEndpoint, writeEndpoint } from '../api/endpoint.ts'
import { page, paging } from '../api/list.ts'
import { email, labels, list, text, unsettable } from '../api/parameter.ts'
import { missingObject } from '../errors/api-error.ts'
import { createCustomer, deleteCustomer, updateCustomer } from './customer.actions.ts'
import { isDeleted } from './customer.ts'

const customers = '/v1/customers'

const fields = {
  description: unsettable(text({ longest: 350 })),
  email: unsettable(email()),
  expand: list(text()),
  metadata: labels(),
  name: unsettable(text({ longest: 256 })),
}

export const customerEndpoints = [
  writeEndpoint(customers, {
    shape: fields,
    check: ({ expand: _, ...given }) => given,
    execute: createCustomer,
  }),

  writeEndpoint(`${customers}/:id`, {
    shape: fields,
    check: ({ expand: _, ...given }) => given,
    execute: (tx, given, { id }) => updateCustomer(tx, id!, given),
  }),

  deleteEndpoint(`${customers}/:id`, (tx, { id }) => deleteCustomer(tx, id!)),

  readEndpoint(`${customers}/:id`, { expand: list(text()) }, (store, _, { id }) => {
    const customer = store.find('customer', id!)
    if (!customer) throw missingObject('customer', id!, 'id')
    return customer
  }),

  readEndpoint(customers, { ...paging, email: text() }, (store, { email: address, ...rest }) => {
    const found = store.list('customer').flatMap((customer) => (isDeleted(customer) ? [] : [customer]))
    return page(
      found.filter((customer) => !address || customer.email === address),
      rest,
      customers,
    )
  }),
]
