import { makeBid } from '@nifty/api/payments/bids'
import { makeOffer } from '@nifty/api/payments/offers'
import type { DeliverTo } from '@nifty/api/payments/public'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { orBusy } from '../locks/lock.errors.ts'
import { fetchBuyer } from '../purchases/purchase.actions.ts'
import { assertTermsInForce } from '../purchases/terms.store.ts'
import { type NewOffer, offerEnding, placeOffer } from './offer.actions.ts'
import { parseLimit, parseOffer } from './offer.ts'

type Begin = Omit<NewOffer, 'wallet'> & { deliverTo?: DeliverTo | undefined }

export const offerRoutes: FastifyPluginAsync<Deps> = async (app, { db, auth, config, runner }) => {
  /** Opens the payment page of an offer or a bid. */
  async function begin({ deliverTo = 'wallet', ...begun }: Begin) {
    await assertTermsInForce(db, { termsVersion: begun.termsVersion, current: config.terms.version })
    const readBuyer = () => fetchBuyer(auth, { userId: begun.buyerId, deliverTo })
    // Into custody nothing of the account is stored with the order: the first step reads it.
    const wallet = deliverTo === 'custody' ? null : (await readBuyer()).wallet

    const place = () => orBusy(inTransaction(db, (trx) => placeOffer(trx, { ...begun, wallet }, config)))
    let placed = await place()
    if ('ending' in placed) {
      await runner.untilIdle(placed.ending)
      placed = await place()
    }
    if ('ending' in placed) throw offerEnding(placed.ending, begun.kind)
    if (!placed.isNew && deliverTo === 'custody') await readBuyer()
    return { success: true as const, url: await runner.untilUrl(placed), orderId: placed.id }
  }

  registerRoute(app, makeOffer, async (request) => {
    const { itemId, termsVersion, deliverTo } = request.body
    const { priceCents: limitCents, days } = parseOffer(request.body)
    const offer = { kind: 'offer' as const, itemId, limitCents, days }
    return begin({ buyerId: callerOf(request).userId, ...offer, termsVersion, deliverTo })
  })

  registerRoute(app, makeBid, async (request) => {
    const { itemId, limit, sure, termsVersion, deliverTo } = request.body
    const bid = { kind: 'bid' as const, itemId, limitCents: parseLimit(limit), sure }
    return begin({ buyerId: callerOf(request).userId, ...bid, termsVersion, deliverTo })
  })
}
