import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { internalUrlVariable, perService, type ServiceName, serviceNames } from '@nifty/api/services'
import { ExpectedError } from '@nifty/service-kit/base/errors'
import { createServiceClient, type ServiceClient } from '@nifty/service-kit/http/client'
import { operatorCredential } from '@nifty/service-kit/http/operator-token'

/** Clients of a store's services, on their internal ports. */
export type Store = Record<ServiceName, ServiceClient>

/** Wrong arguments or missing settings: exit code 2. */
export class UsageError extends Error {}

/** A service is down, or not at the address that this tool has. */
export class ServiceDown extends Error {}

export type OperatorKey = { name: string; privateKey: string }

type Connection = { internalUrls: Partial<Record<ServiceName, string>>; operator: OperatorKey }

/** A reconciliation takes longer than the usual timeout between services. */
const TIMEOUT_MS = 120_000

/**
 * The store of `AUTH_INTERNAL_URL` and the other addresses, if one of them is set, as in a pod; else the one-process
 * store on `NIFTY_HOME`, whose launcher writes its addresses to `operator.json`. Settings are read at the first
 * request: `deploy-contracts` needs no store.
 */
export const connectStore = (env: NodeJS.ProcessEnv): Store => perService((name) => clientOf(name, env))

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
      if (error.code === 'service_unavailable')
        throw new ServiceDown(
          `${name} does not respond at ${url}.${isConfigured(env) ? '' : ` Is the store on ${dataDirOf(env)} running?`}`,
        )
      if (error.code === 'forbidden')
        throw new Error(
          `${name} rejects the signature of ${operator.name}: OPERATORS has another key, or a clock is wrong.`,
        )
      throw error
    }
  }

export const dataDirOf = ({ NIFTY_HOME }: NodeJS.ProcessEnv) => NIFTY_HOME || '.nifty'

const isConfigured = (env: NodeJS.ProcessEnv) => serviceNames.some((name) => env[internalUrlVariable(name)])

const connectionOf = (env: NodeJS.ProcessEnv): Connection =>
  isConfigured(env) ? fromEnvironment(env) : fromDataDir(dataDirOf(env))

function fromEnvironment(env: NodeJS.ProcessEnv): Connection {
  const { OPERATOR_NAME, OPERATOR_KEY } = env
  if (!OPERATOR_NAME || !OPERATOR_KEY) throw new UsageError('OPERATOR_NAME and OPERATOR_KEY are not set')
  return {
    internalUrls: perService((name) => env[internalUrlVariable(name)] ?? ''),
    operator: { name: OPERATOR_NAME, privateKey: OPERATOR_KEY },
  }
}

function fromDataDir(dataDir: string): Connection {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'operator.json'), 'utf8'))
  } catch {
    throw new ServiceDown(`There is no store on ${dataDir}. Start one with \`npx pnpm start\`, or set NIFTY_HOME.`)
  }
}
