import { expect, test } from 'vitest'
import { balancesOf, splitPrice } from './book.ts'

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

test('a loss of the platform takes from its commission, and leaves the shares of seller and creator', () => {
  const shares = { sellerCents: 850, commissionCents: 100, royaltyCents: 50 }
  const line = { priceCents: 1_000, capturedCents: 1_000, shares }
  expect(balancesOf({ ...line, losses: { platform: 500, seller: 0 } })).toEqual({
    sale: 850,
    royalty: 50,
    commission: 50,
    platform: -450,
  })
  expect(balancesOf({ ...line, losses: { platform: 0, seller: 500 } })).toEqual({
    sale: 425,
    royalty: 25,
    commission: 50,
    platform: 0,
  })
})

test('a loss above the price takes no share below 0', () => {
  const shares = { sellerCents: 850, commissionCents: 100, royaltyCents: 50 }
  const line = { priceCents: 1_000, capturedCents: 1_000, shares }
  expect(balancesOf({ ...line, losses: { platform: 0, seller: 1_200 } })).toEqual({
    sale: 0,
    royalty: 0,
    commission: 0,
    platform: -200,
  })
})
