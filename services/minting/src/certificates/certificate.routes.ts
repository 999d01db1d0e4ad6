import * as api from '@nifty/api/minting/certificates'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { getToken } from '../tokens/token.store.ts'
import { makeLink, openLink } from './certificate.actions.ts'
import { endLink, findCertifiedWork, findLiveLink, listLiveLinks } from './certificate.store.ts'
import { assertOwner, viewCertificate, viewLink, viewListed, viewOpened } from './certificate.ts'

const LISTED_LINKS = 200

export const certificateRoutes: FastifyPluginAsync<Deps> = async (app, { db, context, config }) => {
  const chain = { chainId: config.chain.chainId, collection: context.contracts.collection }
  const keys = config.mailTokenKeys

  registerRoute(app, api.listCertificateLinks, async (request) => {
    const links = await listLiveLinks(db, callerOf(request).userId, LISTED_LINKS)
    return { links: links.map((link) => viewListed(link, chain)) }
  })

  registerRoute(app, api.getCertificate, async (request) => {
    const { userId } = callerOf(request)
    const { token } = await getToken(context, request.params)
    const work = (await findCertifiedWork(db, token))!
    assertOwner(work, userId)
    const link = await findLiveLink(db, { token, ownerId: userId })
    return { ...viewCertificate(work, chain), link: link ? viewLink(link, keys) : null }
  })

  registerRoute(app, api.makeCertificateLink, async (request) => {
    const { userId } = callerOf(request)
    const { token } = await getToken(context, request.params)
    return viewLink(await inTransaction(db, (trx) => makeLink(trx, { token, userId }, keys)), keys)
  })

  registerRoute(app, api.removeCertificateLink, async (request) => {
    const { userId } = callerOf(request)
    const held = await getToken(context, request.params)
    const isEnded = await endLink(db, { token: held.token, ownerId: userId }, 'switched_off')
    if (!isEnded) assertOwner(held, userId)
    return { success: true as const }
  })

  registerRoute(app, api.openCertificate, async ({ body }) => {
    const { work, link } = await openLink(db, body.secret)
    return viewOpened(work, link, chain)
  })
}
