import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { endWithParent } from '@nifty/dev-servers/end-with-parent'
import { freePort } from '@nifty/dev-servers/free-port'
import { stopProcess } from '@nifty/dev-servers/stop-process'
import { HEAP, processSettings } from '@nifty/service-kit/base/process-settings'
import { operatorEntry } from '@nifty/service-kit/http/operator-token'
import { serviceKeys } from '@nifty/service-kit/http/service-keys'
import { LOCAL_OPERATOR, type Secrets } from '@nifty/testkit/data-dir'
import { residentMb } from '../processes/processes.ts'

/** Half of the limit of the container of payments, 320 MiB in the values of the chart. */
const OLD_GENERATION_MB = 160
const SETTINGS = processSettings({ ...HEAP.cluster, oldGenerationMb: OLD_GENERATION_MB })
const program = join(import.meta.dirname, '../../../../../services/payments/src/main.ts')

type Options = {
  postgresUrl: string
  processorUrl: string
  secrets: Secrets
  internalUrls: Record<string, string>
}

/** Payments as a process of its own: another database and processor than the store whose services it calls. */
export async function startPayments({ postgresUrl, processorUrl, secrets, internalUrls }: Options) {
  const [port, internalPort] = [await freePort(), await freePort()]
  const env = {
    ...process.env,
    ...SETTINGS.env,
    HOST: '127.0.0.1',
    PORT: String(port),
    INTERNAL_PORT: String(internalPort),
    ...serviceKeys('payments', secrets.internalSecret),
    OPERATORS: operatorEntry(LOCAL_OPERATOR, secrets.operatorKey),
    POSTGRES_URL: postgresUrl,
    LOG_LEVEL: 'warn',
    RECONCILE_EVERY_HOURS: '720',
    PUBLIC_URL: 'http://store.test',
    STORE_ID: 'bench',
    STRIPE_API_URL: processorUrl,
    STRIPE_SECRET_KEY: 'sk_test_bench',
    STRIPE_WEBHOOK_SECRET: 'whsec_bench',
    ...Object.fromEntries(
      Object.entries(internalUrls).map(([name, url]) => [`${name.toUpperCase()}_INTERNAL_URL`, url]),
    ),
  }
  const child = spawn(process.execPath, [...SETTINGS.arguments, program], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  endWithParent(child, 'SIGTERM')
  const url = `http://127.0.0.1:${internalPort}`
  while (
    !(await fetch(`${url}/metrics`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`payments ended with code ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return {
    url,
    residentMb: () => residentMb(child.pid!),
    stop: () => stopProcess(child),
  }
}
