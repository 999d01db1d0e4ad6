import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '@nifty/testkit/wait-until'
import { median } from '../results/statistics.ts'

/** Carries numbers from one committed transaction to another. */
export type Hop = {
  /** Commits a change with this number; resolves after the commit. */
  send: (number: number) => Promise<void>
  stop: () => Promise<void>
}

/** Called after the commit of the transaction that received the number. */
export type Arrived = (number: number) => void

const PER_SECOND = 100

/** Sends 100 numbers a second and returns the median time from the sender's commit to the receiver's, ms. */
export function measureHop(open: (arrived: Arrived) => Promise<Hop>) {
  const committedAt = new Map<number, number>()
  const arrivedAt = new Map<number, number>()
  let next = 0
  const opening = open((number) => void arrivedAt.set(number, performance.now()))
  return {
    round: async (seconds: number): Promise<number> => {
      const hop = await opening
      const [first, began] = [next, performance.now()]
      const sending: Promise<void>[] = []
      for (let count = 0; count < seconds * PER_SECOND; count++) {
        const number = next++
        const sent = hop.send(number).then(() => void committedAt.set(number, performance.now()))
        // A failure is reported after the last one.
        sent.catch(() => {})
        sending.push(sent)
        await sleep(Math.max(0, began + ((count + 1) * 1_000) / PER_SECOND - performance.now()))
      }
      await Promise.all(sending)
      await waitUntil(async () => arrivedAt.size === next, { intervalMs: 20 })
      const numbers = Array.from({ length: next - first }, (_, index) => first + index)
      return median(numbers.map((number) => arrivedAt.get(number)! - committedAt.get(number)!))
    },
    stop: async () => (await opening).stop(),
  }
}
