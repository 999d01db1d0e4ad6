import type { LineState, Order, OrderLine } from '@nifty/api/payments/public'

const finalStates: readonly LineState[] = ['completed', 'released', 'written_off', 'refunded', 'disputed']

/** The order is in a final state. */
export const isFinal = ({ state }: Pick<Order, 'state'>) => finalStates.includes(state)

export const isUnpaid = ({ state }: Pick<Order, 'state'>) => state === 'placed' || state === 'awaiting_payment'

/** The order of this item that awaits its payment, if there is one. */
export const openOrderFor = (orders: Order[], itemId: string) =>
  orders.find((order) => isUnpaid(order) && order.lines.some((line) => line.itemId === itemId))

export type Step = {
  state: LineState
  title: string
  text: string
  at: string | null
  phase: 'done' | 'now' | 'next' | 'failed'
}

/** The steps of a line that is delivered and captured. */
const regularSteps: { state: LineState; title: string; text: string }[] = [
  { state: 'authorised', title: 'Card held', text: 'The amount is held on your card. It is not charged.' },
  { state: 'delivering', title: 'On its way', text: 'The work is being transferred to your wallet.' },
  { state: 'delivered', title: 'Arrived', text: 'The transfer is final on the chain. The work is yours.' },
  { state: 'completed', title: 'Charged', text: 'Only now was your card charged.' },
]

/** The last step of a line that ends otherwise. */
const endings: Partial<Record<LineState, { title: string; text: string }>> = {
  written_off: {
    title: 'Not charged',
    text: 'The hold on your card expired before it could be charged. The work is yours all the same.',
  },
  refunded: { title: 'Refunded', text: 'The amount was returned to your card.' },
  disputed: { title: 'Disputed', text: 'Your bank is reviewing this payment.' },
}

const releaseReasons: Record<string, string> = {
  cancelled: 'The purchase was cancelled.',
  expired: 'The payment was not made in time.',
  undeliverable: 'The work could not be delivered to your wallet.',
}

export const releaseReason = (reason: string | null) =>
  releaseReasons[reason ?? ''] ?? 'The purchase did not go through.'

/** The steps of one order line in order: done, current and upcoming. */
export function stepsOf(line: OrderLine, timeline: Order['timeline']): Step[] {
  const reachedAt = (state: LineState) =>
    timeline.findLast((entry) => entry.itemId === line.itemId && entry.state === state)?.at ?? null

  if (line.state === 'released') {
    const done = regularSteps
      .filter(({ state }) => reachedAt(state) !== null)
      .map((step) => ({ ...step, at: reachedAt(step.state), phase: 'done' as const }))
    const held = reachedAt('authorised') !== null
    const text = `${releaseReason(line.reason)} ${held ? 'The hold on your card was released.' : 'Your card was never held.'}`
    const at = reachedAt('released')
    return [...done, { state: 'released', title: 'Nothing was charged', text, at, phase: 'failed' }]
  }

  const ending = endings[line.state]
  const expected = ending ? regularSteps.filter(({ state }) => state !== 'completed' || reachedAt(state)) : regularSteps
  const current = expected.findIndex(({ state }) => reachedAt(state) === null)
  const steps = expected.map((step, index): Step => {
    const at = reachedAt(step.state)
    return { ...step, at, phase: at || ending ? 'done' : index === current ? 'now' : 'next' }
  })
  return ending ? [...steps, { ...ending, state: line.state, at: reachedAt(line.state), phase: 'done' }] : steps
}
