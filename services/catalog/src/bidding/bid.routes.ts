import * as api from '@nifty/api/catalog/bids'
import { invalid, unavailable } from '@nifty/service-kit/base/errors'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { beginBid, placeBid, withdrawBid } from './bid.actions.ts'

export const offersOff = () => unavailable('offers_off', 'Offers are switched off at the moment')

/** For payments: begins an offer, lets it stand once its card is held, and ends it for its buyer. */
export const bidRoutes: FastifyPluginAsync<Deps> = async (app, { db, minting, offers }) => {
  registerRoute(app, api.beginBid, async ({ body }) => {
    if (!offers) throw offersOff()
    return beginBid({ db, minting }, body)
  })

  registerRoute(app, api.placeBid, async ({ params: { orderId }, body }) => {
    const captureBefore = body.captureBefore === null ? null : new Date(body.captureBefore)
    if (captureBefore && Number.isNaN(captureBefore.getTime()))
      throw invalid('invalid_capture_before', 'captureBefore is not a date')
    return inTransaction(db, (trx) => placeBid(trx, { orderId, captureBefore }))
  })

  registerRoute(app, api.withdrawBid, async ({ params: { orderId } }) =>
    inTransaction(db, (trx) => withdrawBid(trx, orderId)),
  )
}
