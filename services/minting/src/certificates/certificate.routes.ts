import * as api from '@nifty/api/minting/certificates'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { getToken } from '../tokens/token.store.ts'
import { makeLink, openLink } from './certificate.actions.ts'
import { endLink, findKnownWork, findLiveLink } from './certificate.store.ts'
import { assertOwner, viewCertificate, viewLink, viewOpened } from './certificate.ts'

export const certificateRoutes: FastifyPluginAsync<Deps> = async (app, { db, context, config }) => {
  const chain = { chainId: config.chain.chainId, collection: context.contracts.collection }
  const key = config.mailTokenKey

  registerRoute(app, api.getCertificate, async (request) => {
    const { userId } = callerOf(request)
    const { token } = await getToken(context, request.params)
    const known = (await findKnownWork(db, token))!
    assertOwner(known, userId)
    const link = await findLiveLink(db, { token, ownerId: userId })
    return { ...viewCertificate(known, chain), link: link ? viewLink(link, key) : null }
  })

  registerRoute(app, api.makeCertificateLink, async (request) => {
    const { userId } = callerOf(request)
    const { token } = await getToken(context, request.params)
    return viewLink(await inTransaction(db, (trx) => makeLink(trx, { token, userId }, key)), key)
  })

  registerRoute(app, api.removeCertificateLink, async (request) => {
    const { userId } = callerOf(request)
    const held = await getToken(context, request.params)
    const isEnded = await endLink(db, { token: held.token, ownerId: userId }, 'switched_off')
    if (!isEnded) assertOwner(held, userId)
    return { success: true as const }
  })

  registerRoute(app, api.openCertificate, async ({ body }) => {
    const { known, link } = await openLink(db, body.secret)
    return viewOpened(known, link, chain)
  })
}
