import { expect, test } from 'vitest'
import type { Item } from '../db.ts'
import {
  delist,
  endListing,
  endSoldListing,
  hideForOwner,
  isListedInCustody,
  list,
  release,
  requireOwner,
  requireVisible,
  reserve,
  royaltyBpsOf,
  showForOwner,
} from './item.ts'

const now = new Date('2026-01-01T12:00:00Z')
const until = new Date('2026-01-01T12:35:00Z')

const item = (changes: Partial<Item> = {}) =>
  ({
    ownerId: 'ada',
    wallet: null,
    priceCents: 12_000,
    forSale: true,
    listWhenOwned: false,
    delistRequested: false,
    listingVersion: 3,
    reservedOrder: null,
    reservedBy: null,
    reservedCents: null,
    reservedSeller: null,
    reservedUntil: null,
    hiddenAt: null,
    hiddenBy: null,
    auctionId: null,
    royaltyBps: 500,
    ...changes,
  }) as Item
const reserved = {
  reservedOrder: 'o1',
  reservedBy: 'eve',
  reservedCents: 12_000,
  reservedSeller: 'ada',
  reservedUntil: until,
}

const seller = { wallet: '0xada', admin: true, suspended: false, deletedAt: null }
const purchase = { orderId: 'o1', buyerId: 'eve', buyerWallet: '0xeve', priceCents: 12_000, until }
const code = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    const { statusCode, code } = error as { statusCode: number; code: string }
    return `${statusCode} ${code}`
  }
  return 'nothing thrown'
}

test('the royalty of a creator whose account was deleted stays with the seller', () => {
  expect(royaltyBpsOf(item(), { deletedAt: null })).toBe(500)
  expect(royaltyBpsOf(item(), undefined)).toBe(500)
  expect(royaltyBpsOf(item(), { deletedAt: now })).toBe(0)
})

test('only the owner reaches an item, and nobody one that an operator hides', () => {
  expect(requireOwner(item(), 'ada')).toEqual(item())
  expect(requireOwner(item({ hiddenBy: 'owner' }), 'ada').hiddenBy).toBe('owner')
  expect(code(() => requireOwner(item(), 'eve'))).toBe('403 not_the_owner')
  expect(code(() => requireOwner(item({ hiddenBy: 'owner' }), 'eve'))).toBe('404 item_not_found')
  expect(code(() => requireOwner(item({ hiddenBy: 'operator' }), 'ada'))).toBe('404 item_not_found')
  expect(code(() => requireOwner(undefined, 'ada'))).toBe('404 item_not_found')
})

test('a hidden item has to be shown before it is listed', () => {
  expect(requireVisible(item(), 'ada')).toEqual(item())
  expect(code(() => requireVisible(item({ hiddenBy: 'owner' }), 'ada'))).toBe('409 item_hidden')
})

test.each([
  [{ forSale: true, wallet: null }, true],
  [{ forSale: false, wallet: null }, false],
  [{ forSale: true, wallet: '0xada' }, false],
])('%j is listed in custody: %s', (changes, expected) => {
  expect(isListedInCustody(item(changes))).toBe(expected)
})

test('an item is hidden only when it is not for sale, and keeps its first time', () => {
  const free = { forSale: false }
  expect(hideForOwner(item(free), now)).toEqual(item({ ...free, hiddenAt: now, hiddenBy: 'owner' }))
  expect(hideForOwner(item({ ...free, hiddenAt: until }), now).hiddenAt).toBe(until)
  expect(code(() => hideForOwner(item(), now))).toBe('409 listed')
  expect(code(() => hideForOwner(item({ ...free, listWhenOwned: true }), now))).toBe('409 listed')
  expect(code(() => hideForOwner(item({ ...free, ...reserved }), now))).toBe('409 item_reserved')
})

test('the owner shows what the owner hid, not what an operator hid', () => {
  const byOperator = item({ hiddenAt: now, hiddenBy: 'operator' })
  expect(showForOwner(item({ hiddenAt: now, hiddenBy: 'owner' }))).toEqual(item())
  expect(showForOwner(byOperator)).toEqual(byOperator)
})

