import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { expect, test } from 'vitest'
import { rivalOf } from './cast/rival.ts'
import { openJournal } from './journal.ts'
import { readOptions } from './options.ts'
import { points } from './points.ts'
import { createSchedule, isLarge, type Schedule, shares } from './schedule.ts'

const size = { purchases: 1_000, kills: 200, replicas: 2 }

test('a seed and a size give the same schedule, another seed gives another', () => {
  expect(createSchedule({ seed: '1', ...size })).toEqual(createSchedule({ seed: '1', ...size }))
  expect(createSchedule({ seed: '2', ...size })).not.toEqual(createSchedule({ seed: '1', ...size }))
})

test('half of the purchases are not plain, and even a small run has every kind', () => {
  const { purchases } = createSchedule({ seed: '1', ...size })
  expect(purchases).toHaveLength(1_000)
  expect(purchases.filter(({ kind }) => kind !== 'plain')).toHaveLength(500)
  const small = createSchedule({ seed: '1', purchases: 60, kills: 10, replicas: 1 })
  expect(new Set(small.purchases.map(({ kind }) => kind))).toEqual(new Set(Object.keys(shares)))
})

test('one purchase in ten is a gift, with every ending in a small run', () => {
  const giftsOf = (schedule: Schedule) => schedule.purchases.filter(({ gift }) => gift)
  const gifts = giftsOf(createSchedule({ seed: '1', ...size }))
  expect(gifts).toHaveLength(100)
  expect(gifts.every(({ works, intoCustody }) => works === 1 && intoCustody)).toBe(true)
  const small = giftsOf(createSchedule({ seed: '1', purchases: 60, kills: 10, replicas: 1 }))
  expect(small).toHaveLength(6)
  expect(new Set(small.map(({ gift }) => gift!.ending))).toEqual(new Set(['claimed', 'taken back', 'lapsed']))
  const ofBuyers = small.filter(({ gift }) => gift!.ending === 'claimed' && gift!.recipient.startsWith('buyer-'))
  expect(ofBuyers.length).toBeGreaterThan(0)
  for (const { buyer, gift } of gifts) if (gift!.ending === 'claimed') expect(gift!.recipient).not.toBe(buyer)
})

test('one purchase in three is an offer or a bid, with every ending in a small run', () => {
  const offersOf = ({ purchases }: Schedule) => purchases.filter(({ offer }) => offer)
  const bidsOf = ({ purchases }: Schedule) => purchases.filter(({ bid }) => bid)
  const large = createSchedule({ seed: '1', ...size })
  expect(offersOf(large).length + bidsOf(large).length).toBe(333)
  expect(offersOf(large).every(({ gift, kind, bid }) => !gift && !bid && kind !== 'cart')).toBe(true)
  expect(bidsOf(large).every(({ gift, kind }) => !gift && kind === 'plain')).toBe(true)
  const small = createSchedule({ seed: '1', purchases: 60, kills: 10, replicas: 1 })
  expect(offersOf(small).length + bidsOf(small).length).toBe(20)
  expect(new Set(offersOf(small).map(({ offer }) => offer!.ending)).size).toBe(7)
  expect(new Set(bidsOf(small).map(({ bid }) => bid!.ending)).size).toBe(4)
  for (const { purchases } of [large, small])
    for (const [place, { offer, bid, works, buyer }] of purchases.entries()) {
      const by = rivalOf({ offer, bid })
      if (by === undefined) continue
      const { kind, offer: other, bid: otherBid, buyer: rival } = purchases[by]!
      expect(buyer).not.toBe(rival)
      expect([works, by > place, kind]).toEqual([0, true, 'plain'])
      expect([undefined, 'accepted']).toContain(other?.ending)
      expect(otherBid?.ending).toBe(bid ? 'won' : undefined)
    }
})

test('half of the cancellations and delistings come after the payment is authorised, the others during the payment', () => {
  const { purchases } = createSchedule({ seed: '1', ...size })
  for (const kind of ['cancelled', 'delisted'] as const) {
    const offsets = purchases.filter((purchase) => purchase.kind === kind).map(({ offsetMs }) => offsetMs)
    expect(offsets.filter((ms) => ms > 200)).toHaveLength(offsets.length / 2)
    expect(Math.min(...offsets)).toBeLessThan(0)
    expect(Math.max(...offsets)).toBeLessThanOrEqual(2_500)
  }
  const plain = purchases.filter(({ kind }) => kind === 'plain').map(({ offsetMs }) => offsetMs)
  expect(Math.max(...plain)).toBeLessThanOrEqual(200)
})

test('at least half of the kills of a large run are at points, and every point has its turn', () => {
  const { faults } = createSchedule({ seed: '1', ...size })
  const kills = faults.flatMap((fault) => (fault.kind === 'kill' ? [fault] : []))
  const atPoints = kills.filter(({ point }) => point !== undefined)
  expect(kills).toHaveLength(200)
  expect(atPoints.length).toBeGreaterThanOrEqual(100)
  expect(new Set(atPoints.map(({ program, point }) => `${program}: ${point}`)).size).toBe(points.length)
})

test('a large run has a process of an older version, a key rotation and a restored database', () => {
  const large = createSchedule({ seed: '1', ...size })
  const kindsOf = ({ faults }: Schedule) => faults.map(({ kind }) => kind)
  expect(isLarge(large)).toBe(true)
  expect(large.older).toBeDefined()
  expect(kindsOf(large).filter((kind) => kind === 'key rotated')).toHaveLength(1)
  expect(kindsOf(large).filter((kind) => kind === 'database restored')).toHaveLength(1)
  const small = createSchedule({ seed: '1', purchases: 60, kills: 10, replicas: 1 })
  expect(isLarge(small)).toBe(false)
  expect(small.older).toBeUndefined()
})

test('a journal replays its schedule, also after faults were taken out of it', async () => {
  const schedule = createSchedule({ seed: '7', purchases: 5, kills: 3, replicas: 1 })
  const journal = openJournal(join(await temporaryFolder('storm'), 'journal.jsonl'))
  journal.write({ actor: 'storm', what: 'schedule', schedule })
  journal.write({ actor: 'driver', what: 'begins' })
  expect(readOptions(['--replay', journal.file]).schedule).toEqual(schedule)

  const [first, ...rest] = readFileSync(journal.file, 'utf8').split('\n')
  const entry = JSON.parse(first!)
  const faults = schedule.faults.slice(1)
  writeFileSync(journal.file, [JSON.stringify({ ...entry, schedule: { ...schedule, faults } }), ...rest].join('\n'))
  expect(readOptions(['--replay', journal.file]).schedule.faults).toEqual(faults)
})
