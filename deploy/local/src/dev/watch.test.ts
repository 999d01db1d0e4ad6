import { expect, test } from 'vitest'
import { changedPrograms } from './watch.ts'

const all = ['auth', 'payments', 'gateway'] as const

test.each([
  ['services/payments/src/orders/order.ts', ['payments']],
  ['services/payments/migrations/004-refunds.sql', ['payments']],
  ['gateway/src/gateway.ts', ['gateway']],
  ['packages/service-kit/src/base/errors.ts', ['auth', 'payments', 'gateway']],
  ['packages/api/src/endpoint.ts', ['auth', 'payments', 'gateway']],
  ['services/payments/src/orders/order.test.ts', []],
  ['services/payments/src/testing/sale.ts', []],
  ['services/payments/README.md', []],
  ['services/payments/node_modules/stripe/index.ts', []],
])('a change of %s restarts %j', (file, processes) => {
  expect(changedPrograms(file, all)).toEqual(processes)
})
