import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ExpectedError } from '@nifty/service-kit/errors'
import { createServiceClient, type ServiceClient } from '@nifty/service-kit/http/client'

export const services = ['auth', 'catalog', 'payments', 'minting', 'notification'] as const
export type Service = (typeof services)[number]

/** The services of one store, on their internal ports. */
export type Store = Record<Service, ServiceClient>

/** A service gave no answer: it is down, or not where this tool looks for it. */
export class NoAnswer extends Error {}

type Operator = { internalUrls: Partial<Record<Service, string>>; internalSecret: string }

/** To compare all books takes longer than neighbours wait for each other. */
const ANSWER_WITHIN_MS = 120_000

/**
 * The store that this operator means: in a pod, the one that `AUTH_INTERNAL_URL` and its like name; else the one that
 * runs on `NIFTY_HOME`, whose launcher has written down where its services listen.
 */
export function findStore(env: NodeJS.ProcessEnv): Store {
  // Read at the first question: deploying contracts needs no store.
  const ask =
    (name: Service): ServiceClient =>
    async (endpoint, ...input) => {
      const inPod = services.some((service) => env[`${service.toUpperCase()}_INTERNAL_URL`])
      const { internalUrls, internalSecret: secret } = inPod ? fromEnvironment(env) : fromHome(homeOf(env))
      const url = internalUrls[name]
      if (!url) throw new NoAnswer(`${name.toUpperCase()}_INTERNAL_URL is not set`)
      try {
        return await createServiceClient({ url, secret, name, timeoutMs: ANSWER_WITHIN_MS })(endpoint, ...input)
      } catch (error) {
        if (!(error instanceof ExpectedError)) throw error
        if (error.code === 'service_unavailable')
          throw new NoAnswer(
            inPod
              ? `${name} does not answer at ${url}.`
              : `${name} does not answer at ${url}. Does the store on ${homeOf(env)} run?`,
          )
        if (error.code === 'forbidden') throw new Error(`${name} does not accept our INTERNAL_SECRET.`)
        throw error
      }
    }
  return {
    auth: ask('auth'),
    catalog: ask('catalog'),
    payments: ask('payments'),
    minting: ask('minting'),
    notification: ask('notification'),
  }
}

export const homeOf = ({ NIFTY_HOME }: NodeJS.ProcessEnv) => NIFTY_HOME || '.nifty'

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
    throw new NoAnswer(`No store has run on ${home}. Start one with \`npx pnpm start\`, or set NIFTY_HOME.`)
  }
}
