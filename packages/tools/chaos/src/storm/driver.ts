import { setTimeout as sleep } from 'node:timers/promises'
import { getOrder, startPurchase } from '@nifty/api/payments/public'
import { pay } from '@nifty/testkit/api-client'
import type { RunFile } from '@nifty/testkit/run-file'
import { afterOutbid, endBid, sendBid, startAuctionOf } from './auctions.ts'
import type { Cast } from './cast/cast.ts'
import { AT_PROCESSOR, type ClientLog, createClientLog } from './cast/client.ts'
import { giftAddressOf } from './cast/gift-address.ts'
import { besides } from './disturbances.ts'
import { endGift } from './gifts.ts'
import type { History } from './history.ts'
import type { Journal } from './journal.ts'
import type { MoveAway, RefuseTokens } from './mover.ts'
import { afterOutrun, endOffer, sendOffer } from './offers.ts'
import type { Operator } from './operator.ts'
import type { Schedule } from './schedule.ts'

const POLL_MS = 1_000
const START_AGAIN_MS = 60_000
const AT_ONCE = 12
/** A purchase that is open for longer does not keep others from beginning. */
const STUCK_MS = 120_000
const over = ['completed', 'released', 'refunded', 'disputed', 'written_off']

export type DriverDeps = {
  run: RunFile
  /** The store's data directory. */
  folder: string
  cast: Cast
  journal: Journal
  operator: Operator
  moveAway: MoveAway
  refuseTokens: RefuseTokens
  /** Whether this purchase may begin: keeps pace with the faults. */
  mayBegin: (place: number, open: number) => boolean
}

/** Starts the purchases of a schedule, an open load of at most a dozen at once. */
export function drive(deps: DriverDeps, { purchases }: Schedule) {
  const clients = createClientLog(deps.journal)
  const histories: History[] = []
  let stopped = false
  const isStopped = () => stopped

  const all: Promise<void>[] = []
  const running = (async () => {
    for (const [place, purchase] of purchases.entries()) {
      await sleep(purchase.afterMs)
      while (!stopped && (recent(histories) >= AT_ONCE || !deps.mayBegin(place, open(histories)))) await sleep(20)
      const person = deps.cast.buyers.get(purchase.buyer)!
      const history: History = {
        ...purchase,
        place,
        person,
        cart: deps.cast.carts[place]!,
        since: performance.now(),
        ended: false,
      }
      histories.push(history)
      const buying = buy({ ...deps, clients, histories, over: isStopped }, history)
      all.push(
        buying
          .catch((error: Error) => deps.journal.write({ actor: 'driver', what: 'failed', place, error: error.message }))
          .finally(() => {
            history.ended = true
          }),
      )
    }
    await Promise.all(all)
  })()

  return {
    histories,
    answers: clients.answers,
    begun: () => histories.length,
    open: () => open(histories),
    /** Resolves when every purchase has ended for its client, or after `stop`. */
    done: running,
    stop: () => {
      stopped = true
    },
  }
}

const open = (histories: History[]) => histories.filter(({ ended }) => !ended).length
const recent = (histories: History[]) =>
  histories.filter(({ ended, since }) => !ended && performance.now() - since < STUCK_MS).length

type BuyDeps = DriverDeps & { clients: ClientLog; histories: readonly History[]; over: () => boolean }

async function buy(deps: BuyDeps, history: History) {
  const { clients, journal } = deps
  const { place, person, cart, kind, intoCustody } = history
  const deliverTo = intoCustody ? ({ deliverTo: 'custody' } as const) : {}
  const gift = history.gift ? { gift: { email: giftAddressOf(history), text: 'For you' } } : {}
  journal.write({
    actor: 'driver',
    what: 'begins',
    place,
    kind,
    intoCustody,
    gift: history.gift,
    offer: history.offer,
    bid: history.bid,
    buyer: person.name,
    works: cart.map(({ _id }) => _id),
  })
  const items = cart.map(({ _id, price }) => ({ _id, price }))
  const amount = Math.round(items.reduce((sum, { price }) => sum + price! * 100, 0)) / 100
  const start = () =>
    clients.untilAnswered(place, 'buy', {
      send: () =>
        history.offer
          ? sendOffer(history)
          : history.bid
            ? sendBid(history)
            : person.client.send(startPurchase, { body: { amount, items, ...deliverTo, ...gift } }),
      over: deps.over,
    })
  await afterOutrun(deps, history)
  await afterOutbid(deps, history)
  if (history.bid) await startAuctionOf(deps, history)
  let answer = await start()
  // A start without a response in time is cancelled; until catalog has freed its items, a new one is refused.
  const giveUpAt = performance.now() + START_AGAIN_MS
  while (answer && clients.failed(place, 'buy') && mayStartAgain(answer) && performance.now() < giveUpAt) {
    await sleep(POLL_MS)
    answer = await start()
  }
  if (!answer) return
  if (answer.status !== 200) {
    history.refused = { status: answer.status, code: answer.body.code }
    return
  }
  history.orderId = answer.body.orderId
  history.url = answer.body.url
  const disturbance = besides[kind](deps, history)
  // These are paid once nothing can be delivered any more.
  if (kind === 'undeliverable' || kind === 'recipient refuses') await disturbance
  await Promise.all([
    payAt(deps, history),
    disturbance,
    untilOver(deps, history),
    endGift({ ...deps, buyers: deps.cast.buyers }, history),
    endOffer(deps, history),
    endBid(deps, history),
  ])
}

const mayStartAgain = ({ status, body }: { status: number; body: { code?: string } }) =>
  status === 409 &&
  [
    'not_for_sale',
    'permit_too_short',
    'item_reserved',
    'already_buying',
    'order_ending',
    'page_closed',
    'offer_exists',
  ].includes(body.code ?? '')

async function payAt({ run, clients, over: isOver }: BuyDeps, history: History) {
  const { place, kind, bid, url, offsetMs } = history
  if (kind === 'abandoned' || bid?.ending === 'cancelled') return
  await sleep(Math.max(0, -offsetMs))
  const card = (number: string) => async () => {
    const { status, body } = await pay(run, url!, number)
    return { status, body }
  }
  if (kind === 'declined')
    await clients.untilAnswered(place, `${AT_PROCESSOR}pay, declined`, { send: card(run.cards.declined), over: isOver })
  const paid = await clients.untilAnswered(place, `${AT_PROCESSOR}pay`, {
    send: card(run.cards.approved),
    over: isOver,
  })
  history.paid = paid?.status === 200
}

async function untilOver({ clients, over: isOver }: BuyDeps, history: History) {
  const { place, person, orderId, kind } = history
  // A deleted account reads nothing any more.
  if (kind === 'account deleted') return
  const final = kind === 'refunded' || kind === 'disputed' ? [kind, 'written_off', 'released'] : over
  while (!isOver()) {
    const answer = await clients.once(place, 'read order', () =>
      person.client.send(getOrder, { params: { id: orderId! } }),
    )
    if (answer?.status === 200) history.last = answer.body
    if (history.last && final.includes(history.last.state)) return
    await sleep(POLL_MS)
  }
}
