import { startCardSandbox } from '@nifty/card-sandbox/server'
import { atEnd } from '@nifty/dev-servers/at-end'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { createServiceClient } from '@nifty/service-kit/http/client'
import { defineService } from '@nifty/service-kit/service/define-service'
import { testLog } from '@nifty/service-kit/testing/log'
import { testCredential } from '@nifty/service-kit/testing/peers'
import { startTestService } from '@nifty/service-kit/testing/service'
import { type Config, readConfig } from '../config.ts'
import type { Database } from '../db.ts'
import type { StepDeps } from '../orders/run-step.ts'
import { createSaleTimes } from '../orders/sale-times.ts'
import { createProcessor } from '../processor/processor.ts'
import { definePayments } from '../service.ts'
import { checkedSale } from './checked-sale.ts'
import { fakePeers } from './peers.ts'

export const webhookSecret = 'whsec_test'
const secretKey = 'sk_test_sandbox'
const never = 2_000_000_000

const definition = definePayments(checkedSale)
const payments = defineService(definition)

/** A worker runs once at its start, whatever its interval: a manual test has none. */
const withoutWorkers = defineService({
  ...definition,
  create: async (setup) => ({ ...(await definition.create(setup)), workers: [] }),
})

/** `manual`: no worker runs and no webhook arrives; the test runs each step. */
type Given = { manual?: boolean; webhooks?: boolean; env?: Record<string, string> }

/** Starts payments on a database of its own, with the card sandbox and fakes of auth, catalog and minting. */
export async function startTestPayments({ manual = false, webhooks = !manual, env = {} }: Given = {}) {
  const peers = await fakePeers()
  let webhookUrl: string | undefined
  const sandbox = await startCardSandbox({
    port: 0,
    dataDir: await temporaryFolder('payments'),
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
    PAYOUT_HOLD_DAYS: '0',
    ...env,
  })
  const service = await startTestService<Config, Database>(manual ? withoutWorkers : payments, {
    config,
    peerUrls: peers.peerUrls,
  })
  atEnd(service.stop)
  const listen = async () => {
    webhookUrl = `${await service.app.listen({ port: 0, host: '127.0.0.1' })}/api/payments/webhook`
  }
  await listen()

  const { db, consume } = service
  const peer = createServiceClient({ url: peers.url, credential: testCredential, name: 'peer' })
  const processor = createProcessor(config.processor)
  const deps: StepDeps = {
    db,
    longPool: db,
    processor,
    auth: peer,
    catalog: peer,
    minting: peer,
    log: testLog,
    saleTimes: createSaleTimes(),
    config,
    storeId: 'test',
    sale: checkedSale,
  }

  return {
    db,
    deps,
    config,
    consume,
    peers,
    get app() {
      return service.app
    },
    get internal() {
      return service.internal
    },
    get internalUrl() {
      return service.internalUrl
    },
    /** Starts a new process state on the same database. */
    restart: async () => {
      await service.restart()
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
    faults: () => call('GET', '/sandbox/faults'),
    heal: () => call('DELETE', '/sandbox/faults'),
    lapse: (intentId: string) => call('POST', `/sandbox/payment_intents/${intentId}/lapse`, {}),
    dispute: (intentId: string, options: { inquiry?: boolean; amount?: number } = {}) =>
      call('POST', '/sandbox/disputes', { payment_intent: intentId, ...options }),
    escalate: (disputeId: string) => call('POST', `/sandbox/disputes/${disputeId}/escalate`, {}),
    closeDispute: (disputeId: string, outcome: 'won' | 'lost' | 'closed') =>
      call('POST', `/sandbox/disputes/${disputeId}/close`, { outcome }),
    failRefund: (refundId: string) => call('POST', `/sandbox/refunds/${refundId}/fail`, {}),
    warnOfFraud: (intentId: string) => call('POST', '/sandbox/fraud-warnings', { payment_intent: intentId }),
    redirectWebhooks: (webhook: object) => call('POST', '/sandbox/webhook', webhook),
    ledger: () => call('GET', '/sandbox/ledger'),
    totals: async () => (await call('GET', '/sandbox/ledger')).totals,
  }
}
