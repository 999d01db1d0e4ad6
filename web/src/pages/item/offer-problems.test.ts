import { expect, test } from 'vitest'
import { offerProblems } from './offer-problems.ts'

const refused = (status: number, code: string, details: Record<string, unknown> = {}) =>
  offerProblems({ status, code, message: 'As the server says.', details }, { isOnline: true })

test.each([
  ['too_low', 409, { minimum: 50 }, 'price', 'The owner takes offers from 50\u00a0€'],
  ['too_low', 409, {}, 'price', 'As the server says.'],
  ['invalid_amount', 400, {}, 'price', 'As the server says.'],
  ['invalid_days', 400, {}, 'days', 'As the server says.'],
  ['wallet_required', 400, {}, 'deliverTo', 'As the server says.'],
  ['recipient_refuses', 409, {}, 'deliverTo', 'As the server says.'],
])('%s (%i) with %j is shown beside the field %s', (code, status, details, field, text) => {
  expect(refused(status, code, details)).toEqual({ fields: { [field]: text } })
})

test('other refusals stand below the form', () => {
  expect(refused(409, 'no_offers').message).toBe('The owner no longer takes offers for this work.')
  expect(refused(503, 'offers_off').message).toBe('The store takes no offers at the moment.')
  expect(refused(429, 'too_many_offers').message).toBe('As the server says.')
})

test('without a connection the buyer is told so', () => {
  const none = { status: 0, code: 'no_response', message: 'Something went wrong.', details: {} }
  expect(offerProblems(none, { isOnline: false }).message).toContain('You are offline')
  expect(offerProblems(none, { isOnline: true }).message).toBe('Something went wrong.')
})
