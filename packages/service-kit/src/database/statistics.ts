import type { StatisticsBy } from '@nifty/api/statistics'
import { type Kysely, sql } from 'kysely'
import { invalid } from '../base/errors.ts'

/** Sums by name; nested ones by a further word, such as a category. */
export type Figures = { [name: string]: number | Figures }

/** Of a UTC day; `end` is exclusive. */
export type Span = { start: Date; end: Date }

/** What a service counts. Days are UTC ones, as ISO 8601. */
export type DailyFigures = {
  /** The first day with something to count; null without any. */
  firstDay: (db: Kysely<any>) => Promise<string | null>
  count: (db: Kysely<any>, span: Span) => Promise<Figures>
}

/** A period of whole days, both inclusive. */
export type Period = { from: string; to: string; figures: Figures }

const DAY_MS = 86_400_000
const MAX_DAYS = 1_200

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const msOf = (day: string) => Date.parse(`${day}T00:00:00Z`)
export const nextDay = (day: string): string => dayOf(msOf(day) + DAY_MS)
const wholeDay = (day: string): Span => ({ start: new Date(msOf(day)), end: new Date(msOf(day) + DAY_MS) })

/**
 * Counts the oldest day that is not stored, once it is over for an hour: a transaction that began before midnight has
 * committed by then. True if another one follows. Several processes store a day once.
 */
export async function closeNextDay(db: Kysely<any>, { firstDay, count }: DailyFigures): Promise<boolean> {
  const { closed, last } = await readDays(db)
  const day = closed === null ? await firstDay(db) : nextDay(closed)
  if (day === null || day > last) return false
  const figures = JSON.stringify(await count(db, wholeDay(day)))
  await sql`insert into statistics_day (day, figures) values (${day}, ${figures}) on conflict do nothing`.execute(db)
  return day < last
}

/** The newest stored day, the newest one that may be stored, and today. */
async function readDays(db: Kysely<any>) {
  const { rows } = await sql<{ closed: string | null; last: string; today: string }>`
    select (select max(day) from statistics_day)::text as closed,
      ((now() at time zone 'utc' - interval '1 hour')::date - 1)::text as last,
      (now() at time zone 'utc')::date::text as today`.execute(db)
  return rows[0]!
}

/** The first day of the week or the month of a day; weeks begin on Monday. */
function startOf(day: string, by: Exclude<StatisticsBy, 'range'>): string {
  if (by === 'day') return day
  if (by === 'month') return `${day.slice(0, 7)}-01`
  const weekday = (new Date(msOf(day)).getUTCDay() + 6) % 7
  return dayOf(msOf(day) - weekday * DAY_MS)
}

const invalidPeriod = (path: string, msg: string) =>
  invalid('invalid_period', 'This period cannot be counted', { errors: [{ path, msg }] })

/** Adds figures to sums, name by name. */
export function addFigures(sums: Figures, figures: Figures) {
  for (const [name, value] of Object.entries(figures)) {
    const before = sums[name]
    if (typeof value === 'number') sums[name] = (typeof before === 'number' ? before : 0) + value
    else {
      const inner = typeof before === 'object' ? before : {}
      addFigures(inner, value)
      sums[name] = inner
    }
  }
}

/**
 * The figures of each day, week or month of a range, oldest first; the first and the last one end with the range.
 * Closed days are read, later ones counted, and a single day `until` a time of day, such as `14:30`, is counted too.
 * Throws 400 `invalid_period`.
 */
export async function readStatistics(
  db: Kysely<any>,
  { from, to, by = 'day', until }: { from: string; to: string; by?: StatisticsBy; until?: string },
  { firstDay, count }: DailyFigures,
): Promise<Period[]> {
  if (from > to || msOf(to) - msOf(from) > MAX_DAYS * DAY_MS)
    throw invalidPeriod('to', `Please choose a day within ${MAX_DAYS} days after the first`)
  if (until !== undefined) {
    if (from !== to) throw invalidPeriod('until', 'Please choose a single day')
    const span = { start: new Date(msOf(from)), end: new Date(`${from}T${until}:00Z`) }
    return [{ from, to, figures: await count(db, span) }]
  }
  const { closed, today } = await readDays(db)
  const { rows } = await sql<{ day: string; figures: Figures }>`
    select day::text, figures from statistics_day where day between ${from} and ${to}`.execute(db)
  const byDay = new Map(rows.map(({ day, figures }) => [day, figures]))
  const open = closed === null ? await firstDay(db) : nextDay(closed)
  for (let day = open ?? nextDay(today); day <= today && day <= to; day = nextDay(day))
    if (day >= from) byDay.set(day, await count(db, wholeDay(day)))

  const periods: Period[] = []
  for (let day = from; day <= to; day = nextDay(day)) {
    const period = periods.at(-1)
    if (!period || (by !== 'range' && startOf(day, by) === day)) periods.push({ from: day, to: day, figures: {} })
    else period.to = day
    addFigures(periods.at(-1)!.figures, byDay.get(day) ?? {})
  }
  return periods
}
