import { MAX_CACHED_MS } from '@nifty/api/endpoint'
import { unavailable } from '@nifty/service-kit/base/errors'
import type { Log } from '@nifty/service-kit/base/logs'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'

/** A reading is used for this time. The rest of `MAX_CACHED_MS` is how long a gateway keeps what was built with it. */
const READ_AGAIN_MS = 250

/** The number of changes that the snapshot of `db` includes. */
export async function readGeneration(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ changes: number }>`
    select sum(changes)::bigint as changes from market_generation`.execute(db)
  return rows[0]!.changes
}

/** A generation that includes everything committed before `asOf`, a time of `performance.now()`. */
export type Reading = { generation: number; asOf: number }

export type Generation = {
  /** A reading of the last 250 ms, or of the last second if the database fails meanwhile. Throws 503 without one. */
  current: () => Promise<Reading>
  /** Reads the generation from the database; includes everything committed before the call. Throws 503 if it fails. */
  latest: () => Promise<Reading>
  /** Records a reading that was made elsewhere, together with its data. */
  observe: (reading: Reading) => void
}

/** Reads the generation when a request needs it. Requests that find the last reading too old share the next one. */
export function createGeneration({ db, log }: { db: Kysely<Database>; log: Log }): Generation {
  let last: Reading = { generation: -1, asOf: Number.NEGATIVE_INFINITY }
  let reading: Promise<Reading> | undefined

  const observe = (read: Reading) => {
    if (read.asOf > last.asOf) last = read
  }
  const isWithin = (ms: number) => performance.now() - last.asOf < ms

  async function latest(): Promise<Reading> {
    const asOf = performance.now()
    try {
      const read = { generation: await readGeneration(db), asOf }
      observe(read)
      return read
    } catch (error) {
      log.warn({ err: error }, 'market: generation cannot be read')
      throw unavailable('market_unavailable', 'Please try again in a moment.')
    }
  }

  async function readAgain(): Promise<Reading> {
    try {
      return await latest()
    } catch (error) {
      if (isWithin(MAX_CACHED_MS)) return last
      throw error
    } finally {
      reading = undefined
    }
  }

  return {
    latest,
    observe,
    current: async () => {
      if (isWithin(READ_AGAIN_MS)) return last
      reading ??= readAgain()
      return reading
    },
  }
}
