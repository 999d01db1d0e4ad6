import { expect, test } from 'vitest'
import type { Hold } from '../../processor/processor.ts'
import { startTestPayments } from '../../testing/payments.ts'
import { alarms, givenOpenOrder, lines, publishedEvents } from '../../testing/sale.ts'
import { runStep } from '../run-step.ts'

test.each<[string, Partial<Hold>]>([
  ['a smaller amount', { amount: 11_999 }],
  ['another currency', { currency: 'jpy' }],
])('a hold of %s than its session and order is released, and nothing is delivered', async (_what, change) => {
  const payments = await startTestPayments({ manual: true })
  const { orderId, url } = await givenOpenOrder(payments)
  await payments.sandbox.pay(url)
  const { processor } = payments.deps
  const session: typeof processor.session = async (id) => {
    const found = await processor.session(id)
    return { ...found, hold: { ...found.hold!, ...change } }
  }
  const deps = { ...payments.deps, processor: { ...processor, session } }

  while ((await runStep(deps, orderId)).nextRunInMs === 0);

  expect(await lines(payments, orderId)).toMatchObject([{ state: 'released', note: 'amount differs' }])
  expect(await alarms(payments)).toEqual(['amount_differs'])
  expect(await publishedEvents(payments, 'order-line-authorised')).toEqual([])
  expect(await payments.sandbox.totals()).toMatchObject({ captured: 0, inFlight: 0 })
})
