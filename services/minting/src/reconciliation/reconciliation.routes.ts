import * as api from '@nifty/api/minting/internal'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import { checkOwnersOf } from '../chain-index/check-owners.ts'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import {
  checkFinalDeliveries,
  findTokenOwners,
  listFinalDeliveries,
  listTokenOwners,
  listUnexpectedTokens,
} from './reconciliation.store.ts'

/** What payments compares with its orders, and with catalog's items. */
export const reconciliationRoutes: FastifyPluginAsync<{ context: ChainContext }> = async (app, { context }) => {
  const { db } = context
  registerRoute(app, api.listFinalDeliveries, async ({ query }) => listFinalDeliveries(db, query))
  registerRoute(app, api.checkFinalDeliveries, async ({ body }) => ({
    lineIds: await checkFinalDeliveries(db, body.lineIds),
  }))
  registerRoute(app, api.listTokenOwners, async ({ query }) => {
    const { tokens, next } = await listTokenOwners(db, query)
    const names = tokens.map(({ token }) => token)
    await checkOwnersOf(context, names)
    // Read again: the comparison with the chain may have found another owner.
    const owners = await findTokenOwners(db, names)
    return { tokens: owners.map(({ token, ownerId }) => ({ token, ownerId })), next }
  })
  registerRoute(app, api.findTokenOwners, async ({ body }) => {
    await checkOwnersOf(context, body.tokens)
    return { tokens: await findTokenOwners(db, body.tokens) }
  })
  registerRoute(app, api.listUnexpectedTokens, async () => listUnexpectedTokens(db))
}
