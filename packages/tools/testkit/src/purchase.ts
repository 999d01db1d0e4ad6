import { startAuction } from '@nifty/api/catalog/auctions'
import { acceptOffer, listReceivedOffers } from '@nifty/api/catalog/offers'
import type { Nft } from '@nifty/api/catalog/public'
import { makeBid } from '@nifty/api/payments/bids'
import { makeOffer } from '@nifty/api/payments/offers'
import type { DeliverTo, Order } from '@nifty/api/payments/public'
import { type ApiClient, accountsOf, logIn, pay } from './api-client.ts'
import type { RunFile } from './run-file.ts'
import { waitUntil } from './wait-until.ts'

/** Enough for a store whose processes are killed on a busy machine. */
const TIMEOUT_MS = 180_000

export type Buyer = { client: ApiClient; wallet: string; username: string }
/** `outbidCents`: what was held for another bid for the work, and given back. */
export type Sale = { buyer: Buyer; work: Nft; order: Order; outbidCents?: number }

/** Who sells a work by an auction, who is outbid, and what ends it while an order leads. */
export type Auctioned = {
  seller: ApiClient
  rival: ApiClient
  end: (leading: { itemId: string; leaderOrder: string }) => Promise<void>
}

/** The demo collectors, logged in. */
export const buyersOf = (run: RunFile): Promise<Buyer[]> =>
  Promise.all(
    accountsOf(run, 'collector').map(async (account) => ({
      client: await logIn(run, account),
      wallet: account.wallet.address,
      username: account.username,
    })),
  )

/** Repeats a request until it succeeds: connections break and services restart meanwhile. */
async function retry<Response extends { status: number }>(
  what: string,
  {
    timeoutMs,
    send,
    onFailure = () => {},
  }: { timeoutMs: number; send: () => Promise<Response>; onFailure?: (response: Response | Error) => void },
): Promise<Response> {
  let last: unknown
  return waitUntil(
    async () => {
      const response = await send().catch((error: unknown) => error)
      last = response
      const isDone = (response as Response).status === 200
      if (!isDone) onFailure(response as Response | Error)
      return isDone && (response as Response)
    },
    { timeoutMs, intervalMs: 250 },
  ).catch((error: Error) => {
    throw new Error(`${what}: ${error.message}, last ${last instanceof Error ? last.message : JSON.stringify(last)}`)
  })
}

type PurchaseOptions = {
  timeoutMs?: number
  /** Its owner, who takes offers: the work is sold by one at the listed price, which its owner accepts. */
  offeredTo?: ApiClient
  /** The work is sold by an auction, whose price becomes the listed one. */
  auctioned?: Auctioned
}

/**
 * Buys a work and waits for the completed order, at most `timeoutMs` at each step; `reached` resolves at each step, and
 * `refused` has status and code of the requests for a purchase that did not succeed.
 */
export function purchase(
  run: RunFile,
  buyer: Buyer,
  work: Nft,
  { timeoutMs = TIMEOUT_MS, offeredTo, auctioned }: PurchaseOptions = {},
) {
  const reached = { ordered: Promise.withResolvers<void>(), paid: Promise.withResolvers<void>() }
  const refused: string[] = []
  const sale = (async (): Promise<Sale> => {
    const outbidCents = auctioned && (await openBidding(run, work, { ...auctioned, timeoutMs }))
    const { body } = await retry(`buying ${work.name}`, {
      timeoutMs,
      send: () =>
        offeredTo
          ? offer(buyer, work)
          : auctioned
            ? bid(buyer.client, work, { limit: work.price!, deliverTo: 'wallet' })
            : buyer.client.buy(work),
      onFailure: (response) =>
        refused.push(response instanceof Error ? response.message : `${response.status} ${response.body.code}`),
    })
    reached.ordered.resolve()
    await retry(`paying for ${work.name}`, { timeoutMs, send: () => pay(run, body.url, run.cards.approved) })
    reached.paid.resolve()
    if (offeredTo) await accept(offeredTo, body.orderId, timeoutMs)
    let last: Order | undefined
    const order = await waitUntil(
      async () => {
        last = await buyer.client.order(body.orderId).catch(() => last)
        if (last?.state === 'held') await auctioned?.end({ itemId: work._id, leaderOrder: body.orderId })
        return last?.state === 'completed' && last
      },
      { timeoutMs, intervalMs: 250 },
    ).catch((error: Error) => {
      throw new Error(`order ${body.orderId} is ${last?.state}: ${error.message}`)
    })
    return { buyer, work, order, ...(outbidCents !== undefined && { outbidCents }) }
  })()
  sale.catch((error) => {
    reached.ordered.reject(error)
    reached.paid.reject(error)
  })
  // Prevents unhandled rejections; `sale` still rejects.
  reached.ordered.promise.catch(() => {})
  reached.paid.promise.catch(() => {})
  return { sale, refused, reached: { ordered: reached.ordered.promise, paid: reached.paid.promise } }
}

/** An offer at the listed price, delivered to the buyer's wallet. */
const offer = ({ client }: Buyer, { _id: itemId, price }: Nft) =>
  client.send(makeOffer, { body: { itemId, price: price!, days: 1 } })

const bid = (client: ApiClient, { _id: itemId }: Nft, amount: { limit: number; deliverTo: DeliverTo }) =>
  client.send(makeBid, { body: { itemId, ...amount } })

/**
 * Starts the auction of a work below its listed price, in which another bidder leads with less than that. Returns what
 * is held for that bidder, cents.
 */
async function openBidding(run: RunFile, work: Nft, { seller, rival, timeoutMs }: Auctioned & { timeoutMs: number }) {
  const cents = Math.round(work.price! * 100)
  const [openingCents, limitCents] = [Math.ceil(cents * 0.6), cents - 50]
  await retry(`the auction of ${work.name}`, {
    timeoutMs,
    send: () => seller.send(startAuction, { body: { itemId: work._id, opening: openingCents / 100, hours: 1 } }),
  })
  const { body } = await retry(`the first bid for ${work.name}`, {
    timeoutMs,
    send: () => bid(rival, work, { limit: limitCents / 100, deliverTo: 'custody' }),
  })
  await retry(`paying the first bid for ${work.name}`, {
    timeoutMs,
    send: () => pay(run, body.url, run.cards.approved),
  })
  await waitUntil(async () => (await rival.item(work).catch(() => undefined))?.auction?.price === openingCents / 100, {
    timeoutMs,
    intervalMs: 250,
  })
  return limitCents
}

/** Waits until its owner sees the offer, and accepts it. */
async function accept(owner: ApiClient, orderId: string, timeoutMs: number) {
  await waitUntil(
    async () => {
      const received = await owner.send(listReceivedOffers).catch(() => undefined)
      return received?.body.offers?.some((each) => each.orderId === orderId)
    },
    { timeoutMs, intervalMs: 250 },
  )
  const send = () => owner.send(acceptOffer, { params: { orderId } })
  await retry(`accepting the offer of order ${orderId}`, { timeoutMs, send })
}
