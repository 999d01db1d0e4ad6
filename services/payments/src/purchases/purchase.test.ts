import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { parseCart } from './purchase.ts'

const id = randomUUID()
const cart = (changes: object = {}) => ({ amount: 19.99, items: [{ _id: id, price: 19.99 }], ...changes })
const errorCode = (body: object) => {
  try {
    parseCart(body)
    return 'fine'
  } catch (error) {
    const { statusCode, code } = error as { statusCode: number; code: string }
    return `${statusCode} ${code}`
  }
}

test('prices in euros become exact cents', () => {
  expect(parseCart(cart())).toEqual([{ itemId: id, priceCents: 1_999 }])
})

test('an amount that was added up in floating point is accepted', () => {
  const items = [0.7, 0.1 + 0.5].map((price) => ({ _id: randomUUID(), price }))
  expect(parseCart({ amount: items[0]!.price + items[1]!.price, items })).toHaveLength(2)
})

test.each([
  ['no list', { items: { _id: id, price: 1 } }],
  ['text', { items: 'all' }],
  ['nothing', { items: undefined }],
  ['an empty list', { items: [] }],
  ['eleven items', { items: Array.from({ length: 11 }, () => ({ _id: randomUUID(), price: 1 })), amount: 11 }],
  [
    'the same item twice',
    {
      items: [
        { _id: id, price: 1 },
        { _id: id.toUpperCase(), price: 1 },
      ],
      amount: 2,
    },
  ],
  ['no id', { items: [{ price: 1 }] }],
  ['a query as id', { items: [{ _id: { $gt: '' }, price: 1 }] }],
  ['a list as id', { items: [{ _id: [id], price: 1 }] }],
  ['null as item', { items: [null] }],
  ['a malformed id', { items: [{ _id: 'nope', price: 1 }] }],
])('%s as items is a 400', (_what, changes) => {
  expect(errorCode(cart(changes))).toBe('400 invalid_items')
})

test.each([
  ['a cent', { items: [{ _id: id, price: 0.01 }], amount: 0.01 }],
  ['less than nothing', { items: [{ _id: id, price: -5 }], amount: -5 }],
  ['text', { items: [{ _id: id, price: '19.99' }] }],
  ['nothing', { items: [{ _id: id }] }],
  ['fractions of a cent', { items: [{ _id: id, price: 19.999 }], amount: 19.999 }],
  ['infinity', { items: [{ _id: id, price: Number.POSITIVE_INFINITY }] }],
])('%s as a price is a 409 price_changed', (_what, changes) => {
  expect(errorCode(cart(changes))).toBe('409 price_changed')
})

test.each([[undefined], [null], ['19.99'], [19.98], [20], [Number.NaN], [[19.99]]])(
  'an amount of %s that is not the sum is a 409 price_changed',
  (amount) => {
    expect(errorCode(cart({ amount }))).toBe('409 price_changed')
  },
)

test('a cart above what one payment can be is a 400', () => {
  const items = [500_000, 500_000].map((price) => ({ _id: randomUUID(), price }))
  expect(errorCode({ amount: 1_000_000, items })).toBe('400 cart_too_expensive')
  items[0]!.price = 499_999.99
  expect(errorCode({ amount: 999_999.99, items })).toBe('fine')
})
