import { expect, test } from 'vitest'
import { amountProblems } from './amount-problems.ts'

type Kind = Parameters<typeof amountProblems>[0]

const refused = (kind: Kind, status: number, code: string, details: Record<string, unknown> = {}) =>
  amountProblems(kind, { status, code, message: 'As the server says.', details }, { isOnline: true })

test.each<[Kind, string, number, Record<string, unknown>, string, string]>([
  ['bid', 'too_low', 409, { minimum: 130 }, 'amount', 'The least bid is 130\u00a0€ now'],
  ['offer', 'too_low', 409, { minimum: 50 }, 'amount', 'The owner takes offers from 50\u00a0€'],
  ['offer', 'too_low', 409, {}, 'amount', 'As the server says.'],
  ['bid', 'invalid_amount', 400, {}, 'amount', 'As the server says.'],
  ['offer', 'invalid_days', 400, {}, 'days', 'As the server says.'],
  ['bid', 'wallet_required', 400, {}, 'deliverTo', 'As the server says.'],
  ['offer', 'recipient_refuses', 409, {}, 'deliverTo', 'As the server says.'],
])('of an %s: %s (%i) with %j is shown beside the field %s', (kind, code, status, details, field, text) => {
  expect(refused(kind, status, code, details)).toEqual({ fields: { [field]: text } })
})

test('other refusals stand below the form', () => {
  expect(refused('bid', 409, 'auction_closed').message).toBe('The auction takes no bids now. Nothing was held.')
  expect(refused('bid', 503, 'auctions_off').message).toBe('The store takes no bids at the moment.')
  expect(refused('bid', 403, 'own_item').message).toBe('This work is your own.')
  expect(refused('offer', 409, 'no_offers').message).toBe('The owner no longer takes offers for this work.')
  expect(refused('offer', 503, 'offers_off').message).toBe('The store takes no offers at the moment.')
  expect(refused('offer', 429, 'too_many_offers').message).toBe('As the server says.')
})

test('without a connection the buyer is told so', () => {
  const none = { status: 0, code: 'no_response', message: 'Something went wrong.', details: {} }
  expect(amountProblems('bid', none, { isOnline: false }).message).toContain('You are offline')
  expect(amountProblems('bid', none, { isOnline: true }).message).toBe('Something went wrong.')
})
