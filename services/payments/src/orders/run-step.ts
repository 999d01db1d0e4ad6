import type { ExpectedError } from '@nifty/service-kit/errors'
import type { ServiceClient } from '@nifty/service-kit/http/internal'
import type { Log } from '@nifty/service-kit/logs'
import { inSpan } from '@nifty/service-kit/traces/trace'
import type { Kysely, Transaction } from 'kysely'
import type { Config } from '../config.ts'
import type { Database, Line } from '../db.ts'
import type { Processor } from '../processor/processor.ts'
import { linesOf } from './line.store.ts'
import { type LockedOrder, lockDueOrder, lockOrder, postponeOrder, restOrder, wishStop } from './order.store.ts'
import { nextStep, type Step } from './order.ts'

/** `desk`: connections for work that holds an order's lock while somebody outside answers. */
export type Advancing = {
  desk: Kysely<Database>
  processor: Processor
  catalog: ServiceClient
  minting: ServiceClient
  log: Log
  config: Config
  steps: Steps
}

/** The work behind each name; `steps/steps.ts` holds them. An argument, so that no folder imports the other back. */
export type Steps = Record<Exclude<Step, 'rest'>, (work: Work) => Promise<StepResult>>

/** One order under lock, and everything a step may need. */
export type Work = Advancing & { trx: Transaction<Database>; order: LockedOrder; lines: Line[] }

/**
 * What a step came to. `pauseMs` until the next look (0: there is more to do at once, null: nothing is left to do).
 * `refusal` is what a buyer who waits for this step is told.
 */
export type StepResult = { pauseMs: number | null; refusal?: ExpectedError }

export const goOn: StepResult = { pauseMs: 0 }
export const nothingLeft: StepResult = { pauseMs: null }
export const lookIn = (pauseMs: number): StepResult => ({ pauseMs })

export type Advanced = { step: Step; pauseMs: number | null; refusal?: ExpectedError }

/** Takes one order one step on, in one transaction under its lock. */
export async function advance(deps: Advancing, orderId: string): Promise<Advanced> {
  return deps.desk.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId)
    if (!order) throw new Error(`order ${orderId} is gone`)
    return takeStep(deps, trx, order)
  })
}

/** Takes the order that waits longest one step on; false when none is due. A failure moves its next look away. */
export async function advanceDue(deps: Advancing): Promise<boolean> {
  let orderId: string | undefined
  try {
    return await deps.desk.transaction().execute(async (trx) => {
      const order = await lockDueOrder(trx)
      if (!order) return false
      orderId = order.id
      await giveUpOldStart(deps, trx, order)
      await takeStep(deps, trx, order)
      return true
    })
  } catch (error) {
    if (!orderId) throw error
    deps.log.warn({ err: error, orderId }, 'order could not be taken on, trying again')
    await postponeOrder(deps.desk, orderId)
    return true
  }
}

async function takeStep(deps: Advancing, trx: Transaction<Database>, order: LockedOrder): Promise<Advanced> {
  const lines = await linesOf(trx, order.id)
  const step = nextStep(order, lines, order.now)
  const { pauseMs, refusal } = await inSpan(
    { name: `order ${step}`, continues: order.traceparent, facts: { 'order.id': order.id } },
    () => (step === 'rest' ? Promise.resolve(nothingLeft) : deps.steps[step]({ ...deps, trx, order, lines })),
  )
  await restOrder(trx, order.id, pauseMs)
  return { step, pauseMs, refusal }
}

/** A buyer who came back would be continuing it: the item is not kept for somebody who has gone. */
async function giveUpOldStart({ config }: Advancing, trx: Transaction<Database>, order: LockedOrder) {
  const isOld = order.now.getTime() - order.createdAt.getTime() >= config.startMs
  if (order.sessionId || order.stop || !isOld) return
  order.stop = 'abandoned'
  await wishStop(trx, order.id, 'abandoned')
}
