import type { EndpointResponse } from '@nifty/api/endpoint'
import { getStatus, type OpsStatus } from '@nifty/api/minting/ops'
import { listOpenOrders, type OpenOrders } from '@nifty/api/payments/ops'
import { type Command, lasting, many, table } from './command.ts'
import { parkedOf } from './parked.ts'
import { NoAnswer, type Service, type Store, services } from './store.ts'

/** What takes longer than this needs somebody to look. */
const SLOW_MS = 10 * 60_000
const FEW_DELIVERIES = 50
const MANY_BLOCKS = 100
const DAY_MS = 86_400_000

/** About an order that took its time; nothing of it is left once the order is over. */
const passing = ['delivery_slow', 'delivery_late']

const isOlder = (moment: string | null | undefined, ms: number) => !!moment && Date.now() - Date.parse(moment) > ms

export const statusCommand: Command = {
  usage: '',
  about: 'what is stuck, and since when, in words; exit code 1 when something is',
  run: async (store) => {
    const [chain, money, ...events] = await Promise.all([
      answerOf(store, 'minting', getStatus),
      answerOf(store, 'payments', listOpenOrders),
      ...services.map((name) => eventsOf(store, name)),
    ])
    const parts = [money.answer && ofMoney(money.answer), chain.answer && ofChain(chain.answer), ...events]
    const seen = parts.filter((part) => part !== undefined)
    const rows = seen.flatMap(({ rows }) => rows)
    const stuck = [...new Set(seen.flatMap(({ stuck }) => stuck))]
    return {
      text: [
        ...(rows.length > 0 ? [table(rows), ''] : []),
        ...(stuck.length > 0 ? stuck.map((line) => `STUCK ${line}`) : ['Nothing is stuck.']),
      ].join('\n'),
      well: stuck.length === 0,
    }
  },
}

type Part = { rows: string[][]; stuck: string[] }

async function answerOf<E extends typeof getStatus | typeof listOpenOrders>(
  store: Store,
  name: Service,
  endpoint: E,
): Promise<{ answer?: EndpointResponse<E> }> {
  try {
    return { answer: (await await store[name]<E>(endpoint, ...([] as never))) as EndpointResponse<E> }
  } catch (error) {
    // `eventsOf` asks the same service, and tells.
    if (error instanceof NoAnswer) return {}
    throw error
  }
}

function ofMoney({ orders, alarms, counts }: OpenOrders): Part {
  const states = Object.entries(counts).map(([state, count]) => `${count} ${state}`)
  const held = orders.filter(({ money, since }) => money === 'held' && isOlder(since, SLOW_MS))
  const open = new Set(orders.map(({ _id }) => _id))
  const now = alarms.filter(({ orderId, name, lastAt }) =>
    orderId && open.has(orderId) ? true : !passing.includes(name) && !isOlder(lastAt, DAY_MS),
  )
  const earlier = alarms.length - now.length
  return {
    rows: [
      ['Orders', states.join(', ') || 'none yet'],
      ...(earlier > 0 ? [['Alarms', `${many(earlier, 'earlier one')} in 30 days`]] : []),
    ],
    stuck: [
      ...held.map(
        ({ _id, state, since }) =>
          `order ${_id} has held money for ${lasting(since)} and is ${state}. \`pnpm ops order ${_id}\` tells its story.`,
      ),
      ...now.map(
        ({ name, orderId, detail, firstAt, times }) =>
          `${name} for ${lasting(firstAt)}, ${many(times, 'time')}${orderId ? ` (order ${orderId})` : ''}: ${detail}`,
      ),
    ],
  }
}

function ofChain({ lane, deliveries, mintsWaiting, balance, index }: OpsStatus): Part {
  const behind = (index.finalBlock ?? 0) - (index.block ?? 0)
  const left = balance && Math.floor(balance.deliveriesLeft)
  const oldest = deliveries.oldest ? `, oldest for ${lasting(deliveries.oldest)}` : ''
  const open = lane.oldestOpen ? `, oldest open for ${lasting(lane.oldestOpen)}` : ''
  return {
    rows: [
      [
        'Delivery',
        `${deliveries.waiting} waiting, ${deliveries.signed} signed${oldest}; ${mintsWaiting} mints waiting`,
      ],
      ['Signer', `${lane.signer}, next nonce ${lane.nextNonce ?? '?'}, gap ${lane.nonceGap ?? '?'}${open}`],
      ['Gas', left === null ? 'unknown' : `${left} deliveries left`],
      ['Chain', `block ${index.block ?? '?'} of ${index.finalBlock ?? '?'} final ones read`],
    ],
    stuck: [
      ...(lane.halted
        ? [
            `the signer is halted${lane.haltedAt ? ` for ${lasting(lane.haltedAt)}` : ''}: ${lane.halted}. Find out why, compare (\`pnpm ops reconcile\`), then \`pnpm ops resume-signer\`.`,
          ]
        : []),
      ...(lane.chainNonce === null ? ["the chain's node does not answer."] : []),
      ...(isOlder(deliveries.oldest, SLOW_MS)
        ? [
            `a delivery has been under way for ${lasting(deliveries.oldest!)}. \`pnpm ops retry-delivery\` pays more gas.`,
          ]
        : []),
      ...(isOlder(lane.oldestOpen, SLOW_MS)
        ? [`a signed transaction has been in no final block for ${lasting(lane.oldestOpen!)}.`]
        : []),
      ...(left !== null && left < FEW_DELIVERIES ? [`there is gas for ${left} more deliveries only.`] : []),
      ...(index.trouble ? [`the chain index: ${index.trouble}`] : []),
      ...(behind > MANY_BLOCKS ? [`the chain index is ${behind} blocks behind.`] : []),
    ],
  }
}

async function eventsOf(store: Store, name: Service): Promise<Part> {
  const { parked, failed } = await parkedOf(store, name)
  if (!parked) return { rows: [], stuck: [failed!] }
  const { total, givenUp, unsent, messages } = parked
  const oldest = messages[0] && isOlder(messages[0].since, SLOW_MS) ? messages[0] : undefined
  const waits = total > 0 || unsent.count > 0
  return {
    rows: waits ? [['Events', `${name}: ${many(total, 'event')} parked, ${unsent.count} to be sent`]] : [],
    stuck: [
      ...(givenUp > 0 || oldest
        ? [
            `${name} has ${many(total, 'event')} parked for ${lasting(messages[0]!.since)}, ${givenUp} given up. \`pnpm ops parked ${name}\` says why.`,
          ]
        : []),
      ...(isOlder(unsent.oldest, 60_000)
        ? [`${name} could not send ${many(unsent.count, 'event')} for ${lasting(unsent.oldest!)}.`]
        : []),
    ],
  }
}
