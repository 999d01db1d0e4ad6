import type { Log } from '../../logs.ts'
import { startWorker } from '../../worker.ts'
import type { Member } from './member.ts'
import type { Position } from './positions.ts'

const LOOKS = 6

/**
 * Notices a member that silently stopped: messages wait in a partition of its own, and neither has the group moved on
 * there nor has the member finished anything for `stalledAfterMs`. A member that tries and fails is not silent, and
 * while nobody can tell how many messages wait, nobody is blamed.
 */
export function startWatchdog(deps: {
  member: Pick<Member, 'group' | 'state'>
  read: () => Promise<Position[]>
  stalledAfterMs: number
  onStalled: (error: Error) => void
  log: Log
}) {
  const { member, read, stalledAfterMs, onStalled, log } = deps
  /** Where messages were seen waiting, for which position, and since when. */
  const seen = new Map<string, { next: string; since: number }>()

  async function look() {
    const positions = await read().catch((error: unknown) => {
      seen.clear()
      throw error
    })
    const now = performance.now()
    const { partitions, lastSignOfLife } = member.state()
    for (const { topic, partition, next, waiting } of positions) {
      const place = `${topic}/${partition}`
      const before = seen.get(place)
      if (waiting === 0) seen.delete(place)
      else if (before?.next !== next) seen.set(place, { next, since: now })
      else if (
        now - Math.max(before.since, lastSignOfLife) > stalledAfterMs &&
        (!partitions || partitions[topic]?.includes(partition))
      )
        return onStalled(new Error(`${member.group} does not move on in ${place}: ${waiting} messages wait at ${next}`))
    }
  }

  return startWorker({ name: `watchdog of ${member.group}`, everyMs: stalledAfterMs / LOOKS, run: look }, log)
}
