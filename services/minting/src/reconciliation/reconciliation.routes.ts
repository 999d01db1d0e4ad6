import * as api from '@nifty/api/minting/internal'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import {
  checkFinalDeliveries,
  findTokenOwners,
  listFinalDeliveries,
  listTokenOwners,
  listUnexpectedTokens,
} from './reconciliation.store.ts'

/** What payments compares with its orders, and with catalog's items. */
export const reconciliationRoutes: FastifyPluginAsync<{ context: ChainContext }> = async (app, { context: { db } }) => {
  registerRoute(app, api.listFinalDeliveries, async ({ query }) => listFinalDeliveries(db, query))
  registerRoute(app, api.checkFinalDeliveries, async ({ body }) => ({
    lineIds: await checkFinalDeliveries(db, body.lineIds),
  }))
  registerRoute(app, api.listTokenOwners, async ({ query }) => listTokenOwners(db, query))
  registerRoute(app, api.findTokenOwners, async ({ body }) => ({ tokens: await findTokenOwners(db, body.tokens) }))
  registerRoute(app, api.listUnexpectedTokens, async () => listUnexpectedTokens(db))
}
