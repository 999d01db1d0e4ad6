import { MAX_CACHED_MS } from '@nifty/api/endpoint'
import { unavailable } from '@nifty/service-kit/base/errors'
import type { Log } from '@nifty/service-kit/base/logs'
import { within } from '@nifty/service-kit/base/within'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'

/** A reading is used for this time. The rest of `MAX_CACHED_MS` is how long a gateway keeps what was built with it. */
const READ_AGAIN_MS = 250

const marketUnavailable = () => unavailable('market_unavailable', 'Please try again in a moment.')

/** The number of changes that the snapshot of `db` includes. */
export async function readGeneration(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ changes: number }>`
    select sum(changes)::bigint as changes from market_generation`.execute(db)
  return rows[0]!.changes
}

/** A generation that includes everything committed before `asOf`, a time of `performance.now()`. */
export type Reading = { generation: number; asOf: number }

export type Generation = {
  /**
   * A reading of the last 250 ms, or of the last second if the database fails meanwhile. Throws 503 without one, also
   * if it takes longer than `withinMs`: it goes on.
   */
  current: (withinMs?: number) => Promise<Reading>
  /**
   * Reads the generation from the database; includes everything committed before the call. Throws 503 if it fails, or
   * takes longer than `withinMs`: it goes on.
   */
  latest: (withinMs?: number) => Promise<Reading>
  /** Records a reading that was made elsewhere, together with its data. */
  observe: (reading: Reading) => void
  /** The last reading, however old it is. */
  last: () => Reading
}

/** Reads the generation when a request needs it. Requests that find the last reading too old share the next one. */
export function createGeneration({ db, log }: { db: Kysely<Database>; log: Log }): Generation {
  let last: Reading = { generation: -1, asOf: Number.NEGATIVE_INFINITY }
  let reading: { result: Promise<Reading>; startedAt: number } | undefined

  const observe = (found: Reading) => {
    if (found.asOf > last.asOf) last = found
  }
  const isWithin = (ms: number) => performance.now() - last.asOf < ms

  async function read(): Promise<Reading> {
    const asOf = performance.now()
    try {
      const found = { generation: await readGeneration(db), asOf }
      observe(found)
      return found
    } catch (error) {
      log.warn({ err: error }, 'market: generation cannot be read')
      throw marketUnavailable()
    }
  }

  async function readAgain(): Promise<Reading> {
    try {
      return await read()
    } catch (error) {
      if (isWithin(MAX_CACHED_MS)) return last
      throw error
    }
  }

  function startReading() {
    const started = { startedAt: performance.now(), result: readAgain() }
    const end = () => {
      if (reading === started) reading = undefined
    }
    started.result.then(end, end)
    return started
  }

  return {
    latest: (withinMs) => (withinMs === undefined ? read() : within(withinMs, read())),
    observe,
    last: () => last,
    current: async (withinMs) => {
      if (isWithin(READ_AGAIN_MS)) return last
      // A further reading beside one that takes too long: the database may respond again.
      const isLate = reading && withinMs !== undefined && performance.now() - reading.startedAt >= withinMs
      if (!reading || isLate) reading = startReading()
      const { result, startedAt } = reading
      return withinMs === undefined ? result : within(startedAt + withinMs - performance.now(), result)
    },
  }
}
