import * as api from '@nifty/api/payments/public'
import { sha256 } from '@nifty/service-kit/base/secrets'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { networkOf, siteOf } from '@nifty/service-kit/http/network'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { orBusy } from '../locks/lock.errors.ts'
import { parseGift } from './gift.ts'
import { assertMayGive, changeGift, fetchBuyer, placeOrder } from './purchase.actions.ts'
import { parseCart } from './purchase.ts'
import { assertTermsInForce } from './terms.store.ts'

export const purchaseRoutes: FastifyPluginAsync<Deps> = async (app, { db, auth, minting, config, runner }) => {
  registerRoute(app, api.startPurchase, async (request) => {
    const { userId } = callerOf(request)
    const { termsVersion, deliverTo = 'wallet' } = request.body
    const cart = parseCart(request.body)
    const gift = parseGift(request.body.gift, { deliverTo, works: cart.length })
    await assertTermsInForce(db, { termsVersion, current: config.terms.version })
    const itemIds = cart.map(({ itemId }) => itemId)
    if (gift) await assertMayGive({ db, minting }, { giverId: userId, email: gift.email, itemIds })
    const readBuyer = () => fetchBuyer(auth, { userId, deliverTo })
    // Into custody nothing of the account is stored with the order: the first step reads it.
    const buyer = deliverTo === 'custody' ? { userId, wallet: null, emailConfirmed: null } : await readBuyer()

    // A site, as a home has many networks of IPv6.
    const network = sha256(siteOf(networkOf(request.ip)))
    const purchase = { buyer, cart, gift, network, termsVersion }
    const order = await orBusy(inTransaction(db, (trx) => placeOrder(trx, purchase, config)))
    if (!order.isNew && deliverTo === 'custody') await readBuyer()
    const url = await runner.untilUrl(order)
    if (!order.isNew && gift) await orBusy(changeGift(db, order.id, gift))
    return { success: true as const, url, orderId: order.id }
  })
}
