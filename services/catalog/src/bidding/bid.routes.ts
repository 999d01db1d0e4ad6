import * as api from '@nifty/api/catalog/bids'
import { invalid, unavailable } from '@nifty/service-kit/base/errors'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { beginBid, createBidPlacement, withdrawBid } from './bid.actions.ts'

export const offersOff = () => unavailable('offers_off', 'Offers are switched off at the moment')

export const auctionsOff = () => unavailable('auctions_off', 'Auctions are switched off at the moment')

/** Undefined for a text that is no date. */
function readDate(text: string | null): Date | null | undefined {
  if (text === null) return null
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** For payments: begins an offer or a bid, lets it stand once its card is held, and ends it for its buyer. */
export const bidRoutes: FastifyPluginAsync<Deps> = async (app, { db, minting, offers, auctions }) => {
  const placeBid = createBidPlacement(db)

  registerRoute(app, api.beginBid, async ({ body }) => {
    if (body.kind === 'offer' && !offers) throw offersOff()
    if (body.kind === 'bid' && !auctions) throw auctionsOff()
    return beginBid({ db, minting }, body)
  })

  registerRoute(app, api.placeBid, async ({ params: { orderId }, body }) => {
    const captureBefore = readDate(body.captureBefore)
    const heldAt = readDate(body.heldAt ?? null)
    if (captureBefore === undefined) throw invalid('invalid_capture_before', 'captureBefore is not a date')
    if (heldAt === undefined) throw invalid('invalid_held_at', 'heldAt is not a date')
    return placeBid(orderId, { captureBefore, heldAt })
  })

  registerRoute(app, api.withdrawBid, async ({ params: { orderId } }) =>
    inTransaction(db, (trx) => withdrawBid(trx, orderId)),
  )
}
