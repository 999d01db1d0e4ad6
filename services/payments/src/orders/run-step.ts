import type { ExpectedError } from '@nifty/service-kit/base/errors'
import type { Log } from '@nifty/service-kit/base/logs'
import { inSpan } from '@nifty/service-kit/base/trace'
import type { ServiceClient } from '@nifty/service-kit/http/client'
import type { Kysely, Transaction } from 'kysely'
import type { Config } from '../config.ts'
import type { Database, Line, Order } from '../db.ts'
import type { Processor } from '../processor/processor.ts'
import { linesOf } from './line.store.ts'
import type { LineState } from './line.ts'
import {
  type DueKind,
  type LockedOrder,
  lockDueOrder,
  lockOrder,
  type OrderChanges,
  scheduleNextRun,
  scheduleRetry,
  setCancelRequest,
} from './order.store.ts'
import type { SaleTimes } from './sale-times.ts'

/**
 * `longPool`: connections for transactions that stay open during a call to another system. `db`: the main pool, for
 * what is committed before that call.
 */
export type StepDeps = {
  db: Kysely<Database>
  longPool: Kysely<Database>
  processor: Processor
  auth: ServiceClient
  catalog: ServiceClient
  minting: ServiceClient
  log: Log
  saleTimes: SaleTimes
  config: Config
  /** `STORE_ID`, which sessions and intents carry: other shops may use the same account of the processor. */
  storeId: string
  /** `sale.ts`. An argument, so that imports go one way: it imports the steps, and they this file. */
  sale: readonly SaleStep[]
}

/** What decides which step is due. */
export type SaleView = { order: Order; lines: Line[]; now: Date }

/** The steps of a sale; `sale.ts` has them in order. */
export type StepName =
  | 'reserve'
  | 'begin_bid'
  | 'abandon'
  | 'open_session'
  | 'poll_session'
  | 'expire_session'
  | 'rebuild'
  | 'release_bid'
  | 'place_bid'
  | 'stop_delivery'
  | 'watch_delivery'
  | 'prepare_capture'
  | 'capture'
  | 'cancel_hold'
  | 'write_off'
  | 'recheck_session'

export type SaleStep = {
  step: StepName
  /** Of several steps that are due the first one is run. */
  due: (sale: SaleView) => boolean
  does: string
  run: (context: StepContext) => Promise<StepResult>
  /** The transitions of lines that it may make. */
  moves: Partial<Record<LineState, readonly LineState[]>>
  /** Steps that may be due after it, beside itself and none. */
  next: readonly StepName[]
  /** What is done about what it cannot complete. */
  compensation: string
}

/** Arguments of a step. The order is locked by `trx`. */
export type StepContext = StepDeps & { trx: Transaction<Database>; order: LockedOrder; lines: Line[] }

/**
 * `nextRunInMs`: 0 to continue at once, null when nothing is left to do. `isPoll`: the next run only reads whether an
 * open page was paid. `changes`: of the order, stored with the next run. For a buyer who waits for this step: `url`,
 * the page that it opened, or `refusal`, the error to return.
 */
export type StepResult = {
  nextRunInMs: number | null
  isPoll?: boolean
  changes?: OrderChanges
  url?: string
  refusal?: ExpectedError
  held?: { cents: number; lines: number }
  captured?: { cents: number; seconds: number }
}

export const continueNow: StepResult = { nextRunInMs: 0 }
export const done: StepResult = { nextRunInMs: null }
export const retryIn = (ms: number): StepResult => ({ nextRunInMs: ms })
const pollIn = (ms: number): StepResult => ({ nextRunInMs: ms, isPoll: true })

/**
 * How soon and how often the page of an offer or a bid is polled as work, not as one of many polls: its sale waits for
 * it.
 */
const FRESH_BID_MS = 5 * 60_000
const FRESH_BID_POLL_MS = 10_000

