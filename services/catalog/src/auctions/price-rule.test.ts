import { expect, test } from 'vitest'
import { isUnusualLimit, minimumFor, minimumOf, place, type Standing, stepOf } from './price-rule.ts'

const opened = (openingCents: number): Standing => ({ openingCents, priceCents: openingCents, leader: null })
const led = (priceCents: number, limitCents: number): Standing => ({
  openingCents: 1_000,
  priceCents,
  leader: { bidderId: 'leader', limitCents },
})
const bid = (limitCents: number, bidderId = 'other') => ({ bidderId, limitCents })

test.each([
  [50, 100],
  [2_000, 100],
  [2_001, 200],
  [10_000, 500],
  [10_100, 600],
  [99_999_999, 5_000_000],
])('one step above %i cents is %i', (cents, step) => {
  expect(stepOf(cents)).toBe(step)
})

test('the first bid names the opening price, each other one a step more than the price', () => {
  expect(minimumOf(opened(1_050))).toBe(1_050)
  expect(minimumOf(led(1_050, 9_000))).toBe(1_150)
  expect([minimumFor(led(1_050, 9_000), 'leader'), minimumFor(led(1_050, 9_000), 'other')]).toEqual([9_001, 1_150])
})

test.each<[string, Standing, ReturnType<typeof bid>, ReturnType<typeof place>['verdict'], number]>([
  ['the first one leads at the opening price', opened(1_000), bid(5_000), 'leads', 1_000],
  ['the first one is too low', opened(1_000), bid(999), 'too_low', 1_000],
  ['a higher one leads a step above the former limit', led(1_000, 5_000), bid(9_000), 'leads', 5_300],
  ['a higher one leads at its own limit, if that is less', led(1_000, 5_000), bid(5_001), 'leads', 5_001],
  ['an equal one does not lead', led(1_000, 5_000), bid(5_000), 'outbid', 5_000],
  ['a lower one raises the price', led(1_000, 5_000), bid(3_000), 'outbid', 3_200],
  ['a lower one raises it to the limit at most', led(1_000, 5_000), bid(4_900), 'outbid', 5_000],
  ['one below the least is too low', led(1_000, 5_000), bid(1_099), 'too_low', 1_000],
  ['the leader names more', led(1_000, 5_000), bid(5_001, 'leader'), 'raised', 1_000],
  ['the leader names no more', led(1_000, 5_000), bid(5_000, 'leader'), 'too_low', 1_000],
])('%s', (_what, now, next, verdict, priceCents) => {
  expect(place(now, next)).toMatchObject({ verdict, after: { priceCents } })
})

test('more than ten times the price is unusual', () => {
  expect([isUnusualLimit(10_000, opened(1_000)), isUnusualLimit(10_001, opened(1_000))]).toEqual([false, true])
  expect([isUnusualLimit(20_000, led(2_000, 2_000)), isUnusualLimit(20_001, led(2_000, 2_000))]).toEqual([false, true])
})

/** mulberry32. */
function randomOf(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Throws what does not hold in one random auction of ten bids by four bidders. Returns whether somebody leads. */
function playAuction(random: () => number): boolean {
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1))
  const demand = (holds: boolean, what: string, ...seen: unknown[]) => {
    if (!holds) throw new Error(`${what}: ${JSON.stringify(seen)}`)
  }
  let now = opened(between(50, 5_000))
  const stood: ReturnType<typeof bid>[] = []
  for (let turn = 0; turn < 10; turn++) {
    const next = bid(between(50, 30_000), String(between(0, 3)))
    const { verdict, after } = place(now, next)
    if (verdict !== 'too_low') stood.push(next)
    demand(after.priceCents >= now.priceCents, 'the price fell', now, next, after)
    demand(verdict !== 'raised' || after.priceCents === now.priceCents, 'an own raise was visible', now, next)
    demand(verdict !== 'too_low' || after === now, 'a bid that is too low changed something', now, next)
    now = after
  }
  const { leader, priceCents, openingCents } = now
  if (!leader) return false
  const highest = Math.max(...stood.map(({ limitCents }) => limitCents))
  const first = stood.find(({ limitCents }) => limitCents === highest)!
  const others = stood.filter(({ bidderId }) => bidderId !== leader.bidderId)
  const second = Math.max(0, ...others.map(({ limitCents }) => limitCents))
  demand(leader.limitCents === highest && leader.bidderId === first.bidderId, 'the highest, then earliest, wins', now)
  demand(priceCents >= openingCents && priceCents <= leader.limitCents, 'the price left its bounds', now, stood)
  demand(priceCents >= second, 'below the second limit', now, stood)
  demand(priceCents <= Math.max(openingCents, second + stepOf(second)), 'more than a step above it', now, stood)
  return true
}

test('in random auctions the highest limit wins, at no more than a step above the second', () => {
  const random = randomOf(20_261_127)
  let sold = 0
  for (let round = 0; round < 5_000; round++) if (playAuction(random)) sold++
  expect(sold).toBeGreaterThan(4_900)
})
