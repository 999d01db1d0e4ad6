import { createSeries, listOwnSeries } from '@nifty/api/catalog/exhibitions'
import { acceptOffer } from '@nifty/api/catalog/offers'
import type { Nft } from '@nifty/api/catalog/public'
import { claimGift } from '@nifty/api/minting/gifts'
import { listOrders, type Order, startPurchase } from '@nifty/api/payments/public'
import { type ApiClient, accountsOf, createApiClient, pay, untilOrder } from '@nifty/testkit/api-client'
import { giveCover } from '@nifty/testkit/covers'
import { linkInMail } from '@nifty/testkit/mailbox'
import { holdOffer, takeOffers } from '@nifty/testkit/offers'
import type { RunFile } from '@nifty/testkit/run-file'
import { apiClientOf, createUser, demoUser } from '@nifty/testkit/users'
import { waitUntil } from '@nifty/testkit/wait-until'
import { availableWork, workAndOwner } from '@nifty/testkit/works'

/** The sandbox disputes it after the capture. */
const DISPUTED_CARD = '4000000000000259'

/** People, works and orders in each state that a screen can show. What an earlier run left is taken again. */
export async function prepareFixtures(run: RunFile) {
  const [collector, creator, bidder, stranger, giver, recipient] = await Promise.all([
    demoUser(run, 'collector', 2),
    demoUser(run, 'creator'),
    demoUser(run, 'collector', 1),
    createUser(run),
    createUser(run),
    createUser(run),
  ])
  const [buying, selling] = [apiClientOf(run, collector), apiClientOf(run, creator)]
  const visitor = createApiClient(run)
  const others = ({ ownerUsername }: Nft) => ownerUsername !== creator.username

  const completed = (await orderOf(buying, 'completed')) ?? (await bought(run, buying))
  const disputed = (await orderOf(buying, 'disputed')) ?? (await bought(run, buying, 'disputed'))
  const offered = await gaveGift(run, apiClientOf(run, giver), `friend-of-${giver.email}`)
  const claimed = await gaveGift(run, apiClientOf(run, giver), recipient.email)
  const token = new URL(claimed.link).hash.slice(1)
  await apiClientOf(run, recipient).send(claimGift, { body: { token } })
  const released = (await orderOf(buying, 'released')) ?? (await givenUp(buying, others))
  const waiting = (await orderOf(selling, 'awaiting_payment')) ?? (await begun(selling, others))
  // Before the works of the creator are read: it may sell one of them.
  const offers = await madeOffers(run, buying)
  const own = (await visitor.call('GET', `/api/nfts/user/${creator.username}`)).body.nfts as Nft[]
  const unlisted = own.find(({ forSale }) => !forSale) ?? own[0]!
  await selling.call('PUT', `/api/nfts/${unlisted.contract}/${unlisted.identifier}/remove-from-sale`, {})

  for (const { _id } of (await visitor.market()).slice(0, 3)) await buying.call('PUT', `/api/favourites/${_id}`)
  await buying.call('PUT', `/api/follows/${creator.userId}`)
  await giveCover(run, collector)
  const { series } = (await selling.send(listOwnSeries)).body
  const shown = series[0] ?? (await selling.send(createSeries, { body: seriesOf(own) })).body.series

  return {
    collector,
    creator,
    newUser: stranger,
    giver,
    recipient,
    bidder,
    works: {
      forSale: await availableWork(visitor, others),
      held: await visitor.item(waiting.lines[0]!),
      owned: await visitor.item(completed.lines[0]!),
      own: own.find(({ _id, forSale, reserved }) => _id !== unlisted._id && forSale && !reserved)!,
      offered: offers.work,
      notForSale: await visitor.item(unlisted),
    },
    orders: { completed: completed._id, disputed: disputed._id, released: released._id, waiting: waiting._id },
    offers: { held: offers.held._id, accepted: offers.accepted._id, owner: offers.owner },
    gifts: { order: offered.order, offered: offered.link, claimed: claimed.link },
    series: shown.slug,
  }
}

export type Fixtures = Awaited<ReturnType<typeof prepareFixtures>>

const orderOf = async (visitor: ApiClient, state: Order['state']): Promise<Order | undefined> =>
  (await visitor.call<{ orders: Order[] }>('GET', '/api/orders')).body.orders.find((order) => order.state === state)

/** An offer of the buyer that is open, its work with its owner, and an offer that was accepted and has arrived. */
async function madeOffers(run: RunFile, buying: ApiClient) {
  const visitor = createApiClient(run)
  const { orders } = (await buying.send(listOrders, { query: { kind: 'offers' } })).body
  const hold = async () => {
    const { work, owner } = await workAndOwner(run, visitor)
    const selling = apiClientOf(run, owner)
    await takeOffers(selling, work)
    const { orderId } = await holdOffer(run, selling, { client: buying, work, price: work.price!, days: 5 })
    return { orderId, selling, work }
  }
  const acceptedOne = async () => {
    const { orderId, selling, work } = await hold()
    await selling.send(acceptOffer, { params: { orderId } })
    const order = await untilOrder(buying, orderId, 'completed')
    const { ownerUsername: seller } = work
    await waitUntil(async () => (await visitor.item(work)).ownerUsername !== seller)
    return order
  }
  const accepted = orders.find(({ state }) => state === 'completed') ?? (await acceptedOne())
  const held = orders.find(({ state }) => state === 'held') ?? (await buying.order((await hold()).orderId))
  const work = await visitor.item(held.lines[0]!)
  const place = accountsOf(run, 'creator').findIndex(({ username }) => username === work.ownerUsername)
  return { accepted, held, work, owner: await demoUser(run, 'creator', place) }
}

async function begun(visitor: ApiClient, wanted: (work: Nft) => boolean): Promise<Order> {
  const { body } = await visitor.buy(await availableWork(visitor, wanted))
  return visitor.order(body.orderId)
}

async function givenUp(visitor: ApiClient, wanted: (work: Nft) => boolean): Promise<Order> {
  const { _id } = await begun(visitor, wanted)
  return (await visitor.cancel(_id)).body
}

async function bought(run: RunFile, visitor: ApiClient, state: 'completed' | 'disputed' = 'completed'): Promise<Order> {
  const { body } = await visitor.buy(await availableWork(visitor))
  await pay(run, body.url, state === 'disputed' ? DISPUTED_CARD : run.cards.approved)
  return untilOrder(visitor, body.orderId, state)
}

/** Buys a work for the reader of the mail to an address: the order, and the link in that mail. */
async function gaveGift(run: RunFile, giver: ApiClient, email: string) {
  const { _id, price } = await availableWork(giver)
  const gift = { email, text: 'Happy birthday, dear Nora!\nMay it hang well.' }
  const { body } = await giver.send(startPurchase, {
    body: { amount: price, items: [{ _id, price }], deliverTo: 'custody', gift },
  })
  await pay(run, body.url, run.cards.approved)
  return { order: body.orderId, link: await linkInMail(run, email, /https?:\/\/\S+\/gift#\S+/) }
}

const seriesOf = (works: Nft[]) => ({
  title: 'Iron and steam',
  description: 'Four works that belong together.',
  itemIds: works.slice(0, 4).map(({ _id }) => _id),
})
