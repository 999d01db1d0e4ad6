import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/catalog'
import type { Deps } from '../app.ts'
import { sendReady } from '../cache/send-cached.ts'
import { findItemOfToken } from '../items/item.store.ts'
import { itemNotFound } from '../items/listing.actions.ts'
import { nftsOfUser } from '../items/nft.store.ts'
import { nftDetail } from '../items/nft-detail.store.ts'
import { isAddressOf, isTokenId, readTokenPath } from '../items/token-path.ts'

export const itemRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, { db, market }) => {
  app.get('/api/nfts/user/:username', { schema: api.nftsOfUser }, async ({ params }) => ({
    nfts: await nftsOfUser(db, params.username),
  }))

  /** Contract and identifier decide: a former owner's name in an old link leads to the same item. */
  app.get('/api/nfts/:username/:contract/:identifier', { schema: api.nft }, async (request, reply) => {
    const { contract, identifier } = request.params
    const token = readTokenPath(request.params)
    if (!isTokenId(identifier)) throw itemNotFound()
    const answer = await market.answer(
      `item ${contract}/${identifier}`,
      async (snapshot) => {
        const item = await findItemOfToken(snapshot, token)
        if (!item || !isAddressOf(item, contract)) throw itemNotFound()
        return nftDetail(snapshot, item.id)
      },
      'now',
    )
    return sendReady(request, reply, answer)
  })
}
