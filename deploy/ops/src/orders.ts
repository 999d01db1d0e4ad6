import type { OpenOrders, OrderStory, Reconciliation } from '@nifty/api/payments-ops'
import { type Command, euros, lasting, need, table } from './command.ts'

export const orderCommands: Record<string, Command> = {
  orders: {
    usage: '',
    about: 'orders that are not over yet, oldest first',
    run: async (store) => {
      const { orders } = await store.payments<OpenOrders>('GET', '/internal/ops/orders')
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
      const story = await store.payments<OrderStory>('GET', `/internal/ops/orders/${need(args, 0, 'id')}`)
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
        ...refunds.map(({ askedAt, amount, state }) => [askedAt, 'refund', euros(amount), state]),
        ...actions.map(({ at, action, who, why }) => [at, who, action, why]),
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
    changes: true,
    run: async (store, args) => {
      const { state } = await store.minting<{ state: string }>('POST', '/internal/ops/retry-delivery', {
        lineId: need(args, 0, 'line id'),
      })
      return `The delivery is ${state}.`
    },
  },
  'resume-lane': {
    usage: '',
    about: 'signs again, after you found out why the signer was halted',
    changes: true,
    run: async (store) => {
      const { nextNonce } = await store.minting<{ nextNonce: number }>('POST', '/internal/ops/resume-lane', {})
      return `Signing goes on with nonce ${nextNonce}.`
    },
  },
  release: {
    usage: '<order id>',
    about: 'ends an order as far as nothing of it is signed; nobody is charged',
    changes: true,
    run: async (store, args, signature) => {
      const { state } = await store.payments<{ state: string }>('POST', '/internal/ops/release', {
        orderId: need(args, 0, 'order id'),
        ...signature,
      })
      return `The order is ${state}.`
    },
  },
  refund: {
    usage: '<line id>',
    about: 'pays a completed line back, whole; its owner stays the owner',
    changes: true,
    run: async (store, args, signature) => {
      const { amount, state } = await store.payments<{ amount: number; state: string }>(
        'POST',
        '/internal/ops/refund',
        { lineId: need(args, 0, 'line id'), ...signature },
      )
      return `Refund of ${euros(amount)}: ${state}.`
    },
  },
  reconcile: {
    usage: '',
    about: 'compares our books with the processor, to the cent; exit code 1 when they differ',
    run: async (store) => {
      const { balanced, ours, processor, differences } = await store.payments<Reconciliation>(
        'GET',
        '/internal/ops/reconcile',
      )
      const cents = (amount: number) => euros(amount / 100)
      const rows = (['heldCents', 'capturedCents', 'releasedCents', 'inFlightCents'] as const).map((name) => [
        name.replace('Cents', ''),
        cents(ours[name]),
        cents(processor[name]),
      ])
      const found = differences.map(({ orderId, intentId, what }) => `${orderId ?? intentId}: ${what}`)
      return [table([['', 'ours', 'processor'], ...rows]), ...found, balanced ? 'Balanced.' : 'NOT BALANCED'].join('\n')
    },
    exitCode: (text) => (text.endsWith('NOT BALANCED') ? 1 : 0),
  },
}
