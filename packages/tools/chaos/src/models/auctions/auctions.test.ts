import { expect, test } from 'vitest'
import { exploreAuction } from './auction.ts'
import { type Variant, variants } from './variants.ts'

const names = Object.keys(variants) as Variant[]
const holding = names.filter((name) => variants[name].length === 0)
const careless = names.filter((name) => variants[name].length > 0)
const none = { lostHolds: 0, movedTokens: 0, refusedDeliveries: 0, purchases: 0 }

test.each(holding)('two bids keep every rule in every sequence of moves: %s', (variant) => {
  const all = { lostHolds: 1, movedTokens: 1, refusedDeliveries: 1, purchases: 1 }
  const { states, violations } = exploreAuction(variant, 2, all)
  expect(states).toBeGreaterThan(50_000)
  expect([...violations]).toEqual([])
})

test('two bidders, of whom one raises the own bid, keep every rule', () => {
  const { states, violations } = exploreAuction('as designed', 3, none)
  expect(states).toBeGreaterThan(50_000)
  expect([...violations]).toEqual([])
})

test.each(careless)('without one rule some sequence of moves shows what it prevents: %s', (variant) => {
  const { violations } = exploreAuction(variant, 2, { ...none, refusedDeliveries: 1, purchases: 1 })
  expect([...violations.keys()]).toEqual(expect.arrayContaining(variants[variant]))
})
