import * as api from '@nifty/api/catalog/offers'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { requireUncontested } from '../items/contested-line.store.ts'
import { requireDeliverableOncePermitted } from '../items/deliverability.actions.ts'
import { isListedInCustody, requireVisible } from '../items/item.ts'
import { nftDetail } from '../items/nft-detail.store.ts'
import { findItemOfPath, readTokenPath } from '../items/token-path.ts'
import { offersOff } from './bid.routes.ts'
import { readMinimum, setOfferMinimum } from './offer-minimum.actions.ts'
import { acceptOffer, declineOffer } from './received-offer.actions.ts'
import { receivedOffers } from './received-offer.store.ts'

/** Owners take offers, and decide about those that they have received. */
export const receivedOfferRoutes: FastifyPluginAsync<Deps> = async (app, { db, minting, offers }) => {
  registerRoute(app, api.setOfferMinimum, async (request) => {
    const { userId, steppedUp } = callerOf(request)
    const { params, body } = request
    const token = readTokenPath(params)
    const minimumCents = readMinimum(body.minimum)
    if (!offers && minimumCents !== null) throw offersOff()
    const item = requireVisible(await findItemOfPath(db, token, params), userId)
    if (minimumCents !== null) {
      await requireUncontested(db, item)
      if (!isListedInCustody(item)) await requireDeliverableOncePermitted(minting, item)
    }
    const nft = await inTransaction(db, async (trx) => {
      await setOfferMinimum(trx, { itemId: item.id, userId, minimumCents, steppedUp })
      return nftDetail(trx, item.id, { offers })
    })
    return { success: true as const, nft }
  })

  registerRoute(app, api.listReceivedOffers, async (request) => ({
    offers: await receivedOffers(db, callerOf(request).userId),
  }))

  registerRoute(app, api.acceptOffer, async (request) => {
    const { userId, steppedUp } = callerOf(request)
    const { orderId } = request.params
    return { success: true as const, offer: await acceptOffer({ db, minting }, { orderId, userId, steppedUp }) }
  })

  registerRoute(app, api.declineOffer, async (request) => {
    const { userId } = callerOf(request)
    await inTransaction(db, (trx) => declineOffer(trx, { orderId: request.params.orderId, userId }))
    return { success: true as const }
  })
}
