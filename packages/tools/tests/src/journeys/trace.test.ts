import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { accountsOf, createApiClient, logIn, pay, untilOrder } from '@nifty/testkit/api-client'
import { type CollectedSpan, startOtlpCollector } from '@nifty/testkit/otlp-collector'
import { quickChain, type Store, startStore } from '@nifty/testkit/store'
import { waitUntil } from '@nifty/testkit/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'

let collector: Awaited<ReturnType<typeof startOtlpCollector>>
let store: Store

beforeAll(async () => {
  collector = await startOtlpCollector()
  const env = {
    ...quickChain,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    LOG_LEVEL: 'debug',
  }
  store = await startStore({ works: 2, env })
})
afterAll(async () => {
  await store?.remove()
  collector?.close()
})

/** All spans of the purchase's trace, once its mail was sent and the webhook of its capture was processed. */
const traceOfPurchase = () =>
  waitUntil(async () => {
    const click = collector.spans.find(({ service, name }) => service === 'gateway' && name.includes('/api/nfts/test'))
    const trace = collector.spans.filter(({ traceId }) => traceId === click?.traceId)
    const isMailed = trace.some(
      ({ name, attributes }) => name === 'send mail' && attributes['mail.template'] === 'purchased',
    )
    return isMailed && trace.some(({ name }) => name === 'process checkout.session.completed') && trace
  })

test('a purchase is one trace from the click to the mail, and the logs carry its id', async () => {
  const buyer = await logIn(store.run, accountsOf(store.run, 'collector')[0]!)
  const work = (await createApiClient(store.run).market()).find(({ forSale }) => forSale)!
  const { body } = await buyer.buy(work)
  await pay(store.run, body.url, store.run.cards.approved)
  await untilOrder(buyer, body.orderId, 'completed')

  const trace = await traceOfPurchase()
  expect(trace.filter(({ parentSpanId }) => !parentSpanId).map(({ service }) => service)).toEqual(['gateway'])
  expect(trace.filter(({ parentSpanId }) => parentSpanId && !trace.some(is(parentSpanId)))).toEqual([])
  expect(wayTo(trace, 'auth', 'GET /internal/buyers/:id')).toEqual(['gateway', 'payments', 'auth'])
  expect(wayTo(trace, 'minting', 'eth_sendRawTransaction')).toEqual(['gateway', 'payments', 'minting'])
  expect(wayTo(trace, 'catalog', 'process minting.delivery-final.v1')).toEqual([
    'gateway',
    'payments',
    'minting',
    'catalog',
  ])
  expect(wayTo(trace, 'notification', 'send mail')).toEqual(['gateway', 'payments', 'notification'])
  expect(trace.filter(({ name }) => name.endsWith(' card processor')).length).toBeGreaterThanOrEqual(3)

  // A webhook is a request of the processor's: a trace of its own, which the order's work is linked to.
  const [webhook] = trace.find(({ name }) => name === 'process checkout.session.completed')!.links
  expect(collector.spans.find(is(webhook!.spanId))).toMatchObject({
    service: 'payments',
    name: 'POST /api/payments/webhook',
    traceId: webhook!.traceId,
  })

  const lines = (await readFile(join(store.folder, 'store.log'), 'utf8')).trim().split('\n')
  const logged = lines.map((line) => JSON.parse(line)).filter((line) => line.trace_id === trace[0]!.traceId)
  expect(new Set(logged.map((line) => line.service))).toContain('payments')
  expect(logged.every((line) => trace.some(is(line.span_id)) && line.correlationId)).toBe(true)

  const { orderId } = body
  const told = lines
    .map((line) => JSON.parse(line))
    .filter(({ level, msg }) => level === 30 && /^(sale|mail)/.test(msg))
  const cents = work.price! * 100
  expect(told).toContainEqual(expect.objectContaining({ msg: 'sale: card held, delivery begins', orderId, cents }))
  expect(told).toContainEqual(expect.objectContaining({ msg: 'sale: captured', orderId, cents }))
  expect(told).toContainEqual(expect.objectContaining({ msg: 'mail sent', template: 'purchased' }))
  expect(JSON.stringify(told)).not.toMatch(/@/)
  // Services poll the list of ended sessions every two seconds.
  expect(collector.spans.filter(({ name }) => name === 'GET /internal/sessions')).toEqual([])
})

const is = (spanId: string) => (span: CollectedSpan) => span.spanId === spanId

/** The services through which a span came to be, without repetitions. */
function wayTo(trace: CollectedSpan[], service: string, name: string): string[] {
  let at = trace.find((span) => span.service === service && span.name === name)
  const way: string[] = []
  while (at) {
    if (way[0] !== at.service) way.unshift(at.service)
    const { parentSpanId } = at
    at = parentSpanId ? trace.find(is(parentSpanId)) : undefined
  }
  return way
}
