import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase } from '../testing/database.ts'
import { testLog } from '../testing/log.ts'
import { openDatabase } from './database.ts'
import { closeNextDay, dayOf, type Figures, readStatistics, type Span } from './statistics.ts'

const { url } = await createTestDatabase(`${import.meta.dirname}/../../test-migrations`)
const db = openDatabase({ url, log: testLog })
afterAll(() => db.destroy())
beforeEach(() => sql`delete from statistics_day`.execute(db))

const day = (ago: number) => dayOf(Date.now() - ago * 86_400_000)

/** Figures by day, and the days that were counted. */
function given(byDay: Record<string, Figures>) {
  const counted: string[] = []
  const daily = {
    firstDay: async () => Object.keys(byDay).sort()[0] ?? null,
    count: async (_: unknown, { start, end }: Span) => {
      const of = dayOf(start.getTime())
      counted.push(end.getTime() - start.getTime() === 86_400_000 ? of : end.toISOString())
      return byDay[of] ?? { sold: 0 }
    },
  }
  return { byDay, daily, counted }
}

const close = async ({ daily }: ReturnType<typeof given>) => {
  while (await closeNextDay(db, daily));
}

test('days that are over are counted once and stored; today is counted at each request', async () => {
  const figures = given({ [day(3)]: { sold: 2 }, [day(0)]: { sold: 5 } })
  await close(figures)
  await close(figures)
  expect(figures.counted).not.toContain(day(0))
  expect(figures.counted.filter((each) => each === day(3))).toHaveLength(1)

  figures.byDay[day(3)] = { sold: 100 }
  figures.byDay[day(0)] = { sold: 6 }
  const periods = await readStatistics(db, { from: day(4), to: day(0) }, figures.daily)

  expect(periods.map(({ figures: { sold = 0 } }) => sold)).toEqual([0, 2, 0, 0, 6])
  expect(periods.map(({ from, to }) => [from, to])).toEqual([4, 3, 2, 1, 0].map((ago) => [day(ago), day(ago)]))
})

test('days that no process has stored yet are counted, and nothing before the first one', async () => {
  const figures = given({ [day(2)]: { sold: 1 } })
  expect(await readStatistics(db, { from: day(900), to: day(0), by: 'day' }, figures.daily)).toHaveLength(901)
  expect(figures.counted).toEqual([day(2), day(1), day(0)])
  expect(await readStatistics(db, { from: day(1), to: day(0) }, given({}).daily)).toMatchObject([{}, {}])
})

test('weeks begin on Monday and months on the first, and a range cuts the first and the last one', async () => {
  const figures = given({
    '2025-09-28': { sold: 1, by: { art: 1 } },
    '2025-09-29': { sold: 2, by: { art: 1, cube: 4 } },
    '2025-10-05': { sold: 3 },
    '2025-10-06': { sold: 4 },
  })
  const read = async (by: 'week' | 'month') =>
    (await readStatistics(db, { from: '2025-09-27', to: '2025-10-07', by }, figures.daily)).map(
      ({ from, to, figures: { sold } }) => [from, to, sold],
    )
  expect(await read('week')).toEqual([
    ['2025-09-27', '2025-09-28', 1],
    ['2025-09-29', '2025-10-05', 5],
    ['2025-10-06', '2025-10-07', 4],
  ])
  expect(await read('month')).toEqual([
    ['2025-09-27', '2025-09-30', 3],
    ['2025-10-01', '2025-10-07', 7],
  ])
  const [september] = await readStatistics(db, { from: '2025-09-01', to: '2025-09-30', by: 'month' }, figures.daily)
  expect(september!.figures).toEqual({ sold: 3, by: { art: 2, cube: 4 } })
})

test('a range is one period, and a stored day is counted until a time of day', async () => {
  const figures = given({ '2025-09-28': { sold: 1, by: { art: 1 } }, '2025-10-06': { sold: 4, by: { art: 2 } } })
  await close(figures)
  const range = { from: '2025-09-27', to: '2025-10-07', by: 'range' } as const
  expect(await readStatistics(db, range, figures.daily)).toEqual([
    { from: range.from, to: range.to, figures: { sold: 5, by: { art: 3 } } },
  ])

  figures.counted.length = 0
  figures.byDay['2025-10-06'] = { sold: 3 }
  const until = { from: '2025-10-06', to: '2025-10-06', until: '14:30' }
  expect(await readStatistics(db, until, figures.daily)).toEqual([
    { from: until.from, to: until.to, figures: { sold: 3 } },
  ])
  expect(figures.counted).toEqual(['2025-10-06T14:30:00.000Z'])
})

test.each([
  { from: '2025-02-02', to: '2025-02-01' },
  { from: '2025-02-01', to: '2025-02-02', until: '14:30' },
  { from: '2020-01-01', to: '2025-02-01' },
])('the period $from to $to is a 400', async (period) => {
  await expect(readStatistics(db, period, given({}).daily)).rejects.toMatchObject({ code: 'invalid_period' })
})
