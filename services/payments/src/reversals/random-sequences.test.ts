import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { owedAccounts, payOut } from '../books/payout.actions.ts'
import { findOrder, lockOrder } from '../orders/order.store.ts'
import { runStep, type StepDeps } from '../orders/run-step.ts'
import type { ProcessorReversal } from '../processor/reversal.ts'
import { requestRefund, submitRefund } from '../refunds/refund.actions.ts'
import { type Payments, startTestPayments } from '../testing/payments.ts'
import { deliver, givenOpenOrder, lines } from '../testing/sale.ts'
import { assignReversal } from './assignment.actions.ts'
import { recordReversal } from './reversal.actions.ts'

const SEQUENCES = 12
const STEPS = 25
const operatorAction = { reason: 'a test' }

/** A linear congruential generator: the same seed gives the same sequence. */
function random(seed: number) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { below, of: <Value>(values: readonly Value[]): Value => values[below(values.length)]! }
}

type Random = ReturnType<typeof random>

async function givenCompleted(payments: Payments, { below }: Random) {
  const creatorId = randomUUID()
  const items = Array.from({ length: 1 + below(3) }, () =>
    payments.peers.givenItem({ priceCents: 50 + below(20_000), ...(below(2) ? { creatorId } : {}) }),
  )
  const { orderId, url } = await givenOpenOrder(payments, { items })
  await payments.sandbox.pay(url)
  await runStep(payments.deps, orderId)
  for (const line of await lines(payments, orderId)) await deliver(payments, line)
  for (let step = 0; step < 3; step++) await runStep(payments.deps, orderId)
  return orderId
}

/** The refunds and disputes of one payment at a processor that does what the test says. */
function fakeProcessor(payments: Payments, { orderId, capturedCents }: { orderId: string; capturedCents: number }) {
  const found = new Map<string, ProcessorReversal>()
  const put = (kind: 'refund' | 'dispute', fields: Partial<ProcessorReversal> & { amountCents: number }) => {
    const object = { kind, status: 'succeeded', reason: null, withdrawnCents: fields.amountCents }
    const rest = { dueBy: null, refundKey: null }
    const created = { id: `${kind}_${randomUUID()}`, createdAt: new Date(Date.now() + found.size) }
    const reversal = { ...object, ...rest, ...created, ...fields }
    found.set(reversal.id, reversal)
    return reversal
  }
  const refundable = () => capturedCents - [...found.values()].reduce((sum, one) => sum + one.withdrawnCents, 0)
  const refund = async (_intent: string, amountCents: number, refundKey: string) =>
    put('refund', { amountCents, refundKey })
  const deps: StepDeps = {
    ...payments.deps,
    processor: { ...payments.deps.processor, refund, reversals: async () => [...found.values()] },
  }
  const record = (reversal: ProcessorReversal) =>
    payments.db.transaction().execute(async (trx) => {
      found.set(reversal.id, reversal)
      await recordReversal(trx, deps, { order: (await lockOrder(trx, orderId))!, reversal })
    })
  return { deps, found, put, refundable, record }
}

type Run = { payments: Payments; orderId: string; random: Random; processor: ReturnType<typeof fakeProcessor> }

