import { expect, test } from 'vitest'
import { splitPrice } from './book.ts'

const sale = { priceCents: 12_000, sellerId: 'a', creatorId: 'a', commissionBps: 1_000, royaltyBps: 500 }

test('the price of a first sale is split between seller and platform', () => {
  expect(splitPrice(sale)).toEqual({ sellerCents: 10_800, commissionCents: 1_200, royaltyCents: 0 })
})

test('a resale pays a royalty to the creator', () => {
  expect(splitPrice({ ...sale, creatorId: 'b' })).toEqual({
    sellerCents: 10_200,
    commissionCents: 1_200,
    royaltyCents: 600,
  })
})

test('the shares add up to the price for any price and rates', () => {
  for (const commissionBps of [0, 1, 333, 1_000, 5_000])
    for (const royaltyBps of [0, 1, 777, 5_000, 10_000])
      for (const priceCents of [50, 51, 99, 12_345, 99_999_999]) {
        const shares = splitPrice({ ...sale, creatorId: 'b', priceCents, commissionBps, royaltyBps })
        const { sellerCents, commissionCents, royaltyCents } = shares
        expect(sellerCents + commissionCents + royaltyCents).toBe(priceCents)
        expect(Math.min(sellerCents, commissionCents, royaltyCents)).toBeGreaterThanOrEqual(0)
      }
})
