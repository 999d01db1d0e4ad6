import type { Log } from '../../base/logs.ts'
import { startWorker } from '../../base/worker.ts'
import type { Member } from './member.ts'
import type { Position } from './positions.ts'

const CHECKS = 6

/**
 * Detects a stalled member: one of its partitions has lag, and for `stalledAfterMs` neither the group's offset moved
 * there nor did the member make progress. Failing attempts count as progress. If lag cannot be read, no member is
 * reported.
 */
export function startWatchdog(deps: {
  member: Pick<Member, 'group' | 'state'>
  read: () => Promise<Position[]>
  stalledAfterMs: number
  onStalled: (error: Error) => void
  log: Log
}) {
  const { member, read, stalledAfterMs, onStalled, log } = deps
  /** Partitions with lag: the offset at which they wait, and since when. */
  const seen = new Map<string, { next: string; since: number }>()

  async function check() {
    const positions = await read().catch((error: unknown) => {
      seen.clear()
      throw error
    })
    const now = performance.now()
    const { partitions, lastProgress } = member.state()
    for (const { topic, partition, next, waiting } of positions) {
      const place = `${topic}/${partition}`
      const before = seen.get(place)
      if (waiting === 0) seen.delete(place)
      else if (before?.next !== next) seen.set(place, { next, since: now })
      else if (
        now - Math.max(before.since, lastProgress) > stalledAfterMs &&
        (!partitions || partitions[topic]?.includes(partition))
      )
        return onStalled(
          new Error(`group ${member.group} makes no progress in ${place}: ${waiting} messages behind offset ${next}`),
        )
    }
  }

  return startWorker({ name: `watchdog of ${member.group}`, everyMs: stalledAfterMs / CHECKS, run: check }, log)
}
