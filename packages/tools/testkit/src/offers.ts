import { listReceivedOffers, setOfferMinimum } from '@nifty/api/catalog/offers'
import type { Nft } from '@nifty/api/catalog/public'
import type { OfferDays } from '@nifty/api/offer-days'
import { makeOffer } from '@nifty/api/payments/offers'
import type { DeliverTo } from '@nifty/api/payments/public'
import { type ApiClient, pay, untilOrder } from './api-client.ts'
import type { RunFile } from './run-file.ts'
import { waitUntil } from './wait-until.ts'

type Offered = { client: ApiClient; work: Pick<Nft, '_id'>; price: number; days?: OfferDays; deliverTo?: DeliverTo }

/** The owner takes offers of 0.50 € and more; its client needs a step-up. */
export async function takeOffers(owner: ApiClient, { contract, identifier }: Pick<Nft, 'contract' | 'identifier'>) {
  const answer = await owner.send(setOfferMinimum, { params: { contract, identifier }, body: { minimum: 0.5 } })
  if (answer.status !== 200) throw new Error(`no offers: ${answer.status} ${answer.body.code}`)
}

/** An offer whose payment page is open; `price` in euros. Throws if it is refused. */
export async function startOffer({ client, work, price, days = 1, deliverTo = 'custody' }: Offered) {
  const answer = await client.send(makeOffer, { body: { itemId: work._id, price, days, deliverTo } })
  if (answer.status !== 200) throw new Error(`no offer: ${answer.status} ${answer.body.code}: ${answer.body.message}`)
  return answer.body
}

/** An offer whose card is held and which its owner sees. */
export async function holdOffer(run: RunFile, owner: ApiClient, offered: Offered) {
  const { orderId, url } = await startOffer(offered)
  await pay(run, url, run.cards.approved)
  await untilOrder(offered.client, orderId, 'held')
  await waitUntil(async () => {
    const { body } = await owner.send(listReceivedOffers)
    return body.offers.some((offer) => offer.orderId === orderId && offer.state === 'open')
  })
  return { orderId, url }
}
