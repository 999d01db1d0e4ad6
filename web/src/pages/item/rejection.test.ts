import { expect, test } from 'vitest'
import { describeRejection } from './rejection.ts'

const item = { forSale: true, reserved: false, price: 1450 }
const message = 'Payments are temporarily unavailable'

test('a rejected purchase is described by the state of the work, and else by the message of the server', () => {
  expect(describeRejection({ ...item, forSale: false }, { message, isOwnOrder: false, isOffline: false })).toBe(
    'This work is no longer for sale.',
  )
  expect(describeRejection({ ...item, reserved: true }, { message, isOwnOrder: false, isOffline: false })).toBe(
    'Another buyer was faster. Nothing was charged.',
  )
  expect(describeRejection(item, { message: 'The price has changed', isOwnOrder: false, isOffline: false })).toBe(
    'The price is now 1,450\u00a0€.',
  )
  expect(describeRejection(item, { message, isOwnOrder: false, isOffline: false })).toBe(message)
})

test('a work that the buyer’s own unfinished payment reserves was not taken by another buyer', () => {
  expect(describeRejection({ ...item, reserved: true }, { message, isOwnOrder: true, isOffline: false })).toBe(message)
})

test('without a connection the buyer is told so, whatever the work was before', () => {
  const described = describeRejection({ ...item, forSale: false }, { message, isOwnOrder: false, isOffline: true })
  expect(described).toBe('You are offline. Please try again once you are connected.')
})
