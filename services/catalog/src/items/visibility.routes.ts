import * as api from '@nifty/api/catalog/visibility'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { callerOf, type EndpointRequest, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { hiddenNftsOf } from './nft.store.ts'
import { findItemOfPath, readTokenPath } from './token-path.ts'
import { hideOwnItem, showOwnItem } from './visibility.actions.ts'

/** Owners hide works from the public pages, and show them again. */
export const visibilityRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  const handle =
    (action: typeof hideOwnItem) =>
    async (request: EndpointRequest<typeof api.hideOwnItem | typeof api.showOwnItem>) => {
      const { userId } = callerOf(request)
      const { id: itemId } = await findItemOfPath(db, readTokenPath(request.params), request.params)
      await inTransaction(db, (trx) => action(trx, { itemId, userId }))
      return { success: true as const }
    }

  registerRoute(app, api.hideOwnItem, handle(hideOwnItem))
  registerRoute(app, api.showOwnItem, handle(showOwnItem))
  registerRoute(app, api.listHiddenItems, async (request) => ({
    nfts: await hiddenNftsOf(db, callerOf(request).userId),
  }))
}
