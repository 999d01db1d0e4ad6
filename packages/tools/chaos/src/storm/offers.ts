import { setTimeout as sleep } from 'node:timers/promises'
import { acceptOffer, declineOffer, listReceivedOffers } from '@nifty/api/catalog/offers'
import { makeOffer } from '@nifty/api/payments/offers'
import { query } from '../campaign/databases.ts'
import type { ClientLog } from './cast/client.ts'
import { LEAST_OFFER_CENTS } from './cast/works.ts'
import { endHold } from './disturbances.ts'
import type { History } from './history.ts'
import type { Operator } from './operator.ts'

const POLL_MS = 1_000
/** More than half of the listed price: below that the acceptance needs a step-up. */
const SHARE_OF_PRICE = 0.8
const DAYS = [1, 3, 5] as const

type Deps = {
  /** The store's data directory. */
  folder: string
  clients: ClientLog
  operator: Operator
  histories: readonly History[]
  over: () => boolean
}

/** Makes the offer of a purchase; its response has the payment page, as that of a purchase. */
export function sendOffer(history: History) {
  const { place, person, cart, intoCustody } = history
  const { _id, price } = cart[0]!
  history.offeredCents = Math.max(LEAST_OFFER_CENTS, Math.round(price! * 100 * SHARE_OF_PRICE))
  const deliverTo = intoCustody ? ({ deliverTo: 'custody' } as const) : {}
  const body = { itemId: _id, price: history.offeredCents / 100, days: DAYS[place % DAYS.length]!, ...deliverTo }
  return person.client.send(makeOffer, { body })
}

/** Waits for the offers that a purchase is to outrun: each is paid, or over. */
export async function afterOutrun({ histories, over }: Pick<Deps, 'histories' | 'over'>, { place }: History) {
  const isReady = ({ offer, paid, ended }: History) => offer?.ending !== 'outrun' || offer.by !== place || paid || ended
  while (!over() && !histories.every(isReady)) await sleep(POLL_MS)
}

/** Ends the offer of a purchase as it is scheduled. Does nothing for one that ended, or whose buyer's account does. */
export async function endOffer(deps: Deps, history: History) {
  const { offer, kind, place, person, orderId } = history
  if (!offer || kind === 'account deleted') return
  const { clients, folder, histories, operator, over } = deps
  const id = orderId!
  if (offer.ending === 'outrun')
    while (!over() && !histories.some((other) => other.place === offer.by && other.ended)) await sleep(POLL_MS)
  if (!(await untilReceived(deps, history))) return
  const { client: owner } = history.cart[0]!.seller
  const params = { orderId: id }
  const send = () => owner.send(acceptOffer, { params })
  const accept = async () => {
    let answer = await clients.untilAnswered(place, 'accept', { send, over })
    while (answer?.body.code === 'item_reserved') {
      await sleep(POLL_MS)
      answer = await clients.untilAnswered(place, 'accept', { send, over })
    }
  }
  const decline = () =>
    clients.untilAnswered(place, 'decline', { send: () => owner.send(declineOffer, { params }), over })
  const withdraw = () => clients.untilAnswered(place, 'withdraw', { send: () => person.client.cancel(id), over })
  const expire = () =>
    clients.untilAnswered(place, 'expire', {
      send: async () => {
        // A day passes.
        await query(folder, 'catalog', `update offer set ends_at = now() where order_id = $1 and state = 'open'`, [id])
        return { status: 200, body: {} }
      },
      over,
    })
  const lose = () => endHold({ clients, operator, over }, history)
  const ends: Record<NonNullable<History['offer']>['ending'], (() => Promise<unknown>)[]> = {
    accepted: [accept],
    declined: [decline],
    outrun: [decline],
    withdrawn: [withdraw],
    'accepted and withdrawn': [accept, withdraw],
    expired: [expire],
    lost: [lose],
  }
  await Promise.all(ends[offer.ending].map((end) => end()))
}

/** Whether the owner sees the offer: false once it is over. */
async function untilReceived({ clients, over }: Deps, history: History): Promise<boolean> {
  const { place, orderId, cart } = history
  while (!over() && history.last?.state !== 'released') {
    const answer = await clients.once(place, 'read received offers', () =>
      cart[0]!.seller.client.send(listReceivedOffers),
    )
    if (answer?.status === 200 && answer.body.offers.some((offer) => offer.orderId === orderId)) return true
    await sleep(POLL_MS)
  }
  return false
}
