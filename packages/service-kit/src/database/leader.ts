import pg from 'pg'
import type { Log } from '../base/logs.ts'
import { createWakeSignal } from '../base/wake-signal.ts'

/** Interval at which a process that does not lead asks for the lock, and at which a lost connection is opened again. */
const RETRY_MS = 1_000
/** A NOTIFY reports work at once, and none is lost on a connection: this is a precaution. */
export const POLL_MS = 5_000

export type Leadership = {
  url: string
  /** Channel of the NOTIFY that signals new work. */
  channel: 'outbox' | 'message'
  /** Advisory lock of the job: a number per kind of job, and a name. */
  lock: { kind: number; name: string }
  /**
   * Does a batch of work; returns after how many ms to look for more, unless a NOTIFY reports some: 0 if there is more.
   */
  work: () => Promise<number>
  /** Called before it gives the lead up. */
  finish?: () => Promise<void>
  log: Log
}

/**
 * Leader election: one process at a time does the job, the one that holds the advisory lock on a connection of its own.
 * PostgreSQL releases the lock when the connection ends. The same connection receives the NOTIFY.
 */
export function startLeader({ url, channel, lock, work, finish, log }: Leadership) {
  let stopped = false
  const wakeSignal = createWakeSignal()

  async function lead() {
    const connection = new pg.Client({ connectionString: url, keepAlive: true })
    let lost: Error | undefined
    const isActive = () => !stopped && !lost
    connection.on('error', (error) => {
      lost = error
      wakeSignal.wake()
    })
    connection.on('notification', wakeSignal.wake)
    await connection.connect()
    try {
      await connection.query(`listen ${channel}`)
      const isLeader = async () => {
        const { rows } = await connection.query('select pg_try_advisory_lock($1, hashtext($2)) as leads', [
          lock.kind,
          lock.name,
        ])
        return rows[0].leads as boolean
      }
      while (isActive() && !(await isLeader())) await wakeSignal.wait(RETRY_MS)
      while (isActive()) {
        const nextMs = await work()
        if (nextMs > 0 && isActive()) await wakeSignal.wait(nextMs)
      }
      await finish?.()
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
        log.warn({ err: error, lock }, 'leader: failed, trying again in 1 s on a new connection')
        await wakeSignal.wait(RETRY_MS)
      }
    }
  })()

  return {
    stop: async () => {
      stopped = true
      wakeSignal.wake()
      await running
    },
  }
}
