import pg from 'pg'
import { createWakeSignal } from './bell.ts'
import type { Log } from './logs.ts'

const LOOK_ANYWAY_MS = 1_000

export type Leadership = {
  url: string
  /** The NOTIFY that says there is something to do; without one it looks every second anyway. */
  channel: 'outbox' | 'message'
  /** What may be led by one at a time: a kind, and a name where there are several of it. */
  lock: { kind: number; name: string }
  /** Does what there is to do; true when there is more at once. */
  work: () => Promise<boolean>
  log: Log
}

/**
 * Lets one process at a time do a job, however many want to: an advisory lock on a connection of its own decides which,
 * and is free again when that connection ends, however it does. The same connection hears that there is work.
 */
export function startLeader({ url, channel, lock, work, log }: Leadership) {
  let stopped = false
  const bell = createWakeSignal()
  const untilRung = () => bell.wait(LOOK_ANYWAY_MS)

  async function lead() {
    const connection = new pg.Client({ connectionString: url, keepAlive: true })
    let lost: Error | undefined
    const goesOn = () => !stopped && !lost
    connection.on('error', (error) => {
      lost = error
      bell.ring()
    })
    connection.on('notification', bell.ring)
    await connection.connect()
    try {
      await connection.query(`listen ${channel}`)
      const leads = async () => {
        const { rows } = await connection.query('select pg_try_advisory_lock($1, hashtext($2)) as leads', [
          lock.kind,
          lock.name,
        ])
        return rows[0].leads as boolean
      }
      while (goesOn() && !(await leads())) await untilRung()
      while (goesOn()) if (!(await work()) && goesOn()) await untilRung()
    } finally {
      await connection.end().catch(() => {})
    }
    if (lost) throw lost
  }

  const running = (async () => {
    while (!stopped) {
      try {
        await lead()
      } catch (error) {
        if (stopped) return
        log.warn({ err: error, lock }, 'interrupted, starting again')
        await untilRung()
      }
    }
  })()

  return {
    stop: async () => {
      stopped = true
      bell.ring()
      await running
    },
  }
}
