import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../base/logs.ts'

const RECONNECT_DELAY_MS = 500

/**
 * Listens for NOTIFY on a connection of its own and reconnects. NOTIFYs sent while disconnected are lost, so `onNotify`
 * is also called after every connect.
 */
export function listen({
  url,
  channel,
  onNotify,
  log,
}: {
  url: string
  channel: string
  /** `payload` is undefined after a connect. */
  onNotify: (payload?: string) => void
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
    client.on('notification', ({ payload }) => onNotify(payload))
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
      await connection().catch((error) =>
        log.warn({ err: error, channel }, 'listen: connection lost, reconnecting in 500 ms'),
      )
      if (!stopped.signal.aborted)
        await sleep(RECONNECT_DELAY_MS, undefined, { signal: stopped.signal }).catch(() => {})
    }
  })()

  return {
    stop: async () => {
      stopped.abort()
      await running
    },
  }
}
