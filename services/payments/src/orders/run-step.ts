import type { ExpectedError } from '@nifty/service-kit/errors'
import { inSpan } from '@nifty/service-kit/traces/trace'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { linesOf } from './line.store.ts'
import { type LockedOrder, lockDueOrder, lockOrder, postponeOrder, restOrder, wishStop } from './order.store.ts'
import { nextStep, type Step } from './order.ts'
import { nothingLeft, type Outside, type StepResult, type Work } from './step.ts'
import { askCapture, cancelHold, capture, writeOff } from './steps/capture.ts'
import { expireSession, lookAgain, lookAtSession, openSession } from './steps/poll-session.ts'
import { abandon, reserve } from './steps/reserve.ts'
import { stopDelivery, watchDelivery } from './steps/watch-delivery.ts'

const steps: Record<Step, (work: Work) => Promise<StepResult>> = {
  reserve,
  abandon,
  open_session: openSession,
  look_at_session: lookAtSession,
  expire_session: expireSession,
  stop_delivery: stopDelivery,
  watch_delivery: watchDelivery,
  ask_capture: askCapture,
  capture,
  cancel_hold: cancelHold,
  write_off: writeOff,
  look_again: lookAgain,
  rest: async () => nothingLeft,
}

/** `desk`: connections for work that holds an order's lock while somebody outside answers. */
export type Advancing = Outside & { desk: Kysely<Database> }

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
    () => steps[step]({ ...deps, trx, order, lines }),
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
