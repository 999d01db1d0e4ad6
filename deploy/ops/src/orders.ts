import { cancelOrder, getOrderHistory, listOpenOrders, type OrderHistory, refundLine } from '@nifty/api/payments/ops'
import type { Command } from './command.ts'
import { age, euros, table } from './format.ts'

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
    usage: '<order id>',
    about: 'prints the history of one order',
    run: async (store, args) => printed(await store.payments(getOrderHistory, { params: { id: args[0]! } })),
  },
  'cancel-order': {
    usage: '<order id>',
    about: 'cancels the lines of an order whose delivery is not signed; nothing is charged for them',
    changes: 'audited',
    run: async (store, args, action) => {
      const { state } = await store.payments(cancelOrder, { body: { orderId: args[0]!, ...action } })
      return `The order is ${state}.`
    },
  },
  refund: {
    usage: '<line id>',
    about: 'refunds the full price of a completed line; the owner of the token does not change',
    changes: 'audited',
    run: async (store, args, action) => {
      const { amount, state } = await store.payments(refundLine, { body: { lineId: args[0]!, ...action } })
      return `Refund of ${euros(amount)}: ${state}.`
    },
  },
}

function printed({ order, buyerId, money, alarms, events, refunds, disputes, actions }: OrderHistory): string {
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
    `Order ${order._id}: ${order.state}, ${euros(order.total)}, captured ${euros(order.captured)}, money ${money}`,
    `Buyer ${buyerId}, wallet ${order.wallet}`,
    table(lines),
    table(timeline),
    ...disputes.map(({ kind, status, reason }) => `${kind}: ${status} ${reason ?? ''}`),
    ...alarms.map(({ name, detail, times }) => `ALARM ${name} (${times} times): ${detail}`),
  ].join('\n\n')
}
