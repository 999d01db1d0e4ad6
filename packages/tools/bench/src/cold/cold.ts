import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Market } from '@nifty/api/catalog/public'
import type { Database } from '@nifty/catalog/db'
import { type Kysely, sql } from 'kysely'
import { type MeasuredPostgres, startMeasuredPostgres } from '../cluster/postgres.ts'
import { median, percentile } from '../results/statistics.ts'
import type { Figure } from '../results/target.ts'
import type { Run } from '../run/part.ts'
import { sizesOf } from '../run/sizes.ts'
import { coldReads as targets } from '../run/targets.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import { fillCatalog } from './fill.ts'
import { queries } from './queries.ts'
import { runQuery, timeQuery } from './query.ts'
import { type Shape, shapeOf } from './shapes.ts'
import { measureTail } from './tail.ts'

/** Numbers of works, ascending; the first is the baseline of the last. `BENCH_WORKS` replaces the list. */
const SIZES = sizesOf('BENCH_WORKS', [20_000, 100_000, 1_000_000])
const ROUNDS = 9
const LISTINGS = 200

type Catalogue = { works: number; db: Kysely<Database> }

/**
 * Market queries that are in no cache, on generated catalogues of several sizes: time of the query and of its page, by
 * the service's own code in this process. The sizes take turns, with pages of equal length. Then the largest one with
 * several readers and the pages that visitors request.
 */
export async function benchColdReads({ log }: Run): Promise<Figure[]> {
  const { path: folder, remove: removeFolder } = await temporaryFolder()
  const postgres = await startMeasuredPostgres(join(folder, 'postgres'))
  const catalogues: Catalogue[] = []
  try {
    for (const works of SIZES) {
      const url = new URL(postgres.url)
      url.pathname = `/works_${works}`
      catalogues.push({ works, db: await fillCatalog(url.href, works) })
      log(`${works} works filled`)
    }
    const [small, large] = [catalogues[0]!, catalogues.at(-1)!]
    const scansBefore = await sequentialScans(large.db)
    const shapes = await shapesIn(catalogues)
    const times = await timeQueries(catalogues, shapes)
    const rows = shapes.map(({ name }, place) => ({
      name,
      medians: times.map((ofCatalogue) => median(ofCatalogue[place]!)),
    }))
    const slowest = slowestOf(rows.map(({ medians }) => medians))
    const tail = await measureTail(large.db)
    return [
      { target: targets.median, figure: slowest.at(-1)!, baseline: slowest[0]! },
      { target: targets.tail, figure: percentile(tail.ms, 0.99), baseline: median(tail.ms) },
      { target: targets.sequentialScans, figure: (await sequentialScans(large.db)) - scansBefore },
      {
        target: targets.listing,
        figure: await listingCpuMs(postgres, large.db),
        baseline: await listingCpuMs(postgres, small.db),
      },
      { name: 'capacity of cold queries, largest catalogue', unit: '/s', figure: tail.capacity },
      ...SIZES.slice(1, -1).map((works, place) => {
        const slowest = slowestOf(rows.map(({ medians }) => medians.slice(0, place + 2)))
        const name = `cold market query, ${works.toLocaleString('en')} works, slowest ratio of the medians`
        return { name, unit: 'ms', figure: slowest.at(-1)!, baseline: slowest[0]! }
      }),
      ...rows.map(({ name, medians }) => ({ name, unit: 'ms', figure: medians.at(-1)!, baseline: medians[0]! })),
    ]
  } finally {
    for (const { db } of catalogues) await db.destroy()
    await postgres.stop()
    await removeFolder()
  }
}

/** The query that is slowest on the last catalogue in comparison with the first. */
const slowestOf = (queries: number[][]) =>
  queries.toSorted((one, other) => other.at(-1)! / other[0]! - one.at(-1)! / one[0]!)[0]!

async function shapesIn(catalogues: Catalogue[]): Promise<Shape[]> {
  const shapes: Shape[] = []
  for (const query of queries) {
    const pages: Market[] = []
    for (const { db } of catalogues) pages.push(await runQuery(db, query))
    shapes.push(shapeOf(query, pages))
  }
  return shapes
}

/** Milliseconds of each round, by catalogue and shape. */
async function timeQueries(catalogues: Catalogue[], shapes: Shape[]): Promise<number[][][]> {
  const times = catalogues.map(() => shapes.map((): number[] => []))
  for (let round = 0; round < ROUNDS; round++)
    for (const [place, { query }] of shapes.entries())
      for (const [catalogue, { db }] of catalogues.entries()) times[catalogue]![place]!.push(await timeQuery(db, query))
  return times
}

/**
 * Sequential scans of the large tables so far. A session reports its scans to PostgreSQL at the latest 10 s after it
 * became idle.
 */
async function sequentialScans(db: Kysely<Database>): Promise<number> {
  await sleep(11_000)
  const { rows } = await sql<{ scans: number }>`
    select sum(seq_scan)::int as scans from pg_stat_user_tables where relname in ('item', 'item_text', 'search_word')`.execute(
    db,
  )
  return rows[0]!.scans
}

/** CPU time of PostgreSQL to list one work, ms. */
async function listingCpuMs(postgres: MeasuredPostgres, db: Kysely<Database>): Promise<number> {
  const unlisted = await db.selectFrom('item').select('id').where('forSale', '=', false).limit(LISTINGS).execute()
  const before = postgres.cpuMs()
  for (const { id } of unlisted)
    await db
      .updateTable('item')
      .set({ forSale: true, priceCents: 12_000, listedAt: sql`now()`, shownAt: sql`now()` })
      .where('id', '=', id)
      .execute()
  return (postgres.cpuMs() - before) / unlisted.length
}
