import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { perService } from '@nifty/api/services'
import { startCardSandbox } from '@nifty/card-sandbox/server'
import { openDatabase } from '@nifty/service-kit/database'
import { createServiceClient } from '@nifty/service-kit/http/client'
import { createTestDatabase } from '@nifty/service-kit/testing/database'
import { testLog } from '@nifty/service-kit/testing/log'
import { createTestTransport } from '@nifty/service-kit/testing/transport'
import { readConfig } from '../config.ts'
import type { Database } from '../db.ts'
import type { StepDeps } from '../orders/run-step.ts'
import { steps } from '../orders/steps/steps.ts'
import { createProcessor } from '../processor/processor.ts'
import { payments } from '../service.ts'
import { atEnd } from './end.ts'
import { fakePeers, internalSecret } from './peers.ts'

export const webhookSecret = 'whsec_test'
const secretKey = 'sk_test_sandbox'
const never = 2_000_000_000

/** `manual`: no worker runs and no webhook arrives; the test runs each step. */
type Given = { manual?: boolean; webhooks?: boolean; env?: Record<string, string> }

/** Starts the service on a database of its own, with the card sandbox and fakes of auth, catalog and minting. */
export async function startTestPayments({ manual = false, webhooks = !manual, env = {} }: Given = {}) {
  const { url: databaseUrl } = await createTestDatabase(payments.migrations)
  const peers = await fakePeers()
  let webhookUrl: string | undefined
  const sandbox = await startCardSandbox({
    port: 0,
    dataDir: await mkdtemp(join(tmpdir(), 'nifty-payments-')),
    secretKey,
    webhook: { url: () => (webhooks ? webhookUrl : undefined), secret: webhookSecret },
  })
  atEnd(sandbox.stop)

  const config = readConfig({
    PUBLIC_URL: 'http://store.test',
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: sandbox.url,
    PAYMENTS_WORK_MS: String(manual ? never : 20),
    PAYMENTS_POLL_MS: manual ? '30000' : '300',
    PAYMENTS_BACKFILL_MS: String(never),
    ...env,
  })
  const { transport, consume, published } = createTestTransport()
  const start = () =>
    payments.start(
      {
        ...{ databaseUrl, transport, log: testLog, internalSecret, peerUrls: perService(() => peers.url) },
        internalListen: { host: '127.0.0.1', port: 0 },
      },
      config,
    )
  let service = await start()
  const listen = async () => {
    webhookUrl = `${await service.app.listen({ port: 0, host: '127.0.0.1' })}/api/payments/webhook`
  }
  await listen()
  atEnd(() => service.stop())

  const db = openDatabase<Database>({ url: databaseUrl, log: testLog })
  atEnd(() => db.destroy())
  const peer = createServiceClient({ url: peers.url, secret: internalSecret, name: 'peer' })
  const deps: StepDeps = {
    longPool: db,
    processor: createProcessor(config.processor),
    catalog: peer,
    minting: peer,
    log: testLog,
    config,
    steps,
  }

  return {
    db,
    deps,
    config,
    consume,
    published,
    peers,
    databaseUrl,
    get app() {
      return service.app
    },
    get internalUrl() {
      return service.internalUrl
    },
    get webhookUrl() {
      return webhookUrl!
    },
    /** Starts a new process state on the same database. */
    restart: async () => {
      await service.stop()
      service = await start()
      await listen()
    },
    sandbox: controls(sandbox.url),
  }
}

export type Payments = Awaited<ReturnType<typeof startTestPayments>>

/** The sandbox's control API. */
function controls(url: string) {
  async function call(method: string, path: string, body?: object): Promise<any> {
    const response = await fetch(url + path, {
      method,
      headers: body ? { 'content-type': 'application/json' } : {},
      body: body && JSON.stringify(body),
    })
    return response.json()
  }
  const sessionOf = (payUrl: string) => payUrl.split('?')[0]!.split('/').at(-1)!
  return {
    url,
    pay: (payUrl: string, card = '4242424242424242') =>
      call('POST', `/sandbox/sessions/${sessionOf(payUrl)}/pay`, { card }),
    expire: (sessionId: string) => call('POST', `/sandbox/sessions/${sessionId}/expire`, {}),
    advance: (ms: number) => call('POST', '/sandbox/clock', { advanceMs: ms }),
    fault: (fault: object) => call('POST', '/sandbox/faults', fault),
    heal: () => call('DELETE', '/sandbox/faults'),
    lapse: (intentId: string) => call('POST', `/sandbox/payment_intents/${intentId}/lapse`, {}),
    dispute: (intentId: string) => call('POST', '/sandbox/disputes', { payment_intent: intentId }),
    warnOfFraud: (intentId: string) => call('POST', '/sandbox/fraud-warnings', { payment_intent: intentId }),
    redirectWebhooks: (webhook: object) => call('POST', '/sandbox/webhook', webhook),
    ledger: () => call('GET', '/sandbox/ledger'),
    totals: async () => (await call('GET', '/sandbox/ledger')).totals,
  }
}
