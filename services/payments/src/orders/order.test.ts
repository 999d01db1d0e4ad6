import { expect, test } from 'vitest'
import { strongerRequest } from './order.ts'

test('a request that cancels paid orders is not replaced by one that does not', () => {
  expect(strongerRequest('buyer', 'seller')).toBe('buyer')
  expect(strongerRequest('seller', 'buyer')).toBe('buyer')
  expect(strongerRequest(null, 'timeout')).toBe('timeout')
})
