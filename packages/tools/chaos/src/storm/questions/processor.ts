import type { World } from '../world.ts'
import { each, linesByOrder, orderById, ordersOf, type Question, sum } from './question.ts'

const captured = ['completed', 'refunded', 'disputed']
const orderOf = ({ metadata }: { metadata?: Record<string, string> }) => metadata?.order
/** Sessions and intents of the store. Another shop takes payments with the same account. */
const ownSessions = ({ processor, elsewhere }: World) =>
  processor.sessions.filter(({ client_reference_id }) => !elsewhere.has(client_reference_id))
const foreignIntents = ({ processor, elsewhere }: World) => {
  const sessions = processor.sessions.filter(({ client_reference_id }) => elsewhere.has(client_reference_id))
  const ids = new Set(sessions.map(({ payment_intent }) => payment_intent))
  return processor.intents.filter(({ id }) => ids.has(id))
}
const paidIntents = (world: World) => {
  const foreign = new Set(foreignIntents(world))
  return world.processor.intents.filter(
    (intent) => !foreign.has(intent) && ['requires_capture', 'succeeded', 'canceled'].includes(intent.status),
  )
}
/** Orders of purchases that were paid once their token had been moved away, or their buyer's wallet refused it. */
const paidInVain = (world: World) => {
  const vain = world.histories.filter(
    ({ kind, paid }) => paid && (kind === 'undeliverable' || kind === 'recipient refuses'),
  )
  return vain.flatMap(({ orderId }) => {
    const some = (linesByOrder(world).get(orderId!) ?? []).some(({ state }) => state !== 'released')
    return some ? [] : (orderById(world).get(orderId!) ?? [])
  })
}
const isInquiry = ({ status }: { status: string }) => status.startsWith('warning_')

/** The release of a hold is a refund as well, of a payment that was not captured. */
const refundsOf = ({ processor }: World) => {
  const captured = new Set(processor.intents.filter(({ status }) => status === 'succeeded').map(({ id }) => id))
  return processor.refunds.filter(
    ({ payment_intent, status }) => captured.has(payment_intent) && status === 'succeeded',
  )
}

export const processorQuestions: Question[] = [
  each('processor: one session per order', ordersOf, ({ id, session_id }, { processor }) => {
    const sessions = processor.sessions.filter(({ client_reference_id }) => client_reference_id === id)
    if (sessions.length > 1) return `has ${sessions.length} sessions`
    const [session] = sessions
    return (session?.id ?? null) === session_id ? undefined : `session ${session_id}, at the processor ${session?.id}`
  }),
  each('processor: every session belongs to an order', ownSessions, ({ id, client_reference_id }, world) =>
    orderById(world).has(client_reference_id) ? undefined : `session ${id} of an unknown order`,
  ),
  each('processor: every hold is that of its order, with its amount', paidIntents, (intent, world) => {
    const order = orderById(world).get(orderOf(intent)!)
    if (!order) return `intent ${intent.id} of an unknown order`
    if (order.intent_id !== intent.id)
      return { what: `intent ${intent.id} is not the order's ${order.intent_id}`, about: order.id }
    if (order.total_cents !== intent.amount) return { what: `held ${intent.amount} cents`, about: order.id }
  }),
  each(
    'processor: the payments of another shop stay as they are',
    (world) => foreignIntents(world).filter(({ status }) => status !== 'requires_payment_method'),
    ({ id, status }, { processor }) =>
      status === 'succeeded' && !processor.refunds.some(({ payment_intent }) => payment_intent === id)
        ? undefined
        : `payment ${id} is ${status}`,
  ),
  each('processor: each hold ended as its lines did', paidIntents, (intent, world) => {
    const lines = linesByOrder(world).get(orderOf(intent)!) ?? []
    const due = sum(
      lines.filter(({ state }) => captured.includes(state)),
      'price_cents',
    )
    const about = orderOf(intent)
    if (due === 0) return intent.status === 'canceled' ? undefined : { what: `hold is ${intent.status}`, about }
    if (intent.status !== 'succeeded') return { what: `${due} cents are due, the hold is ${intent.status}`, about }
    if (intent.amount_received !== due) return { what: `captured ${intent.amount_received} instead of ${due}`, about }
  }),
  each(
    'processor: the hold of an order that was paid and could not be delivered was cancelled',
    paidInVain,
    ({ id, intent_id }, { processor }) => {
      const intent = processor.intents.find(({ id }) => id === intent_id)
      return intent?.status === 'canceled' ? undefined : { what: `hold is ${intent?.status}`, about: id }
    },
  ),
  {
    name: 'processor: the ledger has at most one capture per payment, of the right amount',
    ask: (world) => {
      const orders = orderById(world)
      const entries = world.ledger.filter(({ kind, reference }) => kind === 'captured' && orders.has(reference))
      const byOrder = Map.groupBy(entries, ({ reference }) => reference)
      const wrong = [...byOrder].flatMap(([order, list]) => {
        const own = orders.get(order)
        if (list.length === 1 && list[0]!.amount === own?.captured_cents) return []
        return [{ what: `captures ${list.map(({ amount }) => amount)}, we have ${own?.captured_cents}`, about: order }]
      })
      return { rows: entries.length, wrong }
    },
  },
  each(
    'processor: what was refunded of each payment is what its refunded lines cost',
    ordersOf,
    ({ id, intent_id }, world) => {
      const lines = (linesByOrder(world).get(id) ?? []).filter(({ state }) => state === 'refunded')
      const made = refundsOf(world).filter(({ payment_intent }) => payment_intent === intent_id)
      const [wanted, at] = [sum(lines, 'price_cents'), sum(made, 'amount')]
      return wanted === at ? undefined : `refunded ${at} cents, its lines cost ${wanted}`
    },
  ),
  each(
    'processor: every refund and every dispute is stored, with its amount',
    (world) => [...refundsOf(world), ...world.processor.disputes],
    ({ id, amount, status }, { databases }) => {
      const stored = databases.payments.reversal!.find((each) => each.id === id)
      const withdrawn = isInquiry({ status }) ? 0 : amount
      return stored?.withdrawn_cents === withdrawn
        ? undefined
        : `${id}: ${withdrawn} cents, stored ${stored?.withdrawn_cents}`
    },
  ),
  each(
    'processor: the lines of every disputed payment are disputed',
    ({ processor }) => processor.disputes.filter((dispute) => !isInquiry(dispute as never)),
    ({ id, payment_intent }, world) => {
      const order = ordersOf(world).find(({ intent_id }) => intent_id === payment_intent)
      const lines = linesByOrder(world).get(order?.id) ?? []
      return lines.some(({ state }) => state === 'disputed') ? undefined : `dispute ${id}: no line is disputed`
    },
  ),
]
