import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '@nifty/catalog/db'
import type { Kysely } from 'kysely'
import { queries } from './queries.ts'
import { timeQuery } from './query.ts'

const READERS = 4
const CAPACITY_SECONDS = 10
const ARRIVALS = 1_000

/**
 * How long queries take, ms, from their arrival on, when they arrive at random moments at half of the rate that a few
 * readers without pause reach.
 */
export async function measureTail(db: Kysely<Database>): Promise<{ ms: number[]; capacity: number }> {
  const capacity = await measureCapacity(db)
  const ms: number[] = []
  const running: Promise<void>[] = []
  let at = performance.now()
  for (let arrival = 0; arrival < ARRIVALS; arrival++) {
    at += (-Math.log(1 - Math.random()) * 1_000) / (capacity / 2)
    const wait = at - performance.now()
    if (wait > 0) await sleep(wait)
    // Also when this process was late to start it.
    const arrivedAt = at
    const query = timeQuery(db, queryOf(arrival)).then(() => {
      ms.push(performance.now() - arrivedAt)
    })
    // A failure is reported after the last arrival.
    query.catch(() => {})
    running.push(query)
  }
  await Promise.all(running)
  return { ms, capacity }
}

async function measureCapacity(db: Kysely<Database>): Promise<number> {
  const until = performance.now() + CAPACITY_SECONDS * 1_000
  let count = 0
  const reader = async () => {
    while (performance.now() < until) await timeQuery(db, queryOf(count++))
  }
  await Promise.all(Array.from({ length: READERS }, reader))
  return count / CAPACITY_SECONDS
}

const queryOf = (count: number) => queries[count % queries.length]!
