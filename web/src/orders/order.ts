import type { LineState, Order, OrderLine } from '@nifty/api/payments/public'

const over: readonly LineState[] = ['completed', 'released', 'written_off', 'refunded', 'disputed']

/** Nothing more will happen to it by itself. */
export const isOver = ({ state }: Pick<Order, 'state'>) => over.includes(state)

export const isUnpaid = ({ state }: Pick<Order, 'state'>) => state === 'placed' || state === 'awaiting_payment'

/** The open purchase of one work that still waits for its payment, if there is one. */
export const openOrderFor = (orders: Order[], itemId: string) =>
  orders.find((order) => isUnpaid(order) && order.lines.some((line) => line.itemId === itemId))

export type Step = {
  state: LineState
  title: string
  text: string
  at: string | null
  phase: 'done' | 'now' | 'next' | 'failed'
}

const plan: { state: LineState; title: string; text: string }[] = [
  { state: 'authorised', title: 'Card held', text: 'The amount is held on your card. It is not charged.' },
  { state: 'delivering', title: 'On its way', text: 'The work is being transferred to your wallet.' },
  { state: 'delivered', title: 'Arrived', text: 'The transfer is final on the chain. The work is yours.' },
  { state: 'completed', title: 'Charged', text: 'Only now was your card charged.' },
]

const endings: Record<string, { title: string; text: string } | undefined> = {
  written_off: {
    title: 'Not charged',
    text: 'The hold on your card ran out before it could be charged. The work is yours all the same.',
  },
  refunded: { title: 'Refunded', text: 'The amount was returned to your card.' },
  disputed: { title: 'Disputed', text: 'Your bank is looking into this payment.' },
}

const reasons: Record<string, string> = {
  cancelled: 'The purchase was cancelled.',
  expired: 'The payment was not made in time.',
  undeliverable: 'The work could not be delivered to your wallet.',
}

export const releaseReason = (reason: string | null) => reasons[reason ?? ''] ?? 'The purchase did not go through.'

/** The story of one line, past and to come, in the order in which it is told. */
export function stepsOf(line: OrderLine, timeline: Order['timeline']): Step[] {
  const when = (state: LineState) =>
    timeline.findLast((entry) => entry.itemId === line.itemId && entry.state === state)?.at ?? null
  const reached = plan.filter(({ state }) => when(state) !== null)

  if (line.state === 'released') {
    const done = reached.map((step) => ({ ...step, at: when(step.state), phase: 'done' as const }))
    const held = when('authorised') !== null
    const text = `${releaseReason(line.reason)} ${held ? 'The hold on your card was released.' : 'Your card was never held.'}`
    return [...done, { state: 'released', title: 'Nothing was charged', text, at: when('released'), phase: 'failed' }]
  }

  const ending = endings[line.state]
  const steps = ending ? plan.filter(({ state }) => state !== 'completed' || when(state)) : plan
  const current = steps.findIndex(({ state }) => when(state) === null)
  const phaseOf = (index: number, at: string | null) => (at || ending ? 'done' : index === current ? 'now' : 'next')
  const told = steps.map((step, index): Step => {
    const at = when(step.state)
    return { ...step, at, phase: phaseOf(index, at) }
  })
  return ending ? [...told, { ...ending, state: line.state, at: when(line.state), phase: 'done' }] : told
}