test('a listing has a new version, and withdraws a delist request', () => {
  const before = item({ forSale: false, listWhenOwned: true, delistRequested: true, listedAt: null })
  expect(list(before, { priceCents: 900, now })).toEqual(
    item({ priceCents: 900, listedAt: now, shownAt: now, listingVersion: 4 }),
  )
})

const DAY_MS = 86_400_000
const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)

test.each([
  ['never', { forSale: false, listedAt: null }, true],
  ['29 days ago', { forSale: false, listedAt: daysAgo(29) }, false],
  ['30 days ago', { forSale: false, listedAt: daysAgo(30) }, true],
  ['100 days ago and is still for sale', { forSale: true, listedAt: daysAgo(100) }, false],
])('of a work that was listed %s, the listing takes a new place: %s', (_when, changes, isNew) => {
  const before = item({ ...changes, shownAt: until })
  const place = isNew ? { listedAt: now, shownAt: now } : {}
  expect(list(before, { priceCents: 900, now })).toEqual(
    item({ ...before, ...place, forSale: true, priceCents: 900, listingVersion: 4 }),
  )
})

test('after a sale the next listing is new', () => {
  const sold = endSoldListing(item({ listedAt: daysAgo(1) }))
  expect(sold).toEqual(item({ forSale: false, listedAt: null }))
})

test('delisting a reserved item is a request only', () => {
  expect(delist(item({ listWhenOwned: true }))).toEqual(item({ forSale: false }))
  expect(delist(item({ ...reserved, listWhenOwned: true }))).toEqual(item({ ...reserved, delistRequested: true }))
  expect(delist(item({ ...reserved, forSale: false }))).toEqual(item({ ...reserved, forSale: false }))
})

test('a listing that ends leaves the reservation', () => {
  expect(endListing(item({ ...reserved, listWhenOwned: true }))).toEqual(item({ ...reserved, forSale: false }))
})

test('a reservation keeps buyer, price and seller, and withdraws a delist request', () => {
  expect(reserve(item({ delistRequested: true }), seller, purchase)).toEqual(item(reserved))
  expect(reserve(item(), seller, { ...purchase, buyerWallet: null })).toEqual(item(reserved))
})

test.each([
  ['its owner', {}, { buyerId: 'ada' }, seller, '403 own_item'],
  ['the wallet that holds it', { wallet: '0xeve' }, {}, seller, '403 own_item'],
  ['the wallet of its seller', {}, { buyerWallet: '0xada' }, seller, '403 own_item'],
  ['a buyer of what is not for sale', { forSale: false }, {}, seller, '409 not_for_sale'],
  ['a buyer of a suspended seller', {}, {}, { ...seller, suspended: true }, '409 not_for_sale'],
  ['a buyer of a seller without the right', {}, {}, { ...seller, admin: false }, '409 not_for_sale'],
  ['a buyer of a deleted seller', {}, {}, { ...seller, deletedAt: now }, '409 not_for_sale'],
  ['a buyer of an unknown seller', {}, {}, undefined, '409 not_for_sale'],
  ['a second buyer', reserved, { orderId: 'o2', buyerId: 'bob' }, seller, '409 item_reserved'],
  ['a buyer of another price', {}, { priceCents: 12_001 }, seller, '409 price_changed'],
])('%s cannot reserve', (_who, changes, buying, owner, expected) => {
  expect(code(() => reserve(item(changes), owner, { ...purchase, ...buying }))).toBe(expected)
})

test('a refused buyer learns when the reservation ends, unless the payment is held', () => {
  const refusal = (changes: Partial<Item>) => {
    try {
      reserve(item({ ...reserved, ...changes }), seller, { ...purchase, orderId: 'o2', buyerId: 'bob' })
    } catch (error) {
      return (error as { extras: { details: object } }).extras.details
    }
  }
  expect(refusal({})).toEqual({ reservedUntil: until.toISOString() })
  expect(refusal({ reservedUntil: null })).toEqual({ reservedUntil: null })
})

test('a release applies the delist request', () => {
  expect(release(item(reserved))).toEqual(item())
  expect(release(item({ ...reserved, delistRequested: true }))).toEqual(item({ forSale: false }))
  expect(release(item({ ...reserved, forSale: false }))).toEqual(item({ forSale: false }))
})
