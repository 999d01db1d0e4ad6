import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { sessionRequest } from './session-request.ts'

const id = randomUUID()
/** Of a buyer whom nothing is asked at a low price. */
const known = { buyer: { accountDays: 30, works: 2 }, threeDSecureFromCents: 10_000 }

test('the session accepts cards only, captures manually, and redirects to the store only', () => {
  const line = { itemId: id, name: ' ', image: '/uploads/nfts/a', priceCents: 1_999 } as never
  const expiresAt = new Date('2030-01-01T00:35:00.900Z')
  const order = { id, expiresAt } as never
  const request = sessionRequest({
    order,
    lines: [line],
    email: null,
    customerId: null,
    ...known,
    storeId: 'test',
    publicUrl: 'https://store.test',
    sandboxUrl: undefined,
  })
  expect(request).toMatchObject({
    allowed_payment_method_types: ['card'],
    payment_intent_data: { capture_method: 'manual' },
    expires_at: expiresAt.getTime() / 1000 - 0.9,
    success_url: `https://store.test/purchase-thanks?order=${id}`,
    cancel_url: `https://store.test/purchase-thanks?order=${id}&cancelled=1`,
  })
  expect(request.line_items).toMatchObject([{ price_data: { unit_amount: 1_999, product_data: { name: 'NFT' } } }])
})

const requestWith = ({ publicUrl = 'https://store.art', sandboxUrl = undefined as string | undefined, email = '' }) => {
  const line = { itemId: id, name: 'Dusk', image: '/uploads/nfts/a.webp', priceCents: 1_999 } as never
  const order = { id, expiresAt: new Date('2030-01-01') } as never
  const { line_items, customer_email } = sessionRequest({
    order,
    lines: [line],
    email,
    customerId: null,
    ...known,
    storeId: 'test',
    publicUrl,
    sandboxUrl,
  })
  return { images: line_items[0]!.price_data.product_data.images, customer_email }
}

test('the real processor receives pictures at public https addresses only', () => {
  expect(requestWith({}).images).toEqual(['https://store.art/uploads/nfts/a.webp?w=960'])
  const hidden = [
    'http://store.art',
    'https://localhost:8080',
    'https://10.0.0.7',
    'https://[::1]',
    'https://shop.internal',
  ]
  for (const publicUrl of hidden) expect([publicUrl, requestWith({ publicUrl }).images]).toEqual([publicUrl, undefined])
})

test('the card sandbox receives every picture', () => {
  const local = { publicUrl: 'http://localhost:8080', sandboxUrl: 'http://localhost:8090' }
  expect(requestWith(local).images).toEqual(['http://localhost:8080/uploads/nfts/a.webp?w=960'])
})

test('an e-mail address that the processor would refuse is left out', () => {
  for (const email of ['ada@example.com', "o'neil+art@mail.store.co"])
    expect(requestWith({ email }).customer_email).toBe(email)
  const refused = [
    '',
    'ada',
    'ada@localhost',
    'a..b@example.com',
    'ädä@example.com',
    'a b@example.com',
    `${'a'.repeat(250)}@b.co`,
  ]
  for (const email of refused) expect([email, requestWith({ email }).customer_email]).toEqual([email, undefined])
})

test('nothing turns the wallets of phones off: cards are allowed, no tax is calculated, no locale is fixed', () => {
  const order = { id, expiresAt: new Date('2030-01-01') } as never
  const request: object = sessionRequest({
    order,
    lines: [],
    email: null,
    customerId: null,
    ...known,
    storeId: 'test',
    publicUrl: 'https://store.art',
    sandboxUrl: undefined,
  })
  expect(request).toMatchObject({ allowed_payment_method_types: ['card'], locale: 'auto' })
  for (const name of ['automatic_tax', 'wallet_options', 'excluded_payment_method_types', 'payment_method_options'])
    expect(request).not.toHaveProperty(name)
})

const sessionFor = ({ prices = [1_999], accountDays = 30 as number | null }) =>
  sessionRequest({
    order: { id, expiresAt: new Date('2030-01-01') } as never,
    lines: prices.map((priceCents) => ({ itemId: id, name: 'Dusk', image: '/uploads/nfts/a', priceCents }) as never),
    email: null,
    customerId: null,
    ...known,
    buyer: { accountDays, works: 2 },
    storeId: 'test',
    publicUrl: 'https://store.art',
    sandboxUrl: undefined,
  })

test.each<[boolean, Parameters<typeof sessionFor>[0]]>([
  [false, { prices: [9_999] }],
  [true, { prices: [10_000] }],
  [true, { prices: [6_000, 4_000] }],
  [true, { accountDays: 6 }],
  [false, { accountDays: 7 }],
  [true, { accountDays: null }],
])('3-D Secure is requested: %s of %j', (isRequested, session) => {
  expect(sessionFor(session).payment_method_options).toEqual(
    isRequested ? { card: { request_three_d_secure: 'any' } } : undefined,
  )
})

test('the payment has what rules against fraud read, and the order on the statement of the card', () => {
  expect(sessionFor({}).payment_intent_data).toMatchObject({
    metadata: { order: id, account_days: '30', works_bought: '2' },
    statement_descriptor_suffix: `N${id.slice(0, 8).toUpperCase()}`,
  })
  expect(sessionFor({ accountDays: null }).payment_intent_data.metadata).toMatchObject({ account_days: 'unknown' })
})
