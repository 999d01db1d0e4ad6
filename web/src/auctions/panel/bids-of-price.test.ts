import type { AuctionBid } from '@nifty/api/catalog/auctions'
import { expect, test } from 'vitest'
import { bidsOfPrice } from './bids-of-price.ts'

const bid = (bidder: number, price: number, leader = bidder): AuctionBid => ({
  bidder,
  leader,
  price,
  at: '2026-11-27T10:00:00Z',
  withdrawn: false,
})
const listed = { bids: [bid(2, 32, 1), bid(1, 20)], leader: 1 }

test('the list is that of the price, and says who leads', () => {
  expect(bidsOfPrice(listed, { bids: 2, price: 32 })).toEqual({ entries: listed.bids, leads: true })
})

test('bids that the price does not have yet are left out, and the auction is fetched again', () => {
  expect(bidsOfPrice(listed, { bids: 1, price: 20 })).toEqual({
    entries: [bid(1, 20)],
    leads: false,
    differs: 'newer',
  })
})

test('a list that is older than the price names no leader', () => {
  expect(bidsOfPrice(listed, { bids: 3, price: 40 })).toEqual({ entries: listed.bids, leads: false, differs: 'older' })
})

test('after a leader is lost nobody leads, whichever was fetched first', () => {
  expect(bidsOfPrice({ ...listed, leader: null }, { bids: 2, price: null })).toMatchObject({ leads: false })
  expect(bidsOfPrice(listed, { bids: 2, price: null })).toMatchObject({ leads: false, differs: 'newer' })
})

test('of more bids than are listed the newest has the price', () => {
  const many = { bids: Array.from({ length: 200 }, (_, index) => bid(1, 400 - index)), leader: 1 }
  expect(bidsOfPrice(many, { bids: 250, price: 400 })).toMatchObject({ leads: true })
  expect(bidsOfPrice(many, { bids: 250, price: 399 })).toMatchObject({ leads: false, differs: 'newer' })
  expect(bidsOfPrice(undefined, { bids: 1, price: 20 })).toEqual({ entries: [], leads: false })
})
