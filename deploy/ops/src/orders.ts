import { listActions } from '@nifty/api/operator-actions'
import { orderNumber, parseOrderNumber } from '@nifty/api/order-number'
import type { Alarm } from '@nifty/api/payments/alarms'
import {
  cancelOrder,
  findOrdersByNumber,
  freeItem,
  getOrderHistory,
  listOpenOrders,
  type OrderHistory,
  refundLine,
} from '@nifty/api/payments/ops'
import { type Command, uuid } from './command.ts'
import { age, euros, table } from './format.ts'
import { fromAll, type Store, UsageError } from './store.ts'

export const orderCommands: Record<string, Command> = {
  orders: {
    usage: '',
    about: 'lists open orders, oldest first',
    run: async (store) => {
      const { orders } = await store.payments(listOpenOrders)
      if (orders.length === 0) return 'No order is open.'
      const rows = orders.map(({ _id, state, money, total, since, alarms }) => [
        _id,
        state,
        money,
        euros(total),
        age(since),
        alarms.join(', '),
      ])
      return table([['order', 'state', 'money', 'total', 'age', 'alarms'], ...rows])
    },
  },
  order: {
    usage: '<id or number of an order>',
    about: 'prints the history of one order, by its id or by the number that its buyer has',
    run: async (store, args) => {
      const ids = await orderIdsOf(store, args[0]!)
      if (ids.length > 1) return `Several orders have this number:\n${ids.join('\n')}`
      const history = await store.payments(getOrderHistory, { params: { id: ids[0]! } })
      const elsewhere = await actionsElsewhere(store, history)
      return [printed({ ...history, actions: [...history.actions, ...elsewhere.actions] }), ...elsewhere.failures].join(
        '\n\n',
      )
    },
  },
  'cancel-order': {
    usage: '<order id>',
    about: 'cancels what of an order is not delivered, also signed deliveries that no block has; they are not charged',
    changes: 'audited',
    run: async (store, args, action) => {
      const { state } = await store.payments(cancelOrder, { body: { orderId: args[0]!, ...action } })
      if (state === 'delivering')
        return 'The nonce of its transaction is being cancelled. The chain decides: `pnpm ops order` shows the outcome.'
      return state === 'placed' || state === 'awaiting_payment' || state === 'authorised'
        ? {
            text: `The order is still ${state}: payments repeats the cancellation until the processor responds.`,
            ok: false,
          }
        : `The order is ${state}.`
    },
  },
  'free-item': {
    usage: '<item id>',
    about: 'frees a work that is reserved for an order which payments does not have, or has released',
    changes: 'audited',
    run: async (store, args, action) => {
      const { orderId } = await store.payments(freeItem, { body: { itemId: args[0]!, ...action } })
      return `The work is being freed: order ${orderId} does not hold it.`
    },
  },
  refund: {
    usage: '<line id>',
    about: 'refunds what is left of the price of a captured line; the owner of the token does not change',
    changes: 'audited',
    run: async (store, args, action) => {
      const { amount, state, error } = await store.payments(refundLine, { body: { lineId: args[0]!, ...action } })
      return `Refund of ${euros(amount)}: ${state}${error ? ` (${error})` : ''}.`
    },
  },
}

/** The orders that an id or a number stands for, at least one. Throws for another text, and for an unused number. */
async function orderIdsOf(store: Store, text: string): Promise<string[]> {
  if (uuid.test(text)) return [text]
  const number = parseOrderNumber(text)
  if (number === null) throw new UsageError(`${text} is neither the id nor the number of an order`)
  const { orders } = await store.payments(findOrdersByNumber, { params: { number } })
  if (orders.length === 0) throw new UsageError(`No order has the number ${number}`)
  return orders.map(({ _id }) => _id)
}

/** What operators did in other services with the order's lines and their works, such as a delivery that was retried. */
async function actionsElsewhere(store: Store, { order }: OrderHistory) {
  const subjects = order.lines.flatMap(({ _id, itemId }) => [_id, itemId])
  const { found, failures } = await fromAll(['minting', 'catalog'], (name) =>
    Promise.all(subjects.map((subject) => store[name](listActions, { query: { subject } }))),
  )
  return { actions: found.flatMap(([, lists]) => lists.flatMap(({ actions }) => actions)), failures }
}

function printed({
  order,
  buyerId,
  money,
  intentId,
  alarms,
  events,
  refunds,
  reversals,
  entries,
  actions,
}: OrderHistory): string {
  const lines = order.lines.map(({ _id, name, price, state, reason, txHash }) => [
    _id,
    name,
    euros(price),
    state,
    reason ?? '',
    txHash ?? '',
  ])
  const timeline = [
    ...order.timeline.map(({ at, state, note }) => [at, 'store', state, note ?? '']),
    ...events.map(({ receivedAt, type, outcome }) => [receivedAt, 'processor', type, outcome ?? 'waiting']),
    ...refunds.map(({ requestedAt, amount, state }) => [requestedAt, 'refund', euros(amount), state]),
    ...actions.map(({ at, action, operator, reason }) => [at, operator, action, reason]),
  ].sort(([one = ''], [other = '']) => one.localeCompare(other))
  return [
    `Order ${orderNumber(order._id)} (${order._id}): ${order.state}, ${euros(order.total)}, captured ${euros(order.captured)}, money ${money}`,
    `Buyer ${buyerId}, ${order.wallet === null ? 'into custody' : `wallet ${order.wallet}`}`,
    `Payment ${intentId ?? 'not made yet'}`,
    table(lines),
    table(timeline),
    ...(entries.length > 0 ? [table(entries.map(printedEntry))] : []),
    ...reversals.map(printedReversal),
    ...alarms.map(printedAlarm),
  ].join('\n\n')
}

const printedAlarm = ({ name, subject, detail, times, acknowledged }: Alarm) => {
  const text = `ALARM ${name} ${subject} (${times} times): ${detail}`
  return acknowledged
    ? `${text} (acknowledged by ${acknowledged.by} at ${acknowledged.at}: ${acknowledged.reason})`
    : text
}

const printedEntry = ({ at, lineId, kind, cause, amount, payoutId }: OrderHistory['entries'][number]) => [
  at,
  lineId,
  kind,
  cause,
  euros(amount),
  payoutId ? 'paid out' : '',
]

function printedReversal({
  id,
  kind,
  status,
  reason,
  withdrawn,
  borneBy,
  ambiguous,
}: OrderHistory['reversals'][number]) {
  const what = `${kind} ${id}: ${status} ${reason ?? ''}`.trim()
  if (kind === 'fraud_warning') return what
  const open = ambiguous ? `; payouts wait until \`pnpm ops assign ${id} <platform or seller> <line ids>\`` : ''
  return `${what}, ${euros(withdrawn)} withdrawn, borne by ${borneBy ?? `nobody yet: \`pnpm ops assign ${id} <platform or seller>\``}${open}`
}
