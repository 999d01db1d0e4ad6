import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { accountsOf } from '@nifty/testkit/api-client'
import { startStore } from '@nifty/testkit/store'
import { median } from '../results.ts'
import { type Durations, visit } from './visitors.ts'

const ROUNDS = 5
const SECONDS = 15
const HOSTILE_ADDRESS = '127.0.0.2'

/**
 * What 1,000 hostile connections from one address (slow headers and bodies, targets in other forms, forged headers, bytes
 * that are no HTTP) cost visitors from other addresses: the 99th percentile under attack as a multiple of the quiet one.
 */
export async function benchHostile() {
  const store = await startStore({ works: 24, env: { RATE_LIMIT_FACTOR: '1', LOG_LEVEL: 'warn' } })
  try {
    // The address that the gateway limits connections on: see its README.
    const url = store.run.url.replace('localhost', '127.0.0.1')
    const { email, password } = accountsOf(store.run, 'collector')[0]!
    const account = { email, password }
    await visit(url, account, 5)
    const rounds: { quiet: Durations; hostile: Durations }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const quiet = await visit(url, account, SECONDS)
      const attack = await startAttack(url)
      const hostile = await visit(url, account, SECONDS).finally(attack.stop)
      rounds.push({ quiet, hostile })
    }
    const metrics: Record<string, number> = {}
    for (const what of ['browsing', 'logins'] as const) {
      const of = (pick: (round: (typeof rounds)[number]) => number) => Number(median(rounds.map(pick)).toPrecision(3))
      metrics[`${what}, quiet: ms, 99 of 100 below`] = of(({ quiet }) => p99(quiet[what]))
      metrics[`${what}, under attack: ms, 99 of 100 below`] = of(({ hostile }) => p99(hostile[what]))
      metrics[`${what}: multiple of quiet`] = of(({ quiet, hostile }) => p99(hostile[what]) / p99(quiet[what]))
    }
    const sum = (pick: (round: (typeof rounds)[number]) => number) =>
      rounds.map(pick).reduce((one, other) => one + other)
    metrics['requests under attack'] = sum(({ hostile }) => hostile.browsing.length + hostile.logins.length)
    metrics['of which failed'] = sum(({ hostile }) => hostile.failed)
    return metrics
  } finally {
    await store.remove()
  }
}

const p99 = (values: number[]) => values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.99) - 1]!

/** In a process of its own, so that it does not share the event loop of those who measure. */
async function startAttack(url: string) {
  const program = join(import.meta.dirname, 'attack.ts')
  const child = spawn(process.execPath, [program, url, HOSTILE_ADDRESS], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return {
    stop: async () => {
      child.kill()
      await once(child, 'exit')
    },
  }
}
