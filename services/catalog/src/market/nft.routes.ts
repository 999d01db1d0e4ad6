import * as api from '@nifty/api/catalog/public'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import { sendCached } from '../cache/send-cached.ts'
import type { Deps } from '../deps.ts'
import { findItemOfToken } from '../items/item.store.ts'
import { itemNotFound } from '../items/item.ts'
import { nftsOfUser, usernameOf } from '../items/nft.store.ts'
import { nftDetail } from '../items/nft-detail.store.ts'
import { isAddressOf, isTokenId, readTokenPath } from '../items/token-path.ts'

export const nftRoutes: FastifyPluginAsync<Deps> = async (app, { responses, offers }) => {
  registerRoute(app, api.listNftsOfUser, async (request, reply) => {
    const name = usernameOf(request.params.username)
    return sendCached(responses, request, reply, {
      key: `owned ${name}`,
      build: async (snapshot) => ({ nfts: await nftsOfUser(snapshot, name, { offers }) }),
    })
  })

  /** Contract and identifier select the item; the username is ignored, so that links with a former owner's work. */
  registerRoute(app, api.getNft, async (request, reply) => {
    const { contract, identifier } = request.params
    const token = readTokenPath(request.params)
    if (!isTokenId(identifier)) throw itemNotFound()
    return sendCached(responses, request, reply, {
      key: `item ${contract}/${identifier}`,
      build: async (snapshot) => {
        const item = await findItemOfToken(snapshot, token)
        if (!item || !isAddressOf(item, contract)) throw itemNotFound()
        return nftDetail(snapshot, item.id, { offers })
      },
    })
  })
}
