import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AskNeighbour, createNeighbour } from '@nifty/service-kit/http/internal'

const services = ['auth', 'catalog', 'payments', 'minting', 'notification'] as const
export type Service = (typeof services)[number]

/** The services of one store, on their internal ports. */
export type Store = Record<Service, AskNeighbour>

type Operator = { internalUrls: Partial<Record<Service, string>>; internalSecret: string }

/**
 * The store that this operator means: in a pod, the one that `AUTH_INTERNAL_URL` and its like name; else the one that
 * runs on `NIFTY_HOME`, whose launcher has written down where its services listen.
 */
export function findStore(env: NodeJS.ProcessEnv): Store {
  // Read at the first question: deploying contracts needs no store.
  const ask =
    (name: Service): AskNeighbour =>
    (...question) => {
      const { internalUrls, internalSecret } = env.AUTH_INTERNAL_URL
        ? fromEnvironment(env)
        : fromHome(env.NIFTY_HOME ?? '.nifty')
      const url = internalUrls[name]
      if (!url) throw new Error(`${name.toUpperCase()}_INTERNAL_URL is not set`)
      return createNeighbour({ url, secret: internalSecret, name })(...question)
    }
  return {
    auth: ask('auth'),
    catalog: ask('catalog'),
    payments: ask('payments'),
    minting: ask('minting'),
    notification: ask('notification'),
  }
}

function fromEnvironment(env: NodeJS.ProcessEnv): Operator {
  if (!env.INTERNAL_SECRET) throw new Error('INTERNAL_SECRET is not set')
  return {
    internalUrls: Object.fromEntries(services.map((name) => [name, env[`${name.toUpperCase()}_INTERNAL_URL`]])),
    internalSecret: env.INTERNAL_SECRET,
  }
}

function fromHome(home: string): Operator {
  try {
    return JSON.parse(readFileSync(join(home, 'operator.json'), 'utf8'))
  } catch {
    throw new Error(`No store has run on ${home}. Start one with \`npx pnpm start\`, or set NIFTY_HOME.`)
  }
}
