import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/payments'
import { invalid } from '@nifty/service-kit/errors'
import type { Deps } from '../deps.ts'
import { orBusy } from '../orders/order.errors.ts'
import { askBuyer, placeOrder } from './purchase.actions.ts'
import { readPurchase } from './purchase.ts'

const isVersion = (text: string) => /^[\w.:-]{1,40}$/.test(text)

export const purchaseRoutes: FastifyPluginAsyncTypebox<Deps> = async (
  app,
  { db, authenticate, auth, config, drive },
) => {
  app.post('/api/nfts/test', { schema: api.startPurchase }, async (request) => {
    const { userId } = await authenticate(request)
    const { termsVersion } = request.body
    const wanted = readPurchase(request.body)
    if (termsVersion !== undefined && !isVersion(termsVersion)) throw invalid('invalid_terms', 'Unknown terms version')
    const buyer = await askBuyer(auth, userId)

    const placing = { buyer, wanted, termsVersion }
    const orderId = await orBusy(db.transaction().execute((trx) => placeOrder(trx, placing, config)))
    return { success: true as const, url: await drive.toUrl(orderId), orderId }
  })
}
