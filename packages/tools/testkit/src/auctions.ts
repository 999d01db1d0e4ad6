import { startAuction as startAuctionEndpoint } from '@nifty/api/catalog/auctions'
import type { Auction, Nft } from '@nifty/api/catalog/public'
import { makeBid } from '@nifty/api/payments/bids'
import type { DeliverTo, Order } from '@nifty/api/payments/public'
import { type ApiClient, pay, untilOrder } from './api-client.ts'
import type { RunFile } from './run-file.ts'
import { waitUntil } from './wait-until.ts'

type Work = Pick<Nft, '_id' | 'contract' | 'identifier'>

/** An auction of an hour whose clock the first bid starts; `opening` in euros. Its seller's client needs a step-up. */
export async function startAuction(seller: ApiClient, { _id: itemId }: Work, opening: number): Promise<Auction> {
  const answer = await seller.send(startAuctionEndpoint, { body: { itemId, opening, hours: 1 } })
  if (answer.status !== 200) throw new Error(`no auction: ${answer.status} ${answer.body.code}`)
  return answer.body.nft.auction!
}

type NewBid = { client: ApiClient; work: Work; limit: number; deliverTo?: DeliverTo }

/** A bid whose payment page is open; `limit` in euros. Throws if it is refused. */
export async function startBid({ client, work, limit, deliverTo = 'custody' }: NewBid) {
  const answer = await client.send(makeBid, { body: { itemId: work._id, limit, deliverTo } })
  if (answer.status !== 200) throw new Error(`no bid: ${answer.status} ${answer.body.code}: ${answer.body.message}`)
  return answer.body
}

/** A bid whose card is held and that counts: afterwards the price is `price` euros, whoever leads. */
export async function holdBid(run: RunFile, { price, ...bid }: NewBid & { price: number }) {
  const { orderId, url } = await startBid(bid)
  await pay(run, url, run.cards.approved)
  await untilPrice(bid.client, bid.work, price)
  return { orderId, url }
}

/** Polls a work until the price of its auction is `price` euros; null: until it is open without a bid. */
export const untilPrice = (client: ApiClient, work: Work, price: number | null): Promise<Auction> =>
  waitUntil(async () => {
    const { auction } = await client.item(work)
    return auction?.price === price ? auction : undefined
  })

/** Polls the order of a bid until it was given back, and returns why. */
export const untilBidEnded = (client: ApiClient, orderId: string): Promise<string | null | undefined> =>
  untilOrder(client, orderId, 'released').then(noteOf)
const noteOf = ({ timeline }: Order) => timeline.at(-1)?.note
