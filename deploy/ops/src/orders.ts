import { randomUUID } from 'node:crypto'
import { age } from '@nifty/api/age'
import { parseLookup } from '@nifty/api/lookup'
import { listActions } from '@nifty/api/operator-actions'
import { orderNumber } from '@nifty/api/order-number'
import type { Alarm } from '@nifty/api/payments/alarms'
import { lineStates } from '@nifty/api/payments/line-states'
import {
  cancelOrder,
  freeItem,
  getOrderHistory,
  listOpenOrders,
  type OrderHistory,
  refundLine,
} from '@nifty/api/payments/ops'
import { addOrderNote, type OrderSearch, searchOrders } from '@nifty/api/payments/order-search'
import { describeAcknowledgement } from './alarms.ts'
import { type Command, type Options, parseTime, type Report } from './command.ts'
import { euros, printable, table } from './format.ts'
import { accountIdOf, itemIdOf, lineIdOf, orderIdOf, usernamesOf } from './lookup.ts'
import { fromAll, type Store, UsageError } from './store.ts'

export const orderCommands: Record<string, Command> = {
  orders: {
    usage: '[order number, payment, transaction, account or work]',
    about: 'lists orders, newest first, 50 at most; without anything to find, open orders, oldest first',
    json: true,
    options: {
      '--of <account>': 'orders that it bought or sold',
      '--as <role>': 'with --of: only those as buyer, or as seller',
      '--work <work>': 'orders of a work',
      '--state <state>': `with a line that is ${lineStates.join(', ')}`,
      '--since <time>': 'with a zone, such as 2026-11-22T14:00:00Z',
      '--until <time>': 'the same',
      '--after <id>': 'goes on after this order',
    },
    run: async (store, [text], _action, _since, options = {}) => {
      const search = await readSearch(store, text, options)
      return Object.keys(search).length === 0 ? listOpen(store) : listFound(store, search)
    },
  },
  order: {
    usage: '<order>',
    about: 'prints the history of one order, by its number, its payment, its transaction or its id',
    json: true,
    run: async (store, args) => {
      const history = await store.payments(getOrderHistory, { params: { id: await orderIdOf(store, args[0]!) } })
      const elsewhere = await actionsElsewhere(store, history)
      const all = { ...history, actions: [...history.actions, ...elsewhere.actions] }
      return { text: [printed(all), ...elsewhere.failures].join('\n\n'), ok: true, json: all }
    },
  },
  note: {
    usage: '<order> <text>',
    about: 'adds a note to an order, which other operators read in its history',
    changes: 'unaudited',
    run: async (store, [order, text]) => {
      const id = await orderIdOf(store, order!)
      await store.payments(addOrderNote, { params: { id }, body: { noteId: randomUUID(), text: text! } })
      return `Noted for order ${orderNumber(id)}.`
    },
  },
  'cancel-order': {
    usage: '<order>',
    about:
      'cancels what of an order is not delivered, also signed deliveries that no block has, or releases an offer; they are not charged',
    changes: 'audited',
    run: async (store, args, action) => {
      const { state } = await store.payments(cancelOrder, {
        body: { orderId: await orderIdOf(store, args[0]!), ...action },
      })
      if (state === 'delivering')
        return 'The nonce of its transaction is being cancelled. The chain decides: `pnpm ops order` shows the outcome.'
      return ['placed', 'awaiting_payment', 'held', 'authorised'].includes(state)
        ? {
            text: `The order is still ${state}: payments repeats the cancellation until the processor responds.`,
            ok: false,
          }
        : `The order is ${state}.`
    },
  },
  'free-item': {
    usage: '<work>',
    about: 'frees a work that is reserved for an order which payments does not have, or has released',
    changes: 'audited',
    run: async (store, args, action) => {
      const { orderId } = await store.payments(freeItem, {
        body: { itemId: await itemIdOf(store, args[0]!), ...action },
      })
      return `The work is being freed: order ${orderId} does not hold it.`
    },
  },
  refund: {
    usage: '<order, transaction or line>',
    about:
      'refunds what is left of the price of a captured line, of an order of one line or by its id; the owner of the token does not change',
    changes: 'audited',
    run: async (store, args, action) => {
      const { amount, state, error } = await store.payments(refundLine, {
        body: { lineId: await lineIdOf(store, args[0]!), ...action },
      })
      return `Refund of ${euros(amount)}: ${state}${error ? ` (${error})` : ''}.`
    },
  },
}

async function listOpen(store: Store): Promise<Report> {
  const { orders } = await store.payments(listOpenOrders)
  if (orders.length === 0) return { text: 'No order is open.', ok: true, json: orders }
  const rows = orders.map(({ _id, state, money, total, since, alarms }) => [
    orderNumber(_id),
    state,
    money,
    euros(total),
    age(since),
    alarms.join(', '),
    _id,
  ])
  return { text: table([['order', 'state', 'money', 'total', 'age', 'alarms', 'id'], ...rows]), ok: true, json: orders }
}

