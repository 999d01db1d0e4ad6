import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { sessionRequest } from './session-request.ts'

const id = randomUUID()

test('the session accepts cards only, captures manually, and redirects to the store only', () => {
  const line = { itemId: id, name: ' ', image: '/uploads/nfts/a', priceCents: 1_999 } as never
  const expiresAt = new Date('2030-01-01T00:35:00.900Z')
  const order = { id, expiresAt } as never
  const request = sessionRequest({ order, lines: [line], publicUrl: 'https://store.test' })
  expect(request).toMatchObject({
    allowed_payment_method_types: ['card'],
    payment_intent_data: { capture_method: 'manual' },
    expires_at: expiresAt.getTime() / 1000 - 0.9,
    success_url: `https://store.test/purchase-thanks?order=${id}`,
    cancel_url: `https://store.test/purchase-thanks?order=${id}&cancelled=1`,
  })
  expect(request.line_items).toMatchObject([{ price_data: { unit_amount: 1_999, product_data: { name: 'NFT' } } }])
})
