import type { LineState } from '@nifty/api/payments/line-states'
import type { DeliverTo, Order, OrderLine } from '@nifty/api/payments/public'

const finalStates: readonly LineState[] = ['completed', 'released', 'written_off', 'refunded', 'disputed']

/** The order is in a final state. */
export const isFinal = ({ state }: Pick<Order, 'state'>) => finalStates.includes(state)

export const isUnpaid = ({ state }: Pick<Order, 'state'>) => state === 'placed' || state === 'awaiting_payment'

/** The order of this item that awaits its payment, if there is one. */
export const openOrderFor = (orders: Order[], itemId: string) =>
  orders.find((order) => isUnpaid(order) && order.lines.some((line) => line.itemId === itemId))

/** Where the tokens of an order go. */
export const deliverToOf = ({ wallet }: Pick<Order, 'wallet'>): DeliverTo => (wallet === null ? 'custody' : 'wallet')

export type Step = {
  state: LineState
  title: string
  text: string
  at: string | null
  phase: 'done' | 'now' | 'next' | 'failed'
}

type Recipient = Pick<Order, 'wallet'>

const isArrived = ({ state }: Pick<OrderLine, 'state'>) => state === 'delivered' || state === 'capture_due'

/**
 * The steps of a line that is delivered and captured, as they read once they are reached. What is over is told in the
 * past. `given`: the buyer has given the work away.
 */
const regularSteps = (
  line: Pick<OrderLine, 'state'>,
  { wallet, given }: Recipient & { given: boolean },
): { state: LineState; title: string; text: string }[] => {
  const into = wallet === null ? 'into our custody for you' : 'to your wallet'
  const transferred =
    line.state === 'released' ? `The transfer ${into} was started.` : `The work was transferred ${into}.`
  return [
    {
      state: 'authorised',
      title: 'Card held',
      text: isFinal(line) ? 'The amount was held on your card.' : 'The amount is held on your card. It is not charged.',
    },
    {
      state: 'delivering',
      title: 'On its way',
      text: isFinal(line) || isArrived(line) ? transferred : `The work is being transferred ${into}.`,
    },
    {
      state: 'delivered',
      title: 'Arrived',
      text: `The transfer is final on the chain.${given ? '' : ' The work is yours.'}`,
    },
    { state: 'completed', title: 'Charged', text: 'Only now was your card charged.' },
  ]
}

/** The last step of a line that ends otherwise. */
const endingOf = (
  { state }: Pick<OrderLine, 'state'>,
  { given }: { given: boolean },
): { title: string; text: string } | undefined => {
  switch (state) {
    case 'written_off':
      return {
        title: 'Not charged',
        text: `The hold on your card expired before it could be charged. ${given ? 'You owe us nothing.' : 'The work is yours all the same.'}`,
      }
    case 'refunded':
      return { title: 'Refunded', text: 'The amount was returned to your card.' }
    case 'disputed':
      return { title: 'Disputed', text: 'Your bank is reviewing this payment.' }
    default:
      return undefined
  }
}

/** Why a line was released, as a sentence. */
export function releaseReason(reason: string | null, { wallet }: Recipient): string {
  switch (reason) {
    case 'cancelled':
      return 'The purchase was cancelled.'
    case 'expired':
      return 'The payment was not made in time.'
    case 'undeliverable':
      return `The work could not be ${wallet === null ? 'transferred into our custody for you' : 'delivered to your wallet'}.`
    default:
      return 'The purchase did not go through.'
  }
}

/** The steps of one order line in order: done, current and upcoming. `given`: the buyer has given its work away. */
export function stepsOf(
  line: OrderLine,
  { given = false, ...order }: Recipient & Pick<Order, 'timeline'> & { given?: boolean },
): Step[] {
  const { timeline } = order
  const regular = regularSteps(line, { ...order, given })
  const reachedAt = (state: LineState) =>
    timeline.findLast((entry) => entry.itemId === line.itemId && entry.state === state)?.at ?? null

  if (line.state === 'released') {
    const done = regular
      .filter(({ state }) => reachedAt(state) !== null)
      .map((step) => ({ ...step, at: reachedAt(step.state), phase: 'done' as const }))
    const held = reachedAt('authorised') !== null
    const text = `${releaseReason(line.reason, order)} ${held ? 'The hold on your card was released.' : 'Your card was never held.'}`
    const at = reachedAt('released')
    return [...done, { state: 'released', title: 'Nothing was charged', text, at, phase: 'failed' }]
  }

  const ending = endingOf(line, { given })
  const expected = ending ? regular.filter(({ state }) => state !== 'completed' || reachedAt(state)) : regular
  const current = expected.findIndex(({ state }) => reachedAt(state) === null)
  const steps = expected.map((step, index): Step => {
    const at = reachedAt(step.state)
    return { ...step, at, phase: at || ending ? 'done' : index === current ? 'now' : 'next' }
  })
  return ending ? [...steps, { ...ending, state: line.state, at: reachedAt(line.state), phase: 'done' }] : steps
}
