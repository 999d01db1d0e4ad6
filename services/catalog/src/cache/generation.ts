import { unavailable } from '@nifty/service-kit/errors'
import { listen } from '@nifty/service-kit/listen'
import type { Log } from '@nifty/service-kit/logs'
import { startWorker } from '@nifty/service-kit/worker'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'

/** A change is visible everywhere within a second, even when no word of it arrives. */
const TRUST_MS = 1_000
const LOOK_EVERY_MS = 400

/** The number of changes that the snapshot of `db` sees. */
export async function readGeneration(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ moves: number }>`
    select sum(moves)::bigint as moves from market_generation`.execute(db)
  return rows[0]!.moves
}

export type Generation = {
  /** The generation, at most a second old. */
  current: () => Promise<number>
  /** Looks now, so that what was committed before this call is visible to whoever asks after it. */
  look: () => Promise<number>
  /** Somebody read this generation together with what it stands for. */
  saw: (generation: number) => void
  stop: () => Promise<void>
}

/** Knows the generation: told by NOTIFY at once, and looking by itself in case the word is lost. */
export function watchGeneration({ db, url, log }: { db: Kysely<Database>; url: string; log: Log }): Generation {
  let known = -1
  let lookedAt = Number.NEGATIVE_INFINITY
  let moved = false
  let looking: Promise<number> | undefined
  let next: Promise<number> | undefined

  const saw = (generation: number) => {
    known = Math.max(known, generation)
  }

  async function read() {
    const startedAt = performance.now()
    moved = false
    try {
      saw(await readGeneration(db))
    } catch (error) {
      moved = true
      throw error
    }
    lookedAt = Math.max(lookedAt, startedAt)
    return known
  }

  /** One look at a time; whoever comes during one shares the next, since the present one may have missed the change. */
  function look(): Promise<number> {
    if (!looking) {
      looking = read().finally(() => {
        looking = undefined
      })
      return looking
    }
    next ??= looking
      .catch(() => {})
      .then(() => {
        next = undefined
        return look()
      })
    return next
  }

  const ask = () =>
    look().catch((error) => {
      log.warn({ err: error }, 'the market cannot be read')
      throw unavailable('market_unavailable', 'Please try again in a moment.')
    })

  const ear = listen({
    url,
    channel: 'market',
    log,
    hear: () => {
      moved = true
      look().catch(() => {})
    },
  })
  const worker = startWorker(
    { name: 'market generation', everyMs: LOOK_EVERY_MS, run: async () => void (await look()) },
    log,
  )

  return {
    current: async () => {
      if (!moved && performance.now() - lookedAt < TRUST_MS) return known
      return ask()
    },
    look: ask,
    saw,
    stop: async () => {
      await ear.stop()
      await worker.stop()
    },
  }
}
