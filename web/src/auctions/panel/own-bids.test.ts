import type { Auction } from '@nifty/api/catalog/public'
import type { LineState } from '@nifty/api/payments/line-states'
import type { Order } from '@nifty/api/payments/public'
import { expect, test } from 'vitest'
import { endingOf } from '../../orders/bid-ending.ts'
import { leastBid, leastBidText, ownBidsOf } from './own-bids.ts'

const auction = { _id: 'auction' } as Auction

type Of = { why?: string | null; auctionId?: string; held?: boolean }

function bid(_id: string, state: LineState, { why = null, auctionId = 'auction', held = state !== 'placed' }: Of = {}) {
  const at = '2026-11-27T10:00:00Z'
  const entry = (of: LineState, note: string | null = null) => ({ state: of, at, itemId: 'work', note })
  return {
    _id,
    kind: 'bid',
    state,
    auctionId: held ? auctionId : null,
    createdAt: at,
    lines: [{ itemId: 'work', reason: state === 'released' ? 'lost' : null }],
    timeline: [...(held ? [entry('held')] : []), ...(state === 'released' ? [entry(state, why)] : [])],
  } as unknown as Order
}

const idsOf = (
  orders: Order[],
  { asked = null as string | null, followed = '', of = auction as Auction | null } = {},
) => {
  const { open, standing, ended } = ownBidsOf(orders, { itemId: 'work', auction: of, asked, followed })
  return [open?._id, standing?._id, ended?._id]
}

test('a bid that leads is shown beside the payment page of a higher one', () => {
  expect(idsOf([bid('raise', 'placed'), bid('first', 'held')])).toEqual(['raise', 'first', undefined])
})

test('the newest bid that ended is shown until another one stands', () => {
  const outbid = bid('outbid', 'released', { why: 'outbid' })
  expect(idsOf([outbid, bid('older', 'released', { why: 'outbid' })])).toEqual([undefined, undefined, 'outbid'])
  expect(idsOf([bid('won', 'delivering'), outbid])).toEqual([undefined, 'won', undefined])
})

test('a bid whose work has arrived is shown where it was before', () => {
  const arrived = bid('won', 'completed')
  expect(idsOf([arrived])).toEqual([undefined, undefined, undefined])
  expect(idsOf([arrived], { followed: 'won' })).toEqual([undefined, 'won', undefined])
  const failed = bid('won', 'released', { why: 'failed' })
  expect(idsOf([failed], { followed: 'won' })).toEqual([undefined, undefined, 'won'])
})

test('a raised bid, an unpaid one and one of an earlier auction are not shown', () => {
  expect(idsOf([bid('raised', 'released', { why: 'raised' })])[2]).toBeUndefined()
  expect(idsOf([bid('earlier', 'released', { why: 'outbid', auctionId: 'former' })])[2]).toBeUndefined()
  const unpaid = bid('unpaid', 'released', { held: false })
  expect(idsOf([unpaid])[2]).toBeUndefined()
  expect(idsOf([unpaid], { asked: 'unpaid' })[2]).toBe('unpaid')
  expect(idsOf([unpaid], { asked: 'unpaid', of: null })[2]).toBe('unpaid')
})

test('bids of other works and offers are not shown', () => {
  const offer = { ...bid('offer', 'held'), kind: 'offer' } as Order
  expect(idsOf([offer])).toEqual([undefined, undefined, undefined])
  expect(ownBidsOf([bid('bid', 'held')], { itemId: 'another', auction, asked: null }).standing).toBeUndefined()
})

test.each([
  ['outbid', 'You were outbid.'],
  ['late_by_us', 'fault in our store'],
  ['a reason of a newer server', 'Your bid has ended.'],
])('a bid that ended as %s says so', (why, text) => {
  expect(endingOf(bid('bid', 'released', { why })).text).toContain(text)
})

test('a bid that was never paid did not count', () => {
  expect(endingOf(bid('bid', 'released', { held: false })).text).toBe('You did not pay, so your bid did not count.')
})

test('who leads names a cent more than before, whatever the next step is', () => {
  expect(leastBid({ minimum: 103 }, 100)).toBe(100.01)
  expect(leastBid({ minimum: 103 }, 99.99)).toBe(100)
  expect(leastBid({ minimum: 103 }, undefined)).toBe(103)
})

test('the least bid is named with its step', () => {
  expect(leastBidText({ minimum: 105.1, price: 99.1 })).toBe(
    'The least bid is 105.10\u00a0€: one step of 6\u00a0€ above the current bid.',
  )
  expect(leastBidText({ minimum: 20, price: null })).toBe('The least bid is 20\u00a0€, the opening price.')
})
