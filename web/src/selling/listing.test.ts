import { expect, test } from 'vitest'
import { ApiError } from '../api/api.ts'
import { describeFailure } from './listing.ts'

const refused = new ApiError(400, { message: 'Price must be between 0.50 and 999999.99' })
const failed = new ApiError(503, { message: 'Please try again in a moment.' })

test('a refused price is described by the server, a failure by the state that the work is left in', () => {
  expect(describeFailure(refused, { forSale: false })).toBe('Price must be between 0.50 and 999999.99')
  expect(describeFailure(failed, { forSale: false })).toBe('The work is not for sale yet.')
  expect(describeFailure(failed, { forSale: true })).toBe('The price has not changed yet.')
})

test('a refused signature is described by what has not changed', () => {
  const unsigned = new ApiError(409, { code: 'permit_required', message: 'Please sign a permit.' })
  expect(describeFailure(unsigned, { forSale: false })).toMatch(/^You have not signed, so the work is not for sale\./)
  expect(describeFailure(unsigned, { forSale: true })).toMatch(/^You have not signed, so the price has not changed\./)
})
