import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Stripe from 'stripe'
import { onTestFinished, vi } from 'vitest'
import { type SandboxOptions, startCardSandbox } from '../server.ts'

export const secretKey = 'sk_test_sandbox'
export const webhookSecret = 'whsec_sandbox'

export type RawResponse = { status: number; headers: Headers; body: any }

/** The official client, configured as in payments. */
export const clientOf = (url: string, options: { maxNetworkRetries?: number; timeout?: number } = {}) =>
  new Stripe(secretKey, {
    host: '127.0.0.1',
    port: Number(new URL(url).port),
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
    ...options,
  })

/** A request to the control API. */
export async function control(url: string, path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<any> {
  const response = await fetch(url + path, {
    method,
    headers: body ? { 'content-type': 'application/json' } : {},
    body: body && JSON.stringify(body),
  })
  const result: any = await response.json()
  if (!response.ok) throw Object.assign(new Error(result.error.message), { status: response.status, ...result.error })
  return result
}

/** A raw HTTP request to the API. */
export async function raw(
  url: string,
  path: string,
  { form, key }: { form?: string; key?: string } = {},
): Promise<RawResponse> {
  const response = await fetch(url + path, {
    method: form === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${secretKey}`,
      ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(key ? { 'idempotency-key': key } : {}),
    },
    body: form,
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** A data directory for one test. */
export async function newDataDir() {
  const folder = await mkdtemp(join(tmpdir(), 'card-sandbox-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Starts a sandbox for one test, with a client and the control API. */
export async function startTestSandbox(options: Partial<SandboxOptions> = {}) {
  const dataDir = options.dataDir ?? (await newDataDir())
  const server = await startCardSandbox({
    port: 0,
    dataDir,
    secretKey,
    webhook: { secret: webhookSecret },
    ...options,
  })
  onTestFinished(server.stop)
  const { url } = server
  return {
    ...server,
    dataDir,
    stripe: clientOf(url),
    control: (path: string, body?: object, method?: string) => control(url, path, body, method),
    raw: (path: string, request?: { form?: string; key?: string }) => raw(url, path, request),
    pay: (session: string, card = '4242424242424242') => control(url, `/sandbox/sessions/${session}/pay`, { card }),
    advance: (ms: number) => control(url, '/sandbox/clock', { advanceMs: ms }),
  }
}

export type Sandbox = Awaited<ReturnType<typeof startTestSandbox>>

/** A request as payments sends it: one work for 120 €, with manual capture. */
export const purchase = (changes: Stripe.Checkout.SessionCreateParams = {}): Stripe.Checkout.SessionCreateParams => ({
  mode: 'payment',
  allowed_payment_method_types: ['card'],
  client_reference_id: 'order-1',
  success_url: 'http://store.test/purchase-thanks?session={CHECKOUT_SESSION_ID}',
  cancel_url: 'http://store.test/back',
  line_items: [
    {
      quantity: 1,
      price_data: { currency: 'eur', unit_amount: 12_000, product_data: { name: 'Dusk', metadata: { line: '1' } } },
    },
  ],
  payment_intent_data: { capture_method: 'manual', metadata: { order: 'order-1' } },
  ...changes,
})

export const givenSession = ({ stripe }: Sandbox, changes: Stripe.Checkout.SessionCreateParams = {}) =>
  stripe.checkout.sessions.create(purchase(changes))

/** A paid session and its intent. */
export async function givenHold(sandbox: Sandbox, card?: string) {
  const { id } = await givenSession(sandbox)
  const { session } = await sandbox.pay(id, card)
  return { sessionId: id, intentId: session.payment_intent as string }
}

export async function givenCapture(sandbox: Sandbox, card?: string) {
  const hold = await givenHold(sandbox, card)
  const intent = await sandbox.stripe.paymentIntents.capture(hold.intentId)
  return { ...hold, intent, chargeId: intent.latest_charge as string }
}

/** Types of all events, oldest first. */
export const eventTypes = async ({ stripe }: Sandbox) =>
  (await stripe.events.list({ limit: 100 })).data.map(({ type }) => type as string).reverse()

/** The error of a call that must fail. */
export const errorOf = (call: Promise<unknown>): Promise<any> =>
  call.then(
    () => {
      throw new Error('This call should have failed.')
    },
    (error: unknown) => error,
  )

export type Received = { body: string; signature: string; event: any }

/** A webhook endpoint. `respond` returns the status of each response. */
export async function givenReceiver(respond: (received: Received, count: number) => number = () => 200) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    if (request.url === '/elsewhere') return response.writeHead(200).end()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const one = { body, signature: String(request.headers['stripe-signature']), event: JSON.parse(body) }
    received.push(one)
    return response.writeHead(respond(one, received.length), { location: '/elsewhere' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 30_000, interval: 20 })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`, received, until }
}

const expanded = { expand: ['payment_intent.latest_charge'] }

/** A session with its intent and charge. */
export async function retrieve(stripe: Stripe, id: string) {
  const session = await stripe.checkout.sessions.retrieve(id, expanded)
  const intent = session.payment_intent as Stripe.PaymentIntent
  return { session, intent, charge: intent?.latest_charge as Stripe.Charge }
}
