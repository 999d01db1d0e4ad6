import { expect, test } from 'vitest'
import { exploreOffers } from './offer.ts'
import { type Variant, variants } from './variants.ts'

const names = Object.keys(variants) as Variant[]
const holding = names.filter((name) => variants[name].length === 0)
const careless = names.filter((name) => variants[name].length > 0)

test.each(holding)('two offers keep every rule in every sequence of moves: %s', (variant) => {
  const all = { lostHolds: 1, movedTokens: 1, refusedDeliveries: 1, purchases: 1 }
  const { states, violations } = exploreOffers(variant, 2, all)
  expect(states).toBeGreaterThan(10_000)
  expect([...violations]).toEqual([])
})

test('three offers keep every rule while a hold is lost and the token moves', () => {
  const some = { lostHolds: 1, movedTokens: 1, refusedDeliveries: 0, purchases: 0 }
  const { states, violations } = exploreOffers('as designed', 3, some)
  expect(states).toBeGreaterThan(50_000)
  expect([...violations]).toEqual([])
})

test.each(careless)('without one rule some sequence of moves shows what it prevents: %s', (variant) => {
  const some = { lostHolds: 1, movedTokens: 1, refusedDeliveries: 0, purchases: 1 }
  const { violations } = exploreOffers(variant, 2, some)
  expect([...violations.keys()]).toEqual(expect.arrayContaining(variants[variant]))
})