/** The next look at an open page; webhooks are faster. */
export const awaitPayment = (
  { orderKind, now, createdAt }: LockedOrder,
  { pollMs }: Pick<Config, 'pollMs'>,
): StepResult =>
  orderKind !== 'purchase' && now.getTime() - createdAt.getTime() < FRESH_BID_MS
    ? retryIn(Math.min(pollMs, FRESH_BID_POLL_MS))
    : pollIn(pollMs)

export type StepRun = Omit<StepResult, 'changes' | 'isPoll'> & { step: StepName | 'done' }

/**
 * Runs the next step of one order, in one transaction under its lock. `keepMs`: the caller runs the step after it as
 * well, so that it is due for a worker only after this time: a worker between the two would run it in its place, and
 * the caller wait for the lock.
 */
export async function runStep(deps: StepDeps, orderId: string, { keepMs = 0 } = {}): Promise<StepRun> {
  const run = await deps.longPool.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId)
    if (!order) throw new Error(`order ${orderId} does not exist`)
    return runNextStep(deps, trx, order, { keepMs })
  })
  tell(deps, orderId, run)
  return run
}

/** One line for each hold and each capture, once they are committed. */
function tell({ log, saleTimes }: StepDeps, orderId: string, { held, captured }: StepRun) {
  if (held) log.info({ orderId, ...held }, 'sale: card held, delivery begins')
  if (!captured) return
  log.info({ orderId, ...captured }, 'sale: captured')
  saleTimes.captured(captured.seconds)
}

/**
 * Runs the next step of the order of this kind that has been due longest, and returns whether that order is due again
 * at once; null when none is due. A failed step is rolled back and retried later.
 */
export async function runDueStep(deps: StepDeps, kind: DueKind = 'work'): Promise<{ continuesNow: boolean } | null> {
  let orderId: string | undefined
  try {
    const run = await deps.longPool.transaction().execute(async (trx) => {
      const order = await lockDueOrder(trx, kind)
      if (!order) return null
      orderId = order.id
      await cancelStaleStart(deps, trx, order)
      return runNextStep(deps, trx, order)
    })
    if (!run) return null
    tell(deps, orderId!, run)
    return { continuesNow: run.nextRunInMs === 0 }
  } catch (error) {
    if (!orderId) throw error
    deps.log.warn({ err: error, orderId }, 'orders: step failed, retrying later')
    await scheduleRetry(deps.longPool, orderId)
    return { continuesNow: false }
  }
}

/** The first step that is due. */
export const dueStep = (sale: readonly SaleStep[], view: SaleView): SaleStep | undefined =>
  sale.find(({ due }) => due(view))

async function runNextStep(
  deps: StepDeps,
  trx: Transaction<Database>,
  order: LockedOrder,
  { keepMs = 0 } = {},
): Promise<StepRun> {
  const lines = await linesOf(trx, order.id)
  const due = dueStep(deps.sale, { order, lines, now: order.now })
  const step = due?.step ?? 'done'
  const { isPoll, changes, ...result } = await inSpan(
    { name: `order ${step}`, remoteParent: order.traceparent, attributes: { 'order.id': order.id } },
    async () => (due ? due.run({ ...deps, trx, order, lines }) : done),
  )
  const nextRunInMs = result.nextRunInMs === 0 ? keepMs : result.nextRunInMs
  await scheduleNextRun(trx, order.id, { nextRunInMs, isPoll, changes })
  return { step, ...result }
}

/** Without a session after `startMs` the buyer's request has ended: cancels, so that the items become free. */
async function cancelStaleStart({ config }: StepDeps, trx: Transaction<Database>, order: LockedOrder) {
  const isOld = order.now.getTime() - order.createdAt.getTime() >= config.startMs
  if (order.sessionId || order.cancelRequestedBy || !isOld) return
  order.cancelRequestedBy = 'timeout'
  await setCancelRequest(trx, order.id, 'timeout')
}
