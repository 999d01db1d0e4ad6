import type { Gift } from '@nifty/api/minting/gifts'
import type { LineState } from '@nifty/api/payments/line-states'
import type { Order, OrderLine } from '@nifty/api/payments/public'
import { expect, test } from 'vitest'
import {
  conditionalLabel,
  deliveredAt,
  deliveryFact,
  headline,
  holderOf,
  keptLines,
  ownedLines,
  statusLabel,
  unfinishedText,
} from './order-copy.ts'

const orderIn = (state: LineState, reason: string | null = null) =>
  ({
    state,
    lines: [{ _id: 'line', itemId: 'item', state, reason }],
    timeline: [{ state: 'delivered', at: '2026-03-01T10:00:00Z', itemId: 'item', note: null }],
  }) as unknown as Order

test.each([
  ['cancelled', 'The purchase was cancelled.'],
  ['undeliverable', 'could not be delivered'],
])('the headline of a released order (%s) is that nothing was charged, then the reason', (reason, text) => {
  const released = headline(orderIn('released', reason))
  expect(released.title).toBe('Nothing was charged')
  expect(released.text).toContain(text)
})

test.each([
  ['bid', 'You lead', 'You lead the auction'],
  ['offer', 'Waiting for the owner', 'Waiting for the owner'],
] as const)('a held %s is told as such once it is placed', (kind, label, title) => {
  const held = { ...orderIn('held'), kind, auctionId: null, decideBy: null }
  expect([conditionalLabel(held, 'custody'), headline(held).title]).toEqual(['Card held', 'Your card is held'])
  const placed = { ...held, ...(kind === 'bid' ? { auctionId: 'auction' } : { decideBy: '2026-03-02T10:00:00Z' }) }
  expect([conditionalLabel(placed, 'custody'), headline(placed).title]).toEqual([label, title])
})

test.each<[LineState, number]>([
  ['delivering', 0],
  ['released', 0],
  ['delivered', 1],
  ['completed', 1],
  ['refunded', 1],
])('an order that is %s has %i owned lines', (state, count) => {
  expect(ownedLines(orderIn(state))).toHaveLength(count)
})

test('an order is withdrawn once all works that arrived are', () => {
  const lines = ['completed', 'completed', 'released'].map((state, place) => ({ _id: `line-${place}`, state }))
  const order = { lines, isGift: false } as Order
  const withdrawn = (...ids: string[]) => ({
    withdrawalOf: ({ _id }: OrderLine) => (ids.includes(_id) ? {} : undefined),
    giftOf: () => undefined,
  })
  expect(holderOf(order, withdrawn('line-0'))).toBe('custody')
  expect(holderOf(order, withdrawn('line-0', 'line-1'))).toBe('withdrawn')
  expect(holderOf({ ...order, lines: [lines[2]!] } as Order, withdrawn())).toBe('custody')
})

test.each<[Gift['state'] | undefined, string, string, number]>([
  [undefined, 'Your gift is not accepted yet', 'Gift, not accepted yet', 1],
  ['bought', 'Your gift is not accepted yet', 'Gift, not accepted yet', 1],
  ['offered', 'Your gift is not accepted yet', 'Gift, not accepted yet', 1],
  ['claiming', 'Your gift was accepted', 'Gift, accepted', 0],
  ['claimed', 'Your gift was accepted', 'Gift, accepted', 0],
  ['taken_back', 'It is yours', 'Completed', 1],
  ['refunded', 'It is yours', 'Completed', 1],
  ['lapsed', 'It is yours', 'Completed', 1],
])('the order of a gift that is %s has the title %j in its page, and %j in lists', (state, title, label, kept) => {
  const order = { ...orderIn('completed'), wallet: null, isGift: true }
  const giftOf = () => (state ? { state } : undefined)
  const holder = holderOf(order, { giftOf })
  expect(headline(order, holder).title).toBe(title)
  expect(statusLabel('completed', holder)).toBe(label)
  expect(statusLabel('refunded', holder)).toBe('Refunded')
  expect(keptLines(order, giftOf)).toHaveLength(kept)
})

test('the date of delivery is that of the same item', () => {
  expect(deliveredAt(orderIn('completed'), 'item')).toBe('2026-03-01T10:00:00Z')
  expect(deliveredAt(orderIn('completed'), 'another')).toBeNull()
})

test.each<[LineState, string, string]>([
  ['completed', 'Delivered to your wallet', 'Kept here for you'],
  ['written_off', 'Delivered to your wallet', 'Kept here for you'],
  ['released', 'delivered to your wallet', 'transferred into our custody for you'],
])('the headline of an order that is %s names its recipient', (state, toWallet, toCustody) => {
  const order = orderIn(state, 'undeliverable')
  expect(headline({ ...order, wallet: '0xabc' }).text).toContain(toWallet)
  expect(headline({ ...order, wallet: null }).text).toContain(toCustody)
  expect(headline({ ...order, wallet: null }).text).not.toContain('wallet')
})

test.each([null, '0xabc'])('a cancelled order into %s was delivered nowhere', (wallet) => {
  const to = { wallet, isGift: wallet === null }
  expect(deliveryFact({ ...to, state: 'released' })).toEqual(['Delivered', 'Nothing'])
  expect(deliveryFact({ ...to, state: 'completed' })[1]).toBe(wallet ?? 'Our custody, as a gift')
})

test('an unfinished payment for a gift is named as one', () => {
  expect(unfinishedText({ isGift: true })).toContain('gift')
  expect(unfinishedText({ isGift: false })).not.toContain('gift')
})
