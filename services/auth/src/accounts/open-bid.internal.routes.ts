import { keepBidder } from '@nifty/api/auth/internal'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { isStoredBid, saveOpenBid } from '../obligations/obligation.store.ts'
import { lockAccount } from './account.store.ts'
import { isBlocked } from './account.ts'

export const openBidInternalRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  registerRoute(app, keepBidder, async ({ params: { orderId }, body: { buyerId, sellerId, name, until } }) => {
    const allowed = await inTransaction(db, async (trx) => {
      // A repeated request has the response of the first one: catalog may have the bid by now.
      const account = await lockAccount(trx, buyerId)
      if (!account || isBlocked(account)) return isStoredBid(trx, orderId)
      const latestEndAt = new Date(until)
      await saveOpenBid(trx, { orderId, auctionId: null, name, bidderId: buyerId, sellerId, latestEndAt })
      return true
    })
    return { allowed }
  })
}
