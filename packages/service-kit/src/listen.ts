import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from './logs.ts'

const AGAIN_AFTER_MS = 500

/**
 * Hears NOTIFY on a connection of its own, and connects again when it is lost. Words that fall into a gap are not
 * repeated, so `hear` is also called after each connection: whoever listens looks for itself then.
 */
export function listen({
  url,
  channel,
  onNotify,
  log,
}: {
  url: string
  channel: string
  onNotify: () => void
  log: Log
}) {
  const stopped = new AbortController()

  async function connection() {
    const client = new pg.Client({ connectionString: url, keepAlive: true })
    const lost = new Promise<void>((resolve) => {
      client.on('error', () => resolve())
      client.on('end', () => resolve())
      stopped.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    client.on('notification', onNotify)
    try {
      await client.connect()
      await client.query(`listen ${pg.escapeIdentifier(channel)}`)
      onNotify()
      await lost
    } finally {
      await client.end().catch(() => {})
    }
  }

  const running = (async () => {
    while (!stopped.signal.aborted) {
      await connection().catch((error) => log.warn({ err: error, channel }, 'cannot listen, trying again'))
      if (!stopped.signal.aborted) await sleep(AGAIN_AFTER_MS, undefined, { signal: stopped.signal }).catch(() => {})
    }
  })()

  return {
    stop: async () => {
      stopped.abort()
      await running
    },
  }
}
