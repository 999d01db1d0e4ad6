import type { SessionList } from '@nifty/api/auth/internal'
import type { Log } from '../base/logs.ts'
import { startWorker } from '../base/worker.ts'

const POLL_MS = 2_000

/** Auth's public keys, and the sessions that ended before their tokens expired. */
export type Sessions = {
  publicKey: (kid: string) => string | undefined
  hasEnded: (sessionId: string) => boolean
  /** Milliseconds since the last successful read; Infinity before the first. */
  age: () => number
  refresh: () => Promise<void>
  stop: () => Promise<void>
}

/** Polls auth's list every two seconds, so that an ended session is refused everywhere within five. */
export async function watchSessions({ read, log }: { read: () => Promise<SessionList>; log: Log }): Promise<Sessions> {
  let keys = new Map<string, string>()
  let ended = new Set<string>()
  let readAt = Number.NEGATIVE_INFINITY

  async function refresh() {
    const list = await read()
    keys = new Map(list.keys.map(({ kid, publicKey }) => [kid, publicKey]))
    ended = new Set(list.endedSessions)
    readAt = performance.now()
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
