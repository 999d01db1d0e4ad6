import { expect, test } from 'vitest'
import { acceptedHasLeft, refreshInterval } from './use-received-offers.ts'

const open = { itemId: 'work', state: 'open', reserved: false } as const
const paid = { ...open, reserved: true }
const accepted = { ...open, state: 'accepted' } as const

test('offers are fetched more often while somebody pays for one of the works', () => {
  expect(refreshInterval({ offers: [open] })).toBe(10_000)
  expect(refreshInterval({ offers: [open, { ...paid, itemId: 'other' }] })).toBe(5_000)
})

test('offers for a work whose accepted offer is delivered are not', () => {
  expect(refreshInterval({ offers: [accepted, paid] })).toBe(10_000)
  expect(refreshInterval({ offers: [accepted, paid, { ...paid, itemId: 'other' }] })).toBe(5_000)
})

test('only an accepted offer that is no longer listed has left', () => {
  const [taken, other] = [
    { orderId: 'taken', state: 'accepted' as const },
    { orderId: 'other', state: 'open' as const },
  ]
  expect(acceptedHasLeft([taken, other], [other])).toBe(true)
  expect(acceptedHasLeft([taken, other], [taken])).toBe(false)
  expect(acceptedHasLeft([], [taken])).toBe(false)
})
