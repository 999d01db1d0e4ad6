import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { startTestPayments } from './testing/payments.ts'
import {
  alarms,
  booksOf,
  deliver,
  givenCompletedOrder,
  givenPaidOrder,
  publishedEvents,
  view,
  waitForLines,
} from './testing/sale.ts'

test('a sale holds the card, delivers the token, and captures only then', async () => {
  const payments = await startTestPayments()
  const order = await givenPaidOrder(payments)
  expect(await payments.sandbox.totals()).toMatchObject({ held: 12_000, captured: 0, inFlight: 12_000 })

  await deliver(payments, order.lines[0]!)
  await waitForLines(payments, order.orderId, 'completed')

  expect(await payments.sandbox.totals()).toMatchObject({ held: 12_000, captured: 12_000, inFlight: 0 })
  expect(await view(payments, order)).toMatchObject({
    state: 'completed',
    captured: 120,
    cancellable: false,
    url: null,
  })
  expect((await publishedEvents(payments)).map(({ name }) => name)).toEqual([
    'payments.order-line-authorised.v1',
    'payments.order-authorised.v1',
    'payments.order-line-completed.v1',
  ])
  expect(await alarms(payments)).toEqual([])
})

test('the store keeps COMMISSION_PERCENT of a price, and an order notes the version of the terms in CONTENT_DIR', async () => {
  const CONTENT_DIR = await temporaryFolder('content')
  const german = '---\ntitle: AGB\nversion: 2026-11-01\nlang: de\n---\n\n## Geltung\n\nFür alle Käufe.\n'
  await writeFile(join(CONTENT_DIR, 'terms.md'), german)
  const payments = await startTestPayments({ env: { COMMISSION_PERCENT: '12.5', CONTENT_DIR } })
  const order = await givenCompletedOrder(payments)

  expect(await booksOf(payments, order.lines[0]!.id)).toMatchObject({ commission: 1_500 })
  expect(await view(payments, order)).toMatchObject({ total: 120, captured: 120, termsVersion: '2026-11-01' })
})

test.each([
  ['COMMISSION_PERCENT', '51'],
  ['COMMISSION_PERCENT', '-1'],
  ['COMMISSION_PERCENT', 'ten'],
])('%s=%s is refused by its name', (name, value) => {
  const required = { STRIPE_SECRET_KEY: 'sk_test_0', STRIPE_WEBHOOK_SECRET: 'whsec_test' }
  expect(() => readConfig({ ...required, [name]: value })).toThrow(name)
})
