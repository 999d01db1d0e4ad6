import type { Auction } from '@nifty/api/catalog/public'
import { expect, test } from 'vitest'
import {
  bidsText,
  clockText,
  isNearEnd,
  isOnAuction,
  isShown,
  momentText,
  roughText,
  stateOf,
  stateText,
  takesBids,
} from './auction-state.ts'

const at = (time: string) => Date.parse(`2026-11-27T${time}Z`)
const auction = (fields: Partial<Auction> = {}): Auction => ({
  _id: 'auction',
  opening: 50,
  hours: 24,
  startsAt: null,
  endsAt: null,
  price: null,
  bids: 0,
  minimum: 50,
  outcome: null,
  why: null,
  ...fields,
})
const announced = auction({ startsAt: '2026-11-27T12:00:00Z', endsAt: '2026-11-28T12:00:00Z' })
const running = auction({ endsAt: '2026-11-27T14:00:00Z', price: 120, bids: 4 })

test('the state follows from the times and the clock', () => {
  expect(stateOf(announced, at('11:59:59'))).toBe('announced')
  expect(stateOf(announced, at('12:00:00'))).toBe('running')
  expect(stateOf(auction(), at('12:00:00'))).toBe('waiting')
  expect(stateOf(running, at('13:59:59'))).toBe('running')
  expect(stateOf(running, at('14:00:00'))).toBe('closing')
  expect(stateOf({ ...running, outcome: 'awarded' }, at('13:00:00'))).toBe('awarded')
})

test('bids are taken from the start to the end', () => {
  expect(takesBids('waiting') && takesBids('running')).toBe(true)
  expect((['announced', 'closing', 'awarded', 'unsold'] as const).some(takesBids)).toBe(false)
})

test('a work is on auction until it is delivered or the auction ended otherwise', () => {
  expect(isOnAuction({ auction: running })).toBe(true)
  expect(isOnAuction({ auction: { ...running, outcome: 'awarded' } })).toBe(true)
  expect(isOnAuction({ auction: { ...running, outcome: 'unsold' } })).toBe(false)
  expect(isOnAuction({ auction: null })).toBe(false)
  expect(isOnAuction({})).toBe(false)
})

test('the page shows an auction until it is over, and for a week afterwards', () => {
  expect(isShown(running, Date.parse('2027-11-27T00:00:00Z'))).toBe(true)
  const ended = auction({ outcome: 'unsold', endedAt: '2026-11-20T12:00:00Z' })
  expect(isShown(ended, at('11:59:59'))).toBe(true)
  expect(isShown(ended, at('12:00:00'))).toBe(false)
})

test('the page reads more often in the last quarter of an hour and until the auction is decided', () => {
  expect(isNearEnd(running, at('13:30:00'))).toBe(false)
  expect(isNearEnd(running, at('13:46:00'))).toBe(true)
  expect(isNearEnd(running, at('14:01:00'))).toBe(true)
  expect(isNearEnd({ ...running, outcome: 'awarded' }, at('14:01:00'))).toBe(false)
  expect(isNearEnd(auction(), at('14:01:00'))).toBe(false)
})

test.each([
  [52 * 3_600_000, '2 d 4 h', '2 d 4 h'],
  [24 * 3_600_000, '1 d 0 h', '1 d 0 h'],
  [24 * 3_600_000 - 1, '23 h 59 min', '23 h 59 min'],
  [2 * 3_600_000 - 1, '1 h 59 min', '1 h 59 min'],
  [3_600_000, '1 h 0 min', '1 h 0 min'],
  [3_600_000 - 1, '60:00', '59 min'],
  [725_000, '12:05', '12 min'],
  [1, '0:01', '1 min'],
  [-5_000, '0:00', '1 min'],
])('%d ms before the end the clock reads "%s", and a card "%s"', (ms, clock, rough) => {
  expect(clockText(ms)).toBe(clock)
  expect(roughText(ms)).toBe(rough)
})

test.each([
  ['2026-11-27T20:00:00Z', '20:00'],
  ['2026-11-28T00:30:00Z', 'Saturday 00:30'],
  ['2026-12-02T20:00:00Z', 'Wednesday 20:00'],
  ['2026-12-12T20:00:00Z', '12 Dec 2026, 20:00'],
  ['2026-11-26T20:00:00Z', '26 Nov 2026, 20:00'],
])('%s is "%s"', (moment, text) => {
  expect(momentText(moment, at('12:00:00'), { timeZone: 'UTC' })).toBe(text)
})

test('each state has its sentence', () => {
  const text = (of: Auction, now = at('11:00:00')) => stateText(of, stateOf(of, now), now, { timeZone: 'UTC' })
  expect(text(announced)).toBe('Auction starts 12:00, for 24 hours')
  expect(text(auction())).toBe('The first bid starts the clock: 24 h')
  expect(text(running)).toBe('4 bids')
  expect(text({ ...running, price: null })).toBe('The leading bid was withdrawn: the auction is open again')
  expect(text(running, at('14:00:01'))).toBe('The last bids are being confirmed by their banks')
  expect(text({ ...running, outcome: 'sold' })).toBe('Sold at auction for 120\u00a0€')
  expect(text(auction({ outcome: 'unsold' }))).toBe('The auction ended without a bid')
  expect(text(auction({ outcome: 'unsold', bids: 2 }))).toBe('The auction ended without a sale: no bid was left')
  expect(text(auction({ outcome: 'cancelled' }))).toBe('The owner cancelled the auction')
  expect(text({ ...running, outcome: 'failed' })).toContain('Nothing was charged')
  const ended = (why: string) => text({ ...running, outcome: 'void', why })
  expect(ended('moved')).toBe('The auction ended without a sale, because the work has another owner')
  expect(ended('of a newer server')).toBe('The auction ended without a sale')
  expect([0, 1, 2].map(bidsText)).toEqual(['No bid yet', '1 bid', '2 bids'])
})
