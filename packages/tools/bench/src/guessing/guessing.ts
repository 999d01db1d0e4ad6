import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { lockscreenLogin, login, requestPasswordReset, signup, verifyEmail } from '@nifty/api/auth/public'
import { type ApiClient, createApiClient } from '@nifty/testkit/api-client'
import { linkInMail } from '@nifty/testkit/mailbox'
import { type Store, startStore } from '@nifty/testkit/store'
import { createUser } from '@nifty/testkit/users'
import { cpuMsOf } from '../processes/processes.ts'
import { median } from '../results/statistics.ts'
import type { Figure } from '../results/target.ts'

/** Of each request and kind of address, in turn. */
const ROUNDS = 120
const WARM_UP = 20
/** One for each round: a guess is the first request with its address. Further ones of a day cause no further mail. */
const ACCOUNTS = ROUNDS + WARM_UP
/** Events, workers and mails follow a request within this time; their CPU time counts. */
const SETTLE_MS = 80
const RESAMPLES = 2_000

type Account = { email: string; userId: string }

const unknownAccount = (): Account => ({ email: `${randomUUID()}@people.example`, userId: randomUUID() })
const wrong = 'a wrong password'

/** Requests whose CPU time must not depend on whether an address has an account. */
const requests: Record<string, (client: ApiClient, account: Account) => Promise<unknown>> = {
  'log-in': (client, { email }) => client.send(login, { body: { email, password: wrong } }),
  'lock screen': (client, { userId }) => client.send(lockscreenLogin, { body: { userId, password: wrong } }),
  'reset of the password': (client, { email }) => client.send(requestPasswordReset, { body: { email } }),
  'sign-up': (client, { email }) => {
    const username = `@${randomUUID().slice(0, 13)}`
    const names = { firstName: 'Nora', lastName: 'Newcomer', username }
    return client.send(signup, { body: { ...names, email, password: 'a long enough password' } })
  },
}

const kinds = ['unknown', 'unconfirmed', 'confirmed'] as const
type Kind = (typeof kinds)[number]

/**
 * CPU time of the store for requests with addresses without an account, of an unconfirmed and of a confirmed one, in
 * turn: medians, and the 95 % confidence interval of the difference between them, by bootstrap, in percent of the
 * median for unknown addresses.
 */
export async function benchGuessing(): Promise<Figure[]> {
  const store = await startStore({ works: 1, env: { RATE_LIMIT_FACTOR: '1000000', LOG_LEVEL: 'warn' } })
  try {
    const accounts = { unconfirmed: await createAccounts(store), confirmed: await createAccounts(store) }
    for (const account of accounts.confirmed) await confirm(store, account)
    const client = createApiClient(store.run)
    const figures: Figure[] = []
    for (const [name, send] of Object.entries(requests)) {
      const used: Record<Kind, number[]> = { unknown: [], unconfirmed: [], confirmed: [] }
      for (let round = 0; round < ROUNDS + WARM_UP; round++)
        // Backwards every other time: what follows a request late counts for the next one.
        for (const kind of round % 2 ? kinds : kinds.toReversed()) {
          const account = kind === 'unknown' ? unknownAccount() : accounts[kind][round]!
          const before = cpuMsOf([store.pid()]) * 1_000
          await send(client, account)
          await sleep(SETTLE_MS)
          if (round >= WARM_UP) used[kind].push(cpuMsOf([store.pid()]) * 1_000 - before)
        }
      for (const kind of ['unconfirmed', 'confirmed'] as const)
        figures.push(...compare(`${name}, ${kind}`, { known: used[kind], unknown: used.unknown }))
    }
    return figures
  } finally {
    await store.remove()
  }
}

async function createAccounts({ run }: Store): Promise<Account[]> {
  const accounts: Account[] = []
  for (let count = 0; count < ACCOUNTS; count++) accounts.push(await createUser(run))
  return accounts
}

async function confirm({ run }: Store, { email }: Account) {
  const link = await linkInMail(run, email, /\S+\/accept\?token=\S+/)
  await createApiClient(run).send(verifyEmail, { body: { token: new URL(link).searchParams.get('token')! } })
}

function compare(name: string, { known, unknown }: { known: number[]; unknown: number[] }): Figure[] {
  const base = median(unknown)
  const percent = (us: number) => (us / base) * 100
  const resampled = (values: number[]) => median(values.map(() => values[Math.floor(Math.random() * values.length)]!))
  const differences = Array.from({ length: RESAMPLES }, () => resampled(known) - resampled(unknown)).sort(
    (a, b) => a - b,
  )
  return [
    { name: `${name} to unknown address: CPU`, unit: 'µs', figure: median(known), baseline: base },
    { name: `${name}: difference`, unit: '%', figure: percent(median(known) - base) },
    { name: `${name}: 95 % interval from`, unit: '%', figure: percent(differences[Math.floor(RESAMPLES * 0.025)]!) },
    { name: `${name}: 95 % interval to`, unit: '%', figure: percent(differences[Math.floor(RESAMPLES * 0.975)]!) },
  ]
}
