import { randomUUID } from 'node:crypto'
import { getReconciliation, startReconciliation } from '@nifty/api/payments/ops'
import { sql } from 'kysely'
import { findOrder } from '../orders/order.store.ts'
import { runStep, type StepDeps } from '../orders/run-step.ts'
import { runReconciliationPage } from '../reconciliation/run-page.ts'
import type { Payments } from './payments.ts'
import { deliver, givenOpenOrder, lines } from './sale.ts'

/** Runs steps until the order waits. For payments without workers. */
async function runSteps({ deps }: Payments, orderId: string) {
  while ((await runStep(deps, orderId)).nextRunInMs === 0);
}

export async function givenHeld(payments: Payments) {
  const order = await givenOpenOrder(payments)
  await payments.sandbox.pay(order.url)
  await runSteps(payments, order.orderId)
  return {
    ...order,
    line: (await lines(payments, order.orderId))[0]!,
    intentId: await intentOf(payments, order.orderId),
  }
}

export async function givenCompleted(payments: Payments) {
  const order = await givenHeld(payments)
  await deliver(payments, order.line)
  await runSteps(payments, order.orderId)
  return order
}

const intentOf = async ({ db }: Payments, orderId: string) => (await findOrder(db, orderId))!.intentId!

/** A period that starts after everything that exists now. The processor's clock is moved into it. */
export async function startLater(payments: Payments) {
  const run = await payments.internal(startReconciliation, { body: {} })
  const { now } = await payments.sandbox.advance(3_600_000)
  await sql`update reconciliation set since = to_timestamp(${now - 1_800}), until = to_timestamp(${now + 3_600})
    where id = ${run._id}`.execute(payments.db)
}

/** Runs the pages of the unfinished run without waiting between them, and returns the finished run. */
export async function finishRun({ db, deps, internal }: Payments, pageDeps: StepDeps = deps) {
  for (;;) {
    const { run } = await internal(getReconciliation)
    if (run!.finishedAt !== null) return run!
    await sql`update reconciliation set next_page_at = now() where finished_at is null`.execute(db)
    await runReconciliationPage(pageDeps)
  }
}

export async function reconcile(payments: Payments, body: { all?: boolean; since?: string } = {}) {
  await payments.internal(startReconciliation, { body })
  return finishRun(payments)
}

/** A call of somebody else to the processor's API, as from its dashboard. */
export async function callProcessor({ sandbox }: Payments, path: string, body: Record<string, string> = {}) {
  const response = await fetch(`${sandbox.url}${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_sandbox', 'idempotency-key': randomUUID() },
    body: new URLSearchParams(body),
  })
  if (!response.ok) throw new Error(await response.text())
}
