import { resumeSigner, retryDelivery } from '@nifty/api/minting/ops'
import { getOrderHistory, listOpenOrders, refundLine, releaseOrder } from '@nifty/api/payments/ops'
import { type Command, euros, lasting, table } from './command.ts'

export const orderCommands: Record<string, Command> = {
  orders: {
    usage: '',
    about: 'orders that are not over yet, oldest first',
    run: async (store) => {
      const { orders } = await store.payments(listOpenOrders)
      if (orders.length === 0) return 'No order is open.'
      const rows = orders.map(({ _id, state, money, total, since, alarms }) => [
        _id,
        state,
        money,
        euros(total),
        lasting(since),
        alarms.join(', '),
      ])
      return table([['order', 'state', 'money', 'total', 'since', 'alarms'], ...rows])
    },
  },
  order: {
    usage: '<id>',
    about: 'the whole story of one order',
    run: async (store, args) => {
      const story = await store.payments(getOrderHistory, { params: { id: encodeURIComponent(args[0]!) } })
      const { order, alarms, events, refunds, disputes, actions } = story
      const lines = order.lines.map(({ _id, name, price, state, reason, txHash }) => [
        _id,
        name,
        euros(price),
        state,
        reason ?? '',
        txHash ?? '',
      ])
      const happened = [
        ...order.timeline.map(({ at, state, note }) => [at, 'store', state, note ?? '']),
        ...events.map(({ receivedAt, type, outcome }) => [receivedAt, 'processor', type, outcome ?? 'waiting']),
        ...refunds.map(({ requestedAt, amount, state }) => [requestedAt, 'refund', euros(amount), state]),
        ...actions.map(({ at, action, operator, reason }) => [at, operator, action, reason]),
      ].sort(([one = ''], [other = '']) => one.localeCompare(other))
      return [
        `Order ${order._id}: ${order.state}, ${euros(order.total)}, captured ${euros(order.captured)}, money ${story.money}`,
        `Buyer ${story.buyerId}, wallet ${order.wallet}`,
        table(lines),
        table(happened),
        ...disputes.map(({ kind, status, reason }) => `${kind}: ${status} ${reason ?? ''}`),
        ...alarms.map(({ name, detail, times }) => `ALARM ${name} (${times} times): ${detail}`),
      ].join('\n\n')
    },
  },
  'retry-delivery': {
    usage: '<line id>',
    about: 'tries a delivery now, or with a higher fee',
    changes: 'signed',
    run: async (store, args, signature) => {
      const { state } = await store.minting(retryDelivery, {
        body: {
          lineId: args[0]!,
          ...signature,
        },
      })
      return `The delivery is ${state}.`
    },
  },
  'resume-signer': {
    usage: '',
    about: 'signs again, after you found out why the signer was halted',
    changes: 'signed',
    run: async (store, _args, signature) => {
      const { nextNonce } = await store.minting(resumeSigner, { body: signature })
      return `Signing goes on with nonce ${nextNonce}.`
    },
  },
  release: {
    usage: '<order id>',
    about: 'ends an order as far as nothing of it is signed; nobody is charged',
    changes: 'signed',
    run: async (store, args, signature) => {
      const { state } = await store.payments(releaseOrder, {
        body: {
          orderId: args[0]!,
          ...signature,
        },
      })
      return `The order is ${state}.`
    },
  },
  refund: {
    usage: '<line id>',
    about: 'pays a completed line back, whole; its owner stays the owner',
    changes: 'signed',
    run: async (store, args, signature) => {
      const { amount, state } = await store.payments(refundLine, { body: { lineId: args[0]!, ...signature } })
      return `Refund of ${euros(amount)}: ${state}.`
    },
  },
}
