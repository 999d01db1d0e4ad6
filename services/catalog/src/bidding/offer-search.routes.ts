import * as api from '@nifty/api/catalog/offer-search'
import { toEuros } from '@nifty/api/shapes'
import { invalidCursor } from '@nifty/service-kit/base/errors'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { findOffer } from '../offers/offer.store.ts'
import { type FoundOffer, findOffers } from './offer-search.store.ts'

const PAGE = 50

/** Offers, for operators. */
export const offerSearchRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  registerRoute(app, api.listOffers, async ({ query }) => {
    if (query.after !== undefined && !(await findOffer(db, query.after))) throw invalidCursor()
    const found = await findOffers(db, query, PAGE + 1)
    const page = found.slice(0, PAGE)
    return { offers: page.map(view), next: found.length > PAGE ? page.at(-1)!.orderId : null }
  })
}

const view = (offer: FoundOffer): api.FoundOffer => ({
  orderId: offer.orderId,
  itemId: offer.itemId,
  token: `${offer.contract}/${offer.identifier}`,
  name: offer.name,
  ownerId: offer.ownerId,
  buyerId: offer.buyerId,
  price: toEuros(offer.priceCents),
  days: offer.days,
  state: offer.state,
  why: offer.why,
  startedAt: offer.startedAt.toISOString(),
  endsAt: offer.endsAt?.toISOString() ?? null,
  endedAt: offer.endedAt?.toISOString() ?? null,
})
