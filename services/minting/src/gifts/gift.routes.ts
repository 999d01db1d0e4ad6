import { getWithdrawer } from '@nifty/api/auth/internal'
import * as api from '@nifty/api/minting/gifts'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { getToken } from '../tokens/token.store.ts'
import { claim, giveToken, openGift, readdress, takeBack } from './gift.actions.ts'
import { findGift, listGiftsOf } from './gift.store.ts'
import { type GiftWithClaim, giftNotFound, readAddress, readText, viewGift, viewOpened } from './gift.ts'

const LISTED_GIFTS = 200

export const giftRoutes: FastifyPluginAsync<Deps> = async (app, { db, context, auth, config }) => {
  const contract = context.contracts.collection
  const viewFor = (userId: string) => (gift: GiftWithClaim) => viewGift(gift, { userId, contract })
  // From auth: the copy here may be older than a change after which withdrawals wait.
  const withdrawerOf = (id: string) => auth(getWithdrawer, { params: { id } })

  registerRoute(app, api.giveWork, async (request) => {
    const { userId } = callerOf(request)
    const { body } = request
    const [email, text] = [readAddress(body.email), readText(body.text)]
    const { token } = await getToken(context, body)
    const withdrawer = await withdrawerOf(userId)
    const given = { token, userId, email, text, withdrawer }
    return viewFor(userId)(await inTransaction(db, (trx) => giveToken(trx, given, config)))
  })

  registerRoute(app, api.listGifts, async (request) => {
    const { userId } = callerOf(request)
    const { orderId } = request.query
    return { gifts: (await listGiftsOf(db, { userId, orderId }, LISTED_GIFTS)).map(viewFor(userId)) }
  })

  registerRoute(app, api.getGift, async (request) => {
    const gift = await findGift(db, request.params.id)
    if (!gift) throw giftNotFound()
    return viewFor(callerOf(request).userId)(gift)
  })

  registerRoute(app, api.takeBackGift, async (request) => {
    const { userId } = callerOf(request)
    return viewFor(userId)(await inTransaction(db, (trx) => takeBack(trx, { id: request.params.id, userId })))
  })

  registerRoute(app, api.readdressGift, async (request) => {
    const { userId } = callerOf(request)
    const email = readAddress(request.body.email)
    const wanted = { id: request.params.id, userId, email, withdrawer: await withdrawerOf(userId) }
    return viewFor(userId)(await inTransaction(db, (trx) => readdress(trx, wanted, config.mailTokenKeys)))
  })

  registerRoute(app, api.openGift, async ({ body }) => viewOpened(await openGift(db, body.token), contract))

  registerRoute(app, api.claimGift, async (request) => {
    const { userId } = callerOf(request)
    return viewFor(userId)(await inTransaction(db, (trx) => claim(trx, { token: request.body.token, userId })))
  })
}
