import type { BothSides } from '@nifty/api/payments/ops-money'
import { expect, test } from 'vitest'
import { processorSideCommands } from './processor-side.ts'
import type { Store } from './store.ts'

const captured: BothSides = {
  orderId: 'd3ea7c40-151c-497c-be4d-fd9114883227',
  store: {
    money: 'held',
    heldCents: 900,
    captureCents: null,
    capturedCents: 0,
    refundedCents: 0,
    disputedCents: 0,
    lines: [],
  },
  processor: { status: 'succeeded', heldCents: 900, capturedCents: 500, refundedCents: 0, disputedCents: 0 },
  isDeliveryOpen: false,
  effects: ['records 5.00 € as captured; 9.00 € were delivered', 'has the platform bear the missing 4.00 €'],
}
const agreed: BothSides = { ...captured, effects: [] }

const preview = (sides: BothSides) =>
  processorSideCommands.accept!.preview!({ payments: async () => sides } as unknown as Store, [sides.orderId])

test('accept shows what it would do, and asks', async () => {
  const { text, changes, ok } = await preview(captured)
  expect(text).toContain('Accepting this records 5.00 € as captured')
  expect({ changes, ok }).toEqual({ changes: true, ok: true })
})

test('accept asks nothing when both sides agree', async () => {
  const { text, changes, ok } = await preview(agreed)
  expect(text).toContain('Both sides agree.')
  expect({ changes, ok }).toEqual({ changes: false, ok: true })
})

test('accept asks nothing of an offer that is not over, and names the command that ends it and frees its work', async () => {
  const lines = [{ _id: captured.orderId, name: 'Dusk', state: 'held', priceCents: 900 } as const]
  const { text, changes, ok } = await preview({ ...agreed, store: { ...captured.store, lines }, isDeliveryOpen: true })
  expect(text).toContain('Its work stays reserved if it was accepted. End it with `pnpm ops cancel-order`')
  expect({ changes, ok }).toEqual({ changes: false, ok: false })
})

test('accept asks nothing, and fails, while a delivery is under way', async () => {
  const { text, changes, ok } = await preview({ ...agreed, isDeliveryOpen: true })
  expect(text).toContain('nothing can be accepted yet: a delivery is under way')
  expect({ changes, ok }).toEqual({ changes: false, ok: false })
})
