import type { Nft } from '@nifty/api/catalog/public'
import type { Order } from '@nifty/api/payments/public'
import { type ApiClient, createApiClient, pay, untilOrder } from '@nifty/testkit/api-client'
import { giveCover } from '@nifty/testkit/covers'
import type { RunFile } from '@nifty/testkit/run-file'
import { apiClientOf, createUser, demoUser } from '@nifty/testkit/users'
import { availableWork } from '@nifty/testkit/works'

/** People, works and orders in each state that a screen can show. What an earlier run left is taken again. */
export async function prepareFixtures(run: RunFile) {
  const [collector, creator, stranger] = await Promise.all([
    demoUser(run, 'collector', 2),
    demoUser(run, 'creator'),
    createUser(run),
  ])
  const [buying, selling] = [apiClientOf(run, collector), apiClientOf(run, creator)]
  const visitor = createApiClient(run)
  const others = ({ ownerUsername }: Nft) => ownerUsername !== creator.username

  const completed = (await orderOf(buying, 'completed')) ?? (await bought(run, buying))
  const released = (await orderOf(buying, 'released')) ?? (await givenUp(buying, others))
  const waiting = (await orderOf(selling, 'awaiting_payment')) ?? (await begun(selling, others))
  const own = (await visitor.call('GET', `/api/nfts/user/${creator.username}`)).body.nfts as Nft[]
  const unlisted = own.find(({ forSale }) => !forSale) ?? own[0]!
  await selling.call('PUT', `/api/nfts/${unlisted.contract}/${unlisted.identifier}/remove-from-sale`, {})

  for (const { _id } of (await visitor.market()).slice(0, 3)) await buying.call('PUT', `/api/favourites/${_id}`)
  await buying.call('PUT', `/api/follows/${creator.userId}`)
  await giveCover(run, collector)

  return {
    collector,
    creator,
    newUser: stranger,
    works: {
      forSale: await availableWork(visitor, others),
      held: await visitor.item(waiting.lines[0]!),
      owned: await visitor.item(completed.lines[0]!),
      own: own.find(({ _id, forSale, reserved }) => _id !== unlisted._id && forSale && !reserved)!,
      notForSale: await visitor.item(unlisted),
    },
    orders: { completed: completed._id, released: released._id, waiting: waiting._id },
  }
}

export type Fixtures = Awaited<ReturnType<typeof prepareFixtures>>

const orderOf = async (visitor: ApiClient, state: Order['state']): Promise<Order | undefined> =>
  (await visitor.call<{ orders: Order[] }>('GET', '/api/orders')).body.orders.find((order) => order.state === state)

async function begun(visitor: ApiClient, wanted: (work: Nft) => boolean): Promise<Order> {
  const { body } = await visitor.buy(await availableWork(visitor, wanted))
  return visitor.order(body.orderId)
}

async function givenUp(visitor: ApiClient, wanted: (work: Nft) => boolean): Promise<Order> {
  const { _id } = await begun(visitor, wanted)
  return (await visitor.cancel(_id)).body
}

async function bought(run: RunFile, visitor: ApiClient): Promise<Order> {
  const { body } = await visitor.buy(await availableWork(visitor))
  await pay(run, body.url, run.cards.approved)
  return untilOrder(visitor, body.orderId, 'completed')
}