async function listFound(store: Store, search: OrderSearch): Promise<Report> {
  const found = await store.payments(searchOrders, { body: search })
  if (found.orders.length === 0) return { text: 'No order.', ok: true, json: found }
  const buyers = await usernamesOf(
    store,
    found.orders.map(({ buyerId }) => buyerId),
  )
  const rows = found.orders.map(({ _id, createdAt, state, money, total, buyerId, lines }) =>
    [
      orderNumber(_id),
      createdAt,
      state,
      money,
      euros(total),
      buyers.get(buyerId) ?? buyerId,
      lines.map(({ name, sellerUsername }) => `${name} (${sellerUsername ?? '-'})`).join(', '),
      _id,
    ].map(printable),
  )
  const more = found.next ? [`More: --after ${found.next}`] : []
  const head = ['order', 'time', 'state', 'money', 'total', 'buyer', 'works', 'id']
  return { text: [table([head, ...rows]), ...more].join('\n'), ok: true, json: found }
}

const roles = ['buyer', 'seller'] as const

async function readSearch(store: Store, text: string | undefined, options: Options): Promise<OrderSearch> {
  const { of, as, work, state, since, until, after } = options
  const search: OrderSearch = text === undefined ? {} : await searchOf(store, text)
  if (of !== undefined) search.accountIds = [await accountIdOf(store, String(of))]
  if (as !== undefined) search.as = oneOf(roles, '--as', as)
  if (work !== undefined) search.itemId = await itemIdOf(store, String(work))
  if (state !== undefined) search.state = oneOf(lineStates, '--state', state)
  if (since !== undefined) search.since = parseTime('--since', String(since)).toISOString()
  if (until !== undefined) search.until = parseTime('--until', String(until)).toISOString()
  if (after !== undefined) search.after = String(after)
  return search
}

/** What a text without an option stands for. */
async function searchOf(store: Store, text: string): Promise<OrderSearch> {
  const lookup = parseLookup(text)
  if (lookup.kind === 'token') return { token: lookup.token }
  const isOrder = ['id', 'order_number', 'payment', 'transaction'].includes(lookup.kind)
  return isOrder ? { order: await orderIdOf(store, text) } : { accountIds: [await accountIdOf(store, text)] }
}

function oneOf<Value extends string>(values: readonly Value[], option: string, text: unknown): Value {
  const value = values.find((each) => each === text)
  if (value === undefined) throw new UsageError(`${option} is one of ${values.join(', ')}, not ${text}`)
  return value
}

/** What operators did in other services with the order's lines and their works, such as a delivery that was retried. */
async function actionsElsewhere(store: Store, { order }: OrderHistory) {
  const subjects = order.lines.flatMap(({ _id, itemId }) => [_id, itemId])
  const { found, failures } = await fromAll(['minting', 'catalog'], (name) =>
    Promise.all(subjects.map((subject) => store[name](listActions, { query: { subject } }))),
  )
  return { actions: found.flatMap(([, lists]) => lists.flatMap(({ actions }) => actions)), failures }
}

const titles = { purchase: 'Order', offer: 'Offer', bid: 'Bid' }

function printed({
  order,
  buyerId,
  money,
  held,
  intentId,
  alarms,
  events,
  refunds,
  reversals,
  entries,
  actions,
  notes,
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
    ...notes.map(({ at, operator, text }) => [at, operator, 'note', printable(text)]),
  ].sort(([one = ''], [other = '']) => one.localeCompare(other))
  return [
    `${titles[order.kind]} ${orderNumber(order._id)} (${order._id}): ${order.state}, ${euros(order.total)}, captured ${euros(order.captured)}, money ${money}`,
    `Buyer ${buyerId}, ${order.wallet === null ? 'into custody' : `wallet ${order.wallet}`}`,
    `Payment ${intentId ?? 'not made yet'}`,
    ...(order.state === 'held'
      ? [
          order.kind === 'bid'
            ? `${euros(held)} held until the auction is decided: see \`pnpm ops auctions --of ${buyerId}\``
            : `${euros(held)} held until the owner decides, by ${order.decideBy ?? 'a time that catalog has not set yet'}`,
        ]
      : []),
    table(lines),
    table(timeline),
    ...(entries.length > 0 ? [table(entries.map(printedEntry))] : []),
    ...reversals.map(printedReversal),
    ...alarms.map(printedAlarm),
  ].join('\n\n')
}

const printedAlarm = ({ name, subject, detail, times, acknowledged }: Alarm) => {
  const text = `ALARM ${name} ${subject} (${times} times): ${detail}`
  return acknowledged ? `${text} (${describeAcknowledgement(acknowledged)})` : text
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
