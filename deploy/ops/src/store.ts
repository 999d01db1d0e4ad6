import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { metrics } from '@nifty/api/infrastructure'
import { internalUrlVariable, type Program, perService, type ServiceName, serviceNames } from '@nifty/api/services'
import { withoutTrailingSlash } from '@nifty/service-kit/base/env'
import { ExpectedError } from '@nifty/service-kit/base/errors'
import { createServiceClient, type ServiceClient } from '@nifty/service-kit/http/client'
import { operatorCredential } from '@nifty/service-kit/http/operator-token'
import { sendRequest } from '@nifty/service-kit/http/request'

/** Clients of a store's services, on their internal ports. */
export type Store = Record<ServiceName, ServiceClient> & {
  /** Metrics of a program in Prometheus' text format. Throws ServiceDown; undefined without an address for it. */
  metricsOf: (program: Program) => Promise<string | undefined>
}

/** Wrong arguments or missing settings: exit code 2. */
export class UsageError extends Error {}

/** A service does not respond, or its database does not. */
export class NoResponse extends Error {}

/** A service is down, or not at the address that this tool has. */
export class ServiceDown extends NoResponse {}

/** Calls several services; a `NoResponse` becomes a line, so that one failure hides no other response. */
export async function fromAll<Name extends ServiceName, Response>(
  names: readonly Name[],
  call: (name: Name) => Promise<Response>,
): Promise<{ found: [Name, Response][]; failures: string[] }> {
  const found: [Name, Response][] = []
  const failures: string[] = []
  await Promise.all(
    names.map(async (name) => {
      try {
        found.push([name, await call(name)])
      } catch (error) {
        if (!(error instanceof NoResponse)) throw error
        failures.push(error.message)
      }
    }),
  )
  return { found, failures }
}

export type OperatorKey = { name: string; privateKey: string }

type Connection = {
  internalUrls: Partial<Record<Program, string>>
  operator: OperatorKey
  /** Where visitors see the store; absent without `PUBLIC_URL`. */
  publicUrl?: string
}

/** A reconciliation takes longer than the usual timeout between services. */
const TIMEOUT_MS = 120_000
/** A scrape takes three seconds at most (`createMetrics`). */
const METRICS_TIMEOUT_MS = 10_000

/**
 * The store of `AUTH_INTERNAL_URL` and the other addresses, if one of them is set, as in a pod; else the one-process
 * store on `NIFTY_HOME`, whose launcher writes its addresses to `operator.json`. Settings are read at the first
 * request: `deploy-contracts` needs no store.
 */
export const connectStore = (env: NodeJS.ProcessEnv): Store => ({
  ...perService((name) => clientOf(name, env)),
  metricsOf: (program) => readMetrics(program, env),
})

/** The name in which requests are signed. Throws without a store. */
export const operatorOf = (env: NodeJS.ProcessEnv): string => connectionOf(env).operator.name

/** Where visitors see the store, if that is known. Throws without a store. */
export const publicUrlOf = (env: NodeJS.ProcessEnv): string | undefined => connectionOf(env).publicUrl

async function readMetrics(program: Program, env: NodeJS.ProcessEnv) {
  const url = connectionOf(env).internalUrls[program]
  if (!url) return undefined
  const request = { method: metrics.method, headers: {}, timeoutMs: METRICS_TIMEOUT_MS }
  const response = await sendRequest(`${url}${metrics.path}`, request).catch(() => undefined)
  if (!response?.isOk) throw serviceDown(program, url, env)
  return response.body.toString()
}

const clientOf =
  (name: ServiceName, env: NodeJS.ProcessEnv): ServiceClient =>
  async (endpoint, ...input) => {
    const { internalUrls, operator } = connectionOf(env)
    const url = internalUrls[name]
    if (!url) throw new ServiceDown(`${internalUrlVariable(name)} is not set`)
    const credential = operatorCredential(operator)
    try {
      return await createServiceClient({ url, credential, name, timeoutMs: TIMEOUT_MS })(endpoint, ...input)
    } catch (error) {
      if (!(error instanceof ExpectedError)) throw error
      if (error.code === 'service_unavailable') throw serviceDown(name, url, env)
      if (error.code === 'busy') throw new NoResponse(`${name}: its database does not respond, or is overloaded.`)
      if (error.code === 'forbidden')
        throw new Error(
          `${name} rejects the signature of ${operator.name}: OPERATORS has another key, or a clock is wrong.`,
        )
      throw error
    }
  }

const serviceDown = (name: Program, url: string, env: NodeJS.ProcessEnv) =>
  new ServiceDown(
    `${name} does not respond at ${url}.${isConfigured(env) ? '' : ` Is the store on ${dataDirOf(env)} running?`}`,
  )

export const dataDirOf = ({ NIFTY_HOME }: NodeJS.ProcessEnv) => NIFTY_HOME || '.nifty'

const isConfigured = (env: NodeJS.ProcessEnv) => serviceNames.some((name) => env[internalUrlVariable(name)])

const connectionOf = (env: NodeJS.ProcessEnv): Connection =>
  isConfigured(env) ? fromEnvironment(env) : fromDataDir(dataDirOf(env))

function fromEnvironment(env: NodeJS.ProcessEnv): Connection {
  const { OPERATOR_NAME, OPERATOR_KEY, GATEWAY_INTERNAL_URL, PUBLIC_URL } = env
  if (!OPERATOR_NAME || !OPERATOR_KEY) throw new UsageError('OPERATOR_NAME and OPERATOR_KEY are not set')
  return {
    internalUrls: {
      ...perService((name) => env[internalUrlVariable(name)] ?? ''),
      ...(GATEWAY_INTERNAL_URL && { gateway: GATEWAY_INTERNAL_URL }),
    },
    operator: { name: OPERATOR_NAME, privateKey: OPERATOR_KEY },
    ...(PUBLIC_URL && { publicUrl: withoutTrailingSlash(PUBLIC_URL) }),
  }
}

function fromDataDir(dataDir: string): Connection {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'operator.json'), 'utf8'))
  } catch {
    throw new ServiceDown(`There is no store on ${dataDir}. Start one with \`npx pnpm start\`, or set NIFTY_HOME.`)
  }
}
