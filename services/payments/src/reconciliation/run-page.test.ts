import { getReconciliation, startReconciliation } from '@nifty/api/payments/ops'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { StepDeps } from '../orders/run-step.ts'
import { startTestPayments } from '../testing/payments.ts'
import { callProcessor, finishRun, givenCompleted, givenHeld, reconcile } from '../testing/reconciliation.ts'
import { runReconciliationPage } from './run-page.ts'

const manual = () => startTestPayments({ manual: true, env: { RATE_LIMIT_FACTOR: '100' } })

/** Lists of the processor in pages of one, so that a few payments make many pages. */
const inPagesOfOne = (deps: StepDeps): StepDeps => ({
  ...deps,
  processor: {
    ...deps.processor,
    intentsOf: async (period, after) => {
      const page = await deps.processor.intentsOf(period, after)
      return { ...page, data: page.data.slice(0, 1), has_more: page.data.length > 1 }
    },
  },
})

/** The process is killed after the work of a page, before its commit. */
function killedBeforeCommit(deps: StepDeps): StepDeps {
  const transaction = () => ({
    execute: (work: (trx: never) => Promise<unknown>) =>
      deps.longPool.transaction().execute(async (trx) => {
        await work(trx as never)
        throw new Error('killed')
      }),
  })
  const longPool = new Proxy(deps.longPool, {
    get: (pool, name) => {
      const value: unknown = name === 'transaction' ? transaction : Reflect.get(pool, name, pool)
      return typeof value === 'function' ? value.bind(pool) : value
    },
  })
  return { ...deps, longPool }
}

test('a run that is killed at each of its pages is continued and finds the same', async () => {
  const payments = await manual()
  for (let count = 0; count < 3; count++) await givenCompleted(payments)
  const { orderId, intentId } = await givenCompleted(payments)
  await sql`update orders set held_cents = held_cents + 1 where id = ${orderId}`.execute(payments.db)
  await givenHeld(payments)
  await callProcessor(payments, '/v1/refunds', { payment_intent: intentId, amount: '1' })
  const deps = inPagesOfOne(payments.deps)

  await payments.internal(startReconciliation, { body: {} })
  const places: string[] = []
  for (;;) {
    const { run } = await payments.internal(getReconciliation)
    if (run!.finishedAt) break
    const { cursor } = await payments.db.selectFrom('reconciliation').select('cursor').executeTakeFirstOrThrow()
    places.push(`${run!.step} ${cursor}`)
    await sql`update reconciliation set next_page_at = now()`.execute(payments.db)
    await runReconciliationPage(killedBeforeCommit(deps))
    await sql`update reconciliation set next_page_at = now()`.execute(payments.db)
    await runReconciliationPage(deps)
  }

  const { run } = await payments.internal(getReconciliation)
  expect(new Set(places).size).toBe(places.length)
  expect(places.filter((place) => place.startsWith('intents')).length).toBe(5)
  expect(run).toMatchObject({
    compared: { intents: 5, orders: 2 },
    ours: { heldCents: 60_001, capturedCents: 48_000, inFlightCents: 12_000, withdrawnCents: 1 },
    processor: { heldCents: 60_000, capturedCents: 48_000, inFlightCents: 12_000, withdrawnCents: 1 },
  })
  expect(run!.differences).toMatchObject([{ orderId }])
})

test('a process that is started finishes the run of a killed one', async () => {
  const never = '2000000000'
  const payments = await startTestPayments({
    webhooks: false,
    env: { PAYMENTS_WORK_MS: never, PAYMENTS_POLL_MS: '30000', RATE_LIMIT_FACTOR: '100' },
  })
  const { orderId } = await givenCompleted(payments)
  await sql`update orders set held_cents = held_cents + 1`.execute(payments.db)
  await payments.internal(startReconciliation, { body: {} })
  await runReconciliationPage(payments.deps)

  await payments.restart()

  const newest = async () => (await payments.internal(getReconciliation)).run!
  await expect.poll(async () => (await newest()).finishedAt, { timeout: 30_000 }).not.toBeNull()
  expect((await newest()).differences).toMatchObject([{ orderId }])
})

test('two processes never run the same page', async () => {
  const payments = await manual()
  for (let count = 0; count < 4; count++) await givenCompleted(payments)
  const deps = inPagesOfOne(payments.deps)
  await payments.internal(startReconciliation, { body: {} })

  const isFinished = async () => (await payments.internal(getReconciliation)).run!.finishedAt !== null
  while (!(await isFinished())) {
    await sql`update reconciliation set next_page_at = now()`.execute(payments.db)
    await Promise.all([runReconciliationPage(deps), runReconciliationPage(deps)])
  }

  expect((await payments.internal(getReconciliation)).run).toMatchObject({
    compared: { intents: 4 },
    ours: { capturedCents: 48_000 },
  })
})

test('a failed page names its cause, is repeated, and the run is finished afterwards', async () => {
  const payments = await manual()
  await givenCompleted(payments)
  const errorAfterPages = async (step: string) => {
    for (;;) {
      await sql`update reconciliation set next_page_at = now()`.execute(payments.db)
      await runReconciliationPage(payments.deps)
      const { run } = await payments.internal(getReconciliation)
      if (run!.error) return run!.error
      if (run!.step === null) throw new Error(`finished without an error in ${step}`)
    }
  }
  await payments.internal(startReconciliation, { body: {} })

  await payments.sandbox.fault({ request: 'GET /v1/payment_intents', mode: 'error_before' })
  expect(await errorAfterPages('intents')).toBe('intents: the card processor returned 500 api_error')

  payments.peers.failing.add('minting')
  expect(await errorAfterPages('intents')).toBe('intents: the minting service: down')
  payments.peers.failing.clear()

  await sql`alter table payout rename to payout_stored`.execute(payments.db)
  await sql`create view payout as select payout_stored.* from pg_sleep(6) left join payout_stored on true`.execute(
    payments.db,
  )
  expect(await errorAfterPages('payouts')).toBe('payouts: a statement of the database of payments timed out')
  await sql`drop view payout`.execute(payments.db)
  await sql`alter table payout_stored rename to payout`.execute(payments.db)

  expect(await finishRun(payments)).toMatchObject({ differences: [], error: null, compared: { intents: 1 } })
}, 60_000)

test('a run is joined by a second request; one of another period is refused meanwhile', async () => {
  const payments = await manual()
  const first = await payments.internal(startReconciliation, { body: {} })
  expect((await payments.internal(startReconciliation, { body: {} }))._id).toBe(first._id)
  const full = payments.internal(startReconciliation, { body: { all: true } })
  await expect(full).rejects.toMatchObject({ statusCode: 409, code: 'reconciliation_running' })
  for (const date of [
    'yesterday',
    '0001-01-01',
    '-271821-04-20T00:00:00Z',
    '2999-01-01',
    '+275760-09-13T00:00:00.000Z',
  ]) {
    const invalid = payments.internal(startReconciliation, { body: { since: date } })
    await expect(invalid, date).rejects.toMatchObject({ statusCode: 400, code: 'invalid_date' })
  }

  await finishRun(payments)
  const since = '2026-01-02T03:04:05.000Z'
  expect(Date.parse((await reconcile(payments, { since })).since)).toBeLessThan(Date.parse(since))
})
