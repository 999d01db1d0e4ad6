import type { SessionList } from '@nifty/api/auth/internal'
import type { Log } from '../logs.ts'
import { startWorker } from '../worker.ts'

const LOOK_EVERY_MS = 2_000

/** What auth last said of its keys and of sessions that ended early. */
export type Sessions = {
  publicKey: (kid: string) => string | undefined
  hasEnded: (sessionId: string) => boolean
  /** Milliseconds since auth last answered; Infinity before its first answer. */
  age: () => number
  refresh: () => Promise<void>
  stop: () => Promise<void>
}

/** Reads auth's list every two seconds, so that a session that was ended is over everywhere within five. */
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

  await refresh().catch((error) => log.warn({ err: error }, 'auth does not answer yet'))
  const worker = startWorker({ name: 'sessions', everyMs: LOOK_EVERY_MS, run: refresh }, log)
  return {
    publicKey: (kid) => keys.get(kid),
    hasEnded: (sessionId) => ended.has(sessionId),
    age: () => performance.now() - readAt,
    refresh,
    stop: worker.stop,
  }
}
