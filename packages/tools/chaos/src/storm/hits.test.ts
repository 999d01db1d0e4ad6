import { join } from 'node:path'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { expect, test } from 'vitest'
import { addHits, hitsOf, notPassed } from './hits.ts'
import { openJournal } from './journal.ts'
import { points } from './points.ts'

const point = 'payments: processor capture, before'

async function journalOf(hits: number) {
  const journal = openJournal(join(await temporaryFolder('storm'), 'journal.jsonl'))
  journal.write({
    actor: 'failpoints',
    what: 'hits',
    program: 'payments',
    start: 0,
    hits: { 'processor capture, before': hits, 'a point of no kill, before': 7 },
  })
  journal.write({ actor: 'failpoints', what: 'killed', program: 'payments', point: 'processor capture, before' })
  journal.write({ actor: 'driver', what: 'begins' })
  return journal.file
}

test('hits and kills are counted for each point, also for one that no process passed', async () => {
  const counts = hitsOf(await journalOf(3))
  expect(counts).toHaveLength(points.length)
  expect(counts).toContainEqual({ point, hits: 3, kills: 1 })
  expect(notPassed(counts)).toHaveLength(points.length - 1)
  expect(notPassed(counts)).toContain('no process passed the point minting: broadcast, before')
})

test('a file has the sums of several runs', async () => {
  const file = join(await temporaryFolder('storm'), 'hits.json')
  addHits(file, hitsOf(await journalOf(3)))
  const { runs, points: sums } = addHits(file, hitsOf(await journalOf(4)))
  expect(runs).toBe(2)
  expect(sums).toContainEqual({ point, hits: 7, kills: 2 })
})
