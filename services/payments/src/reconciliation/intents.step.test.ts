import { acknowledgeDifference, startReconciliation } from '@nifty/api/payments/ops'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestPayments } from '../testing/payments.ts'
import { callProcessor, finishRun, givenCompleted, reconcile } from '../testing/reconciliation.ts'
import { givenOpenOrder } from '../testing/sale.ts'

const manual = () => startTestPayments({ manual: true, env: { RATE_LIMIT_FACTOR: '100' } })

test('a captured payment of an order whose session was believed missing is found', async () => {
  const payments = await manual()
  const { db, deps, sandbox } = payments
  const { orderId, url } = await givenOpenOrder(payments)
  const session = await deps.processor.findSession(orderId, new Date())
  await sql`update orders set session_id = null, session_url = null, next_run_at = null`.execute(db)
  await sql`update line set state = 'released', reason = 'expired'`.execute(db)
  await sandbox.pay(url)
  const { hold } = await deps.processor.session(session!.id)
  await callProcessor(payments, `/v1/payment_intents/${hold!.id}/capture`)

  const { differences } = await reconcile(payments)

  expect(differences).toMatchObject([{ kind: 'order', orderId, detail: expect.stringContaining('captured 12000') }])
})

test('a page reads the refunds of few intents, so that its transaction stays short', async () => {
  const payments = await manual()
  const { deps, db, internal } = payments
  for (let count = 0; count < 6; count++) {
    const { orderId } = await givenCompleted(payments)
    const { rows } = await sql<{ intentId: string }>`select intent_id from orders where id = ${orderId}`.execute(db)
    await callProcessor(payments, '/v1/refunds', { payment_intent: rows[0]!.intentId, amount: '100' })
  }
  await reconcile(payments)
  let pages = 0
  const intentsOf: typeof deps.processor.intentsOf = (...page) => {
    pages++
    return deps.processor.intentsOf(...page)
  }
  await sql`update reconciliation set until = now() - interval '1 day'`.execute(db)
  await internal(startReconciliation, { body: { all: true } })

  const run = await finishRun(payments, { ...deps, processor: { ...deps.processor, intentsOf } })

  expect(run).toMatchObject({ differences: [], compared: { intents: 6 } })
  expect(pages).toBe(2)
})

test('payments of other shops on the same account are counted, and those of this store without an order differ', async () => {
  const payments = await manual()
  const { deps, sandbox } = payments
  const { orderId } = await givenOpenOrder(payments)
  const payElsewhere = async (key: string, metadata: Record<string, string>) => {
    const session = await deps.processor.createSession(
      {
        mode: 'payment',
        success_url: 'http://shop.test',
        allowed_payment_method_types: ['card'],
        line_items: [{ quantity: 1, price_data: { currency: 'eur', unit_amount: 900, product_data: { name: 'x' } } }],
        payment_intent_data: { capture_method: 'manual', metadata },
      },
      key,
    )
    await sandbox.pay(session.url!)
    return (await deps.processor.session(session.id)).hold!.id
  }
  await payElsewhere('a donation', {})
  await payElsewhere('another store', { store: 'other', order: orderId })
  expect(await reconcile(payments)).toMatchObject({ differences: [], compared: { intents: 0, of_other_shops: 2 } })

  const lost = await payElsewhere('a lost order', { store: 'test', order: crypto.randomUUID() })
  const { differences } = await reconcile(payments)
  expect(differences).toMatchObject([{ kind: 'intent', subject: lost, detail: expect.stringContaining('held 900') }])

  const until = new Date(Date.now() + 3_600_000).toISOString()
  const subject = { kind: 'intent', subject: lost } as const
  const acknowledge = (changes: object) =>
    payments.internal(acknowledgeDifference, { body: { ...subject, reason: 'a test of the bank', until, ...changes } })
  await expect(acknowledge({ subject: 'pi_0' })).rejects.toMatchObject({
    statusCode: 404,
    code: 'difference_not_found',
  })
  const past = { until: '2026-01-01T00:00:00Z' }
  await expect(acknowledge(past)).rejects.toMatchObject({ statusCode: 400, extras: { errors: [{ path: 'until' }] } })
  const acknowledged = { by: 'ada', reason: 'a test of the bank', at: expect.any(String), until }
  expect(await acknowledge({})).toMatchObject({ ...subject, acknowledged })
  expect(await acknowledge({ reason: 'again' })).toMatchObject({ acknowledged })
  const open = { differenceCount: 0, acknowledged: [{ subject: lost, acknowledged }] }
  expect(await reconcile(payments)).toMatchObject(open)
  await payments.db.updateTable('reconciliationDifference').set({ acknowledgedUntil: new Date() }).execute()
  expect(await reconcile(payments)).toMatchObject({ differenceCount: 1, acknowledged: [] })

  await callProcessor(payments, `/v1/payment_intents/${lost}/cancel`)
  expect((await reconcile(payments)).differences).toEqual([])
})
