import { AT_PROCESSOR } from '../cast/client.ts'
import { ELSEWHERE, type Work } from '../cast/works.ts'
import type { History } from '../history.ts'
import type { Bid, Kind, Offer } from '../schedule.ts'
import type { Row, World } from '../world.ts'
import { each, linesByOrder, orderById, type Question } from './question.ts'

const SLOWEST_MS = 10_000

/** How the lines of a purchase may end. */
const ends: Record<Kind, (line: Row, history: History, world: World) => string[]> = {
  plain: () => ['completed'],
  declined: () => ['completed'],
  abandoned: () => ['released'],
  cancelled: () => ['completed', 'released'],
  delisted: () => ['completed', 'released'],
  cart: ({ item_id }, { cart }) => (item_id === cart[0]!._id ? ['completed', 'released'] : ['completed']),
  'wallet changed': () => ['completed'],
  // A deletion that precedes the payment ends the order.
  'account deleted': () => ['completed', 'released'],
  refunded: () => ['refunded'],
  disputed: () => ['disputed'],
  inquired: () => ['completed'],
  // A warning before the delivery stops it.
  warned: (_line, { place }) => (place % 2 === 0 ? ['completed', 'released'] : ['completed']),
  // A reorganisation may undo what keeps the token from its buyer.
  undeliverable: (_line, { cart }, { chain }) =>
    chain.ownerOf.get(tokenOf(cart[0]!)) === ELSEWHERE ? ['released'] : ['completed'],
  'recipient refuses': () => ['completed', 'released'],
  'hold ended': () => ['completed', 'released', 'written_off'],
  'foreign payment': () => ['completed'],
}

/** How an offer may end that nothing else disturbs. */
const endsOfOffer: Record<Offer['ending'], string[]> = {
  accepted: ['completed'],
  declined: ['released'],
  withdrawn: ['released'],
  'accepted and withdrawn': ['completed', 'released'],
  expired: ['released'],
  lost: ['released'],
  outrun: ['released'],
}
const endsOfBid: Record<Bid['ending'], string[]> = {
  won: ['completed'],
  outbid: ['released'],
  lost: ['released'],
  cancelled: ['released'],
}
const endsOf = (line: Row, history: History, world: World) => {
  const { kind, offer, bid } = history
  if (bid) return endsOfBid[bid.ending]
  if (offer && kind === 'plain') return endsOfOffer[offer.ending]
  return offer && kind === 'account deleted' ? ['released'] : ends[kind](line, history, world)
}

const tokenOf = ({ contract, identifier }: Work) => `${contract.toLowerCase()}/${identifier}`

const began = ({ histories }: World) => histories
const ordered = ({ histories }: World) => histories.filter(({ orderId }) => orderId !== undefined)
const about = ({ orderId }: History) => orderId
const answersOfStore = ({ answers }: World) => answers.filter(({ action }) => !action.startsWith(AT_PROCESSOR))

export const clientQuestions: Question[] = [
  each('clients: every purchase began and ended as its kind may', began, (history, world) => {
    const { kind, offer, bid, refused, place, orderId } = history
    if (refused) return `purchase ${place} (${kind}) was refused: ${refused.status} ${refused.code}`
    if (!orderId) return `purchase ${place} (${kind}) had no answer`
    const lines = linesByOrder(world).get(orderId) ?? []
    const wrong = lines.find((line) => !endsOf(line, history, world).includes(line.state))
    if (lines.length !== history.cart.length) return { what: `has ${lines.length} lines`, about: orderId }
    const how = offer ? `offer, ${offer.ending}, ` : bid ? `bid, ${bid.ending}, ` : ''
    const what = `${how}${kind}: a line is ${wrong?.state} (${wrong?.reason})`
    return wrong && { what, about: orderId }
  }),
  each('clients: no answer is an error of the store', answersOfStore, ({ place, action, status, message }) =>
    status < 500 || status === 503 ? undefined : `purchase ${place}: ${action}: ${status} ${message}`,
  ),
  each('clients: each got the address of its own payment page', ordered, (history, world) => {
    const { session_id } = orderById(world).get(history.orderId!) ?? {}
    return history.url?.includes(session_id) ? undefined : { what: `got ${history.url}`, about: about(history) }
  }),
  each(
    'clients: what a client read last is how its order ended',
    (world) => ordered(world).filter(({ last, kind }) => last && kind !== 'account deleted'),
    (history, world) => {
      const lines = linesByOrder(world).get(history.orderId!) ?? []
      const changed = history.last!.lines.find(({ _id, state }) => {
        const now = lines.find(({ id }) => id === _id)?.state
        return state === 'completed' && !['completed', 'refunded', 'disputed'].includes(now)
      })
      return changed && { what: `read completed, line ${changed._id} is another`, about: about(history) }
    },
  ),
  each(
    'clients: a work that a client was told is its own was delivered to it alone',
    (world) => ordered(world).filter(({ last }) => last?.lines.some(({ state }) => state === 'completed')),
    (history, { chain }) => {
      const own = history.last!.lines.filter(({ state }) => state === 'completed')
      const foreign = own.find(({ _id, contract, identifier }) => {
        const token = `${contract.toLowerCase()}/${identifier}`
        const deliveries = chain.delivered.filter((each) => each.token === token)
        return deliveries.length !== 1 || deliveries[0]!.line !== _id
      })
      return foreign && { what: `${foreign.name} was delivered otherwise`, about: about(history) }
    },
  ),
]

/** Only for a machine without other load. */
export const paceQuestion: Question = each(
  'clients: no answer took longer than 10 s',
  answersOfStore,
  ({ place, action, ms, status }) =>
    ms <= SLOWEST_MS ? undefined : `purchase ${place}: ${action}: ${status} after ${ms} ms`,
)
