import type { Kind } from '../schedule.ts'
import type { Row, World } from '../world.ts'
import { arrived, each, linesByOrder, linesOf, orderById, ordersOf, type Question, sum, terminal } from './question.ts'

/** Alarms that a kind of purchase or a fault of the schedule explains. */
const isOf =
  (...kinds: Kind[]) =>
  ({ histories }: World, { order_id }: Row) =>
    histories.some(({ kind, orderId }) => kinds.includes(kind) && orderId === order_id)
const explained: Record<string, (world: World, alarm: Row) => boolean> = {
  disputed: isOf('disputed', 'inquired'),
  fraud_warning: isOf('warned'),
  hold_lost: isOf('hold ended'),
  written_off: isOf('hold ended'),
  refund_found: isOf('refunded'),
  // One webhook in five is lost.
  webhook_missing: () => true,
}

const captured = ['completed', 'refunded', 'disputed']

export const paymentsQuestions: Question[] = [
  each('payments: every line is in a final state', linesOf, ({ state }) =>
    terminal.includes(state) ? undefined : `line is ${state}`,
  ),
  each('payments: the history of each line is a path to its state', linesOf, ({ id, state }, { databases }) => {
    const { line_history, line_transition } = databases.payments
    const steps = line_history!.filter((each) => each.line_id === id).sort((one, other) => one.id - other.id)
    const broken = steps.find(
      ({ from_state, to_state }, place) =>
        place > 0 &&
        (from_state !== steps[place - 1]!.to_state ||
          !line_transition!.some((each) => each.from_state === from_state && each.to_state === to_state)),
    )
    if (broken) return `goes from ${broken.from_state} to ${broken.to_state}`
    return steps.at(-1)?.to_state === state ? undefined : `is ${state}, its history ends at ${steps.at(-1)?.to_state}`
  }),
  each(
    'payments: the books of a line are what was captured, less what was refunded or disputed',
    linesOf,
    (line, world) => {
      const booked = sum(
        world.databases.payments.book_entry!.filter(({ line_id }) => line_id === line.id),
        'amount_cents',
      )
      // Every dispute is about the whole payment.
      const left = line.state === 'completed' ? line.price_cents : 0
      return booked === left ? undefined : `${booked} cents are booked, ${left} are left`
    },
  ),
  each('payments: an order captured what its lines cost that arrived', ordersOf, (order, world) => {
    const lines = linesByOrder(world).get(order.id) ?? []
    const due = sum(
      lines.filter(({ state }) => captured.includes(state)),
      'price_cents',
    )
    return order.captured_cents === due ? undefined : `captured ${order.captured_cents} cents instead of ${due}`
  }),
  each(
    'payments: no token left without its payment, unless somebody ended the hold meanwhile',
    linesOf,
    ({ state, order_id }, world) => {
      const paid = captured.includes(state) && orderById(world).get(order_id)!.money === 'captured'
      return !arrived.includes(state) || paid || isOf('hold ended')(world, { order_id })
        ? undefined
        : `line is ${state}`
    },
  ),
  each(
    'payments: a line is contested in all services or in none',
    ({ databases }) => databases.payments.contested_line!,
    ({ line_id, contested }, { databases }) => {
      const of = (rows: Row[] = []) => rows.find((each) => each.line_id === line_id)?.contested ?? false
      const [minting, catalog] = [of(databases.minting.contested_line), of(databases.catalog.contested_line)]
      return minting === contested && catalog === contested
        ? undefined
        : `contested ${contested}, in minting ${minting}, in catalog ${catalog}`
    },
  ),
  each('payments: no order keeps a hold', ordersOf, (order, world) => {
    const some = (linesByOrder(world).get(order.id) ?? []).some(({ state }) => arrived.includes(state))
    const wanted = some ? ['captured', 'lapsed'] : ['none', 'released', 'lapsed']
    return wanted.includes(order.money) ? undefined : `money is ${order.money}, something arrived: ${some}`
  }),
  each(
    'payments: every event of the processor is handled',
    ({ databases }) => databases.payments.stripe_inbox!,
    ({ event_id, type, handled_at }) => (handled_at ? undefined : `${type} ${event_id} is not handled`),
  ),
  each(
    'payments: an injected fault explains each alarm',
    ({ databases }) => databases.payments.alarm!,
    (alarm, world) =>
      explained[alarm.name]?.(world, alarm)
        ? undefined
        : { what: `${alarm.name}: ${alarm.detail}`, about: alarm.order_id ?? alarm.subject },
  ),
]
