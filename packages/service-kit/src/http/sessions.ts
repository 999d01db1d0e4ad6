import type { SessionList } from '@nifty/api/auth/internal'
import type { Log } from '../base/logs.ts'
import { startWorker } from '../base/worker.ts'

const POLL_MS = 2_000
const COMPLETE_MS = 60 * 60_000

/** Auth's public keys, and the sessions that ended before their tokens expired. */
export type Sessions = {
  publicKey: (kid: string) => string | undefined
  hasEnded: (sessionId: string) => boolean
  /** Milliseconds since the last successful read; Infinity before the first. */
  age: () => number
  refresh: () => Promise<void>
  stop: () => Promise<void>
}

/** A reading of auth's list: all ended sessions, or with the cursor of an earlier one those that ended since. */
type Read = (since?: string) => Promise<SessionList>

/**
 * Polls auth's list every two seconds, so that an ended session is refused everywhere within five. A poll reads what
 * ended since the last one; once an hour it reads all, and forgets those whose tokens have expired.
 */
export async function watchSessions({ read, log }: { read: Read; log: Log }): Promise<Sessions> {
  let keys = new Map<string, string>()
  let ended = new Set<string>()
  let cursor: string | undefined
  let completeAt = Number.NEGATIVE_INFINITY
  let readAt = Number.NEGATIVE_INFINITY

  async function readOnce() {
    const since = performance.now() - completeAt < COMPLETE_MS ? cursor : undefined
    const list = await read(since)
    readAt = performance.now()
    keys = new Map(list.keys.map(({ kid, publicKey }) => [kid, publicKey]))
    if (since === undefined || list.cursor === undefined) {
      ended = new Set(list.endedSessions)
      completeAt = readAt
    } else for (const id of list.endedSessions) ended.add(id)
    cursor = list.cursor
  }

  let reading: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  /** One reading at a time: a cursor is worth something only with the set that it belongs to. */
  function refresh() {
    next ??= reading
      .catch(() => {})
      .then(() => {
        next = undefined
        reading = readOnce()
        return reading
      })
    return next
  }

  await refresh().catch((error) => log.warn({ err: error }, 'sessions: auth is unavailable, retrying in 2 s'))
  const worker = startWorker({ name: 'sessions', everyMs: POLL_MS, run: refresh }, log)
  return {
    publicKey: (kid) => keys.get(kid),
    hasEnded: (sessionId) => ended.has(sessionId),
    age: () => performance.now() - readAt,
    refresh,
    stop: worker.stop,
  }
}
