import { setTimeout as sleep } from 'node:timers/promises'
import { cancelAuction, startAuction } from '@nifty/api/catalog/auctions'
import { makeBid } from '@nifty/api/payments/bids'
import { endAuction } from '../campaign/auctions.ts'
import { query } from '../campaign/databases.ts'
import type { ClientLog } from './cast/client.ts'
import { rivalOf } from './cast/rival.ts'
import { endHold } from './disturbances.ts'
import type { History } from './history.ts'
import type { Operator } from './operator.ts'

const POLL_MS = 1_000
const LEAST_CENTS = 50
/** Of the listed price: an opening price below half of it needs a step-up. */
const OPENING_SHARE = 0.8

type Deps = {
  /** The store's data directory. */
  folder: string
  clients: ClientLog
  operator: Operator
  histories: readonly History[]
  over: () => boolean
}

const openingOf = ({ cart }: History) => Math.max(LEAST_CENTS, Math.round(cart[0]!.price! * 100 * OPENING_SHARE))

/** Starts the auction of the work, unless another bidder has. An hour of it passes once its winner leads. */
export async function startAuctionOf({ clients, over }: Deps, history: History) {
  const { place, cart } = history
  const { _id: itemId, seller } = cart[0]!
  const body = { itemId, opening: openingOf(history) / 100, hours: 1 }
  const answer = await clients.untilAnswered(place, 'start auction', {
    send: () => seller.client.send(startAuction, { body }),
    over,
  })
  if (answer && answer.status !== 200 && answer.body.code !== 'on_auction')
    throw new Error(`no auction: ${answer.status} ${answer.body.code}`)
}

/** Waits for the bids before that of a purchase: those that it is to outbid are paid, lost ones are over. */
export async function afterOutbid({ histories, over }: Deps, { place }: History) {
  const isReady = ({ bid, paid, ended }: History) =>
    rivalOf({ bid }) !== place || ended || (bid!.ending === 'outbid' && paid !== undefined)
  while (!over() && !histories.every(isReady)) await sleep(POLL_MS)
}

/** Makes the bid of a purchase; its response has the payment page, as that of a purchase. */
export function sendBid(history: History) {
  const { person, cart, intoCustody, bid } = history
  const opening = openingOf(history)
  // More than one step above a bid of the opening price.
  history.limitCents = bid!.ending === 'won' ? Math.round(opening * 1.5) + 200 : opening
  const deliverTo = intoCustody ? ({ deliverTo: 'custody' } as const) : {}
  const body = { itemId: cart[0]!._id, limit: history.limitCents / 100, ...deliverTo }
  return person.client.send(makeBid, { body })
}

/**
 * Ends the auction once its winner leads, the hold of a leader that is to be lost once it leads, or cancels the auction
 * while the page of its only bid is open.
 */
export async function endBid(deps: Deps, history: History) {
  const { clients, folder, over } = deps
  const { bid, cart, orderId, place } = history
  if (!bid || bid.ending === 'outbid') return
  const { _id: itemId, seller } = cart[0]!
  if (bid.ending === 'cancelled') {
    const [auction] = await query<{ id: string }>(folder, 'catalog', 'select id from auction where item_id = $1', [
      itemId,
    ])
    const params = { id: auction!.id }
    const send = () => seller.client.send(cancelAuction, { params })
    await clients.untilAnswered(place, 'cancel auction', { send, over })
    return
  }
  const isUndecided = () => !history.last || ['placed', 'awaiting_payment', 'held'].includes(history.last.state)
  if (bid.ending === 'lost') {
    while (!over() && isUndecided() && !(await isLeading(folder, orderId!))) await sleep(POLL_MS)
    await endHold(deps, history)
    return
  }
  while (!over() && isUndecided()) {
    // While PostgreSQL is killed, it has no connection.
    await endAuction(folder, { itemId, leaderOrder: orderId! }).catch(() => {})
    await sleep(POLL_MS)
  }
}

/** False while PostgreSQL is killed, too. */
const isLeading = (folder: string, orderId: string) =>
  query(folder, 'catalog', `select from auction where leader_order = $1 and state = 'open'`, [orderId]).then(
    (rows) => rows.length > 0,
    () => false,
  )
