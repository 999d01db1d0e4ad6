import { makeOffer } from '@nifty/api/payments/offers'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { orBusy } from '../orders/order.errors.ts'
import { fetchBuyer } from '../purchases/purchase.actions.ts'
import { assertTermsInForce } from '../purchases/terms.store.ts'
import { offerEnding, placeOffer } from './offer.actions.ts'
import { parseOffer } from './offer.ts'

export const offerRoutes: FastifyPluginAsync<Deps> = async (app, { db, auth, config, runner }) => {
  registerRoute(app, makeOffer, async (request) => {
    const { userId: buyerId } = callerOf(request)
    const { termsVersion, deliverTo = 'wallet' } = request.body
    const itemId = request.body.itemId.toLowerCase()
    const offered = parseOffer(request.body)
    await assertTermsInForce(db, { termsVersion, current: config.terms.version })
    const readBuyer = () => fetchBuyer(auth, { userId: buyerId, deliverTo })
    // Into custody nothing of the account is stored with the order: the first step reads it.
    const wallet = deliverTo === 'custody' ? null : (await readBuyer()).wallet

    const offer = { buyerId, wallet, itemId, ...offered, termsVersion }
    const place = () => orBusy(inTransaction(db, (trx) => placeOffer(trx, offer, config)))
    let placed = await place()
    if ('ending' in placed) {
      await runner.untilIdle(placed.ending)
      placed = await place()
    }
    if ('ending' in placed) throw offerEnding(placed.ending)
    if (!placed.isNew && deliverTo === 'custody') await readBuyer()
    return { success: true as const, url: await runner.untilUrl(placed), orderId: placed.id }
  })
}