const actions: Record<string, (run: Run) => Promise<unknown>> = {
  refundByHand: async ({ random, processor: { put, record, refundable } }) => {
    if (refundable() > 0)
      await record(put('refund', { amountCents: random.below(3) ? 1 + random.below(refundable()) : refundable() }))
  },
  failRefund: async ({ random, processor: { found, record } }) => {
    const succeeded = [...found.values()].filter(({ kind, status }) => kind === 'refund' && status === 'succeeded')
    if (succeeded.length > 0) await record({ ...random.of(succeeded), status: 'failed', withdrawnCents: 0 })
  },
  refundLine: async ({ payments, orderId, random, processor: { deps } }) => {
    const { id } = random.of(await lines(payments, orderId))
    await payments.db.transaction().execute((trx) => requestRefund(trx, id))
    await submitRefund(deps, id)
  },
  inquire: async ({ random, processor: { put, record, refundable } }) => {
    if (refundable() > 0)
      await record(
        put('dispute', {
          amountCents: 1 + random.below(refundable()),
          status: 'warning_needs_response',
          withdrawnCents: 0,
        }),
      )
  },
  dispute: async ({ random, processor: { put, record, refundable } }) => {
    if (refundable() > 0)
      await record(
        put('dispute', {
          amountCents: random.below(2) ? refundable() : 1 + random.below(refundable()),
          status: 'needs_response',
        }),
      )
  },
  closeDispute: async ({ random, processor: { found, record, refundable } }) => {
    const open = [...found.values()].filter(
      ({ kind, status }) => kind === 'dispute' && status.endsWith('needs_response'),
    )
    if (open.length === 0) return
    const dispute = random.of(open)
    const amountCents = dispute.amountCents!
    const canEscalate = dispute.withdrawnCents === 0 && amountCents <= refundable()
    if (canEscalate && random.below(2))
      return record({ ...dispute, status: 'needs_response', withdrawnCents: amountCents })
    if (dispute.status === 'warning_needs_response') return record({ ...dispute, status: 'warning_closed' })
    await record(random.below(2) ? { ...dispute, status: 'won', withdrawnCents: 0 } : { ...dispute, status: 'lost' })
  },
  assign: async ({ payments, orderId, random, processor: { found } }) => {
    if (found.size === 0) return
    const lineIds = random.below(2) ? [random.of(await lines(payments, orderId)).id] : undefined
    const assignment = {
      reversalId: random.of([...found.keys()]),
      borneBy: random.of(['platform', 'seller'] as const),
      lineIds,
    }
    await payments.db.transaction().execute((trx) => assignReversal(trx, assignment))
  },
  payOut: async ({ payments: { db }, random }) => {
    const owed = (await owedAccounts(db, { holdMs: 0 })).filter(({ dueCents }) => dueCents > 0)
    if (owed.length === 0) return
    const { userId, dueCents } = random.of(owed)
    const payment = { userId, holdMs: 0, operator: 'ada', ...operatorAction }
    const tooMuch = db
      .transaction()
      .execute((trx) => payOut(trx, { ...payment, payoutId: randomUUID(), amountCents: dueCents + 1 }))
    await expect(tooMuch).rejects.toMatchObject({ code: 'amount_differs' })
    await db.transaction().execute((trx) => payOut(trx, { ...payment, payoutId: randomUUID(), amountCents: dueCents }))
  },
}

/** What must hold after every action. */
async function check({ payments: { db }, orderId, processor: { found } }: Run, before: Map<number, string>) {
  const entries = await sql<{ id: number; text: string }>`
    select id, concat_ws(' ', line_id, kind, user_id, amount_cents, cause, reversal_id, at) as text
    from book_entry order by id`.execute(db)
  const now = new Map(entries.rows.map(({ id, text }) => [id, text]))
  for (const [id, text] of before) expect(now.get(id)).toBe(text)

  const { capturedCents } = (await findOrder(db, orderId))!
  const sums = await sql<{ kind: string; lineId: string; cents: number; captured: number; price: number }>`
    select kind, line_id, sum(amount_cents)::int as cents, captured_cents as captured, price_cents as price
    from book_entry join line on line.id = line_id where order_id = ${orderId}
    group by kind, line_id, captured_cents, price_cents`.execute(db)
  const withdrawn = [...found.values()].reduce((sum, one) => sum + one.withdrawnCents, 0)
  expect(sums.rows.reduce((sum, { cents }) => sum + cents, 0)).toBe(capturedCents - withdrawn)
  for (const [lineId, rows] of Map.groupBy(sums.rows, (row) => row.lineId)) {
    const left = rows.reduce((sum, { cents }) => sum + cents, 0)
    expect(left, lineId).toBeGreaterThanOrEqual(0)
    expect(left, lineId).toBeLessThanOrEqual(rows[0]!.captured)
    for (const { kind, cents, price } of rows.filter((row) => row.kind !== 'platform')) {
      expect(cents, kind).toBeGreaterThanOrEqual(0)
      expect(cents, kind).toBeLessThanOrEqual(price)
    }
  }
  const unequal = await sql`select id from payout where amount_cents <>
    (select sum(amount_cents) from book_entry where payout_id = payout.id)`.execute(db)
  expect(unequal.rows).toEqual([])
  return now
}

test('books stay right under random refunds, disputes, assignments and payouts', async () => {
  const payments = await startTestPayments({ manual: true, env: { RATE_LIMIT_FACTOR: '100' } })
  const taken: Record<string, number> = {}
  for (let seed = 1; seed <= SEQUENCES; seed++) {
    const generator = random(seed)
    const orderId = await givenCompleted(payments, generator)
    const { capturedCents } = (await findOrder(payments.db, orderId))!
    const run = { payments, orderId, random: generator, processor: fakeProcessor(payments, { orderId, capturedCents }) }
    let entries = new Map<number, string>()
    for (let step = 0; step < STEPS; step++) {
      const name = generator.of(Object.keys(actions))
      await actions[name]!(run).then(
        () => {
          taken[name] = (taken[name] ?? 0) + 1
        },
        (error) => {
          if (!/^(not_refundable|lines_not_named|line_is_known|amount_exceeds_lines)$/.test(error.code)) throw error
        },
      )
      entries = await check(run, entries).catch((error) => {
        throw new Error(`seed ${seed}, step ${step}, ${name}`, { cause: error })
      })
    }
  }
  expect(Object.keys(taken).sort()).toEqual(Object.keys(actions).sort())
})
