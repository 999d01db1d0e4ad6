import { join } from 'node:path'
import { accountsOf } from '@nifty/testkit/api-client'
import { startStore } from '@nifty/testkit/store'
import { startProgram } from '../processes/start-program.ts'
import { median, percentile } from '../results/statistics.ts'
import type { Figure } from '../results/target.ts'
import { type Durations, visit } from './visitors.ts'

const ROUNDS = 5
const SECONDS = 15
const HOSTILE_ADDRESS = '127.0.0.2'

/**
 * What 1,000 hostile connections from one address (slow headers and bodies, targets in other forms, forged headers,
 * bytes that are no HTTP) cost visitors from other addresses: the 99th percentile under attack as a multiple of the
 * quiet one.
 */
export async function benchHostile(): Promise<Figure[]> {
  const store = await startStore({ works: 24, env: { RATE_LIMIT_FACTOR: '1', LOG_LEVEL: 'warn' } })
  try {
    // The address that the gateway limits connections on: see its README.
    const url = store.run.url.replace('localhost', '127.0.0.1')
    // An account opens a limited number of sessions an hour.
    const accounts = (['collector', 'creator'] as const)
      .flatMap((role) => accountsOf(store.run, role))
      .map(({ email, password }) => ({ email, password }))
    await visit(url, accounts, 5)
    const rounds: { quiet: Durations; hostile: Durations }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const quiet = await visit(url, accounts, SECONDS)
      const attack = await startAttack(url)
      const hostile = await visit(url, accounts, SECONDS).finally(attack.stop)
      rounds.push({ quiet, hostile })
    }
    const figures: Figure[] = []
    for (const what of ['browsing', 'logins'] as const) {
      const of = (pick: (round: (typeof rounds)[number]) => Durations) =>
        median(rounds.map((round) => p99(pick(round)[what])))
      figures.push({
        name: `${what} under attack, beside the same without: 99th percentile`,
        unit: 'ms',
        figure: of(({ hostile }) => hostile),
        baseline: of(({ quiet }) => quiet),
      })
    }
    const sum = (pick: (round: (typeof rounds)[number]) => number) =>
      rounds.map(pick).reduce((one, other) => one + other)
    const requests = sum(({ hostile }) => hostile.browsing.length + hostile.logins.length)
    return [
      ...figures,
      { name: 'requests under attack', unit: '', figure: requests },
      { name: 'of which failed', unit: '', figure: sum(({ hostile }) => hostile.failed) },
    ]
  } finally {
    await store.remove()
  }
}

const p99 = (values: number[]) => percentile(values, 0.99)

/** In a process of its own, so that it does not share the event loop of those who measure. */
const startAttack = (url: string) => startProgram(join(import.meta.dirname, 'attack.ts'), url, HOSTILE_ADDRESS)
