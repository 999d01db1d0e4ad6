import { unavailable } from '@nifty/service-kit/base/errors'
import type { Log } from '@nifty/service-kit/base/logs'
import { startWorker } from '@nifty/service-kit/base/worker'
import { listen } from '@nifty/service-kit/database/listen'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'

/** A change is visible everywhere within this time, in milliseconds, even if its NOTIFY is lost. */
export const MAX_AGE_MS = 1_000
const POLL_MS = 400
/** Without requests for this time the database is not polled; the next request reads it. */
const REQUESTED_WITHIN_MS = 10_000

/** The number of changes that the snapshot of `db` includes. */
export async function readGeneration(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ changes: number }>`
    select sum(changes)::bigint as changes from market_generation`.execute(db)
  return rows[0]!.changes
}

/** A generation that includes everything committed before `asOf`, a time of `performance.now()`. */
export type Reading = { generation: number; asOf: number }

export type Generation = {
  /** The generation, at most a second old. Throws 503 if the database does not respond. */
  current: () => Promise<Reading>
  /** Reads the generation from the database; includes everything committed before the call. Throws 503 likewise. */
  refresh: () => Promise<Reading>
  /** Something was committed: the next reading includes it. */
  invalidate: () => void
  /** Records a generation that was read elsewhere, together with its data. */
  observe: (generation: number) => void
  stop: () => Promise<void>
}

/**
 * Tracks the generation by NOTIFY, and by polling in case a NOTIFY is lost. A change only marks it as stale: with many changes
 * a second, the database is read when a request needs the generation, not for each change. Polls keep requests from waiting for
 * a reading.
 */
export function watchGeneration({ db, url, log }: { db: Kysely<Database>; url: string; log: Log }): Generation {
  let latest = -1
  let readAt = Number.NEGATIVE_INFINITY
  let invalidatedAt = Number.NEGATIVE_INFINITY
  let requestedAt = Number.NEGATIVE_INFINITY
  let reading: Promise<Reading> | undefined
  let next: Promise<Reading> | undefined

  const observe = (generation: number) => {
    latest = Math.max(latest, generation)
  }

  async function read() {
    const startedAt = performance.now()
    observe(await readGeneration(db))
    readAt = Math.max(readAt, startedAt)
    return { generation: latest, asOf: readAt }
  }

  /** One read at a time. Calls during a read share the next one, since the running one may miss their change. */
  function readShared(): Promise<Reading> {
    if (!reading) {
      reading = read().finally(() => {
        reading = undefined
      })
      return reading
    }
    next ??= reading
      .catch(() => {})
      .then(() => {
        next = undefined
        return readShared()
      })
    return next
  }

  const refresh = () =>
    readShared().catch((error) => {
      log.warn({ err: error }, 'market generation cannot be read, responding 503')
      throw unavailable('market_unavailable', 'Please try again in a moment.')
    })

  const invalidate = () => {
    invalidatedAt = performance.now()
  }

  const listener = listen({ url, channel: 'market', log, onNotify: invalidate })
  const worker = startWorker(
    {
      name: 'market generation',
      everyMs: POLL_MS,
      run: async () => {
        if (performance.now() - requestedAt < REQUESTED_WITHIN_MS) await readShared()
      },
    },
    log,
  )

  return {
    current: async () => {
      requestedAt = performance.now()
      // Compared with the last completed reading: a running one may not have seen the change yet.
      const isFresh = readAt > invalidatedAt && performance.now() - readAt < MAX_AGE_MS
      return isFresh ? { generation: latest, asOf: readAt } : refresh()
    },
    refresh,
    invalidate,
    observe,
    stop: async () => {
      await listener.stop()
      await worker.stop()
    },
  }
}
