import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/catalog'
import type { Deps } from '../app.ts'
import { itemNotFound } from '../listings/listing.actions.ts'
import { sendReady } from '../market/ready-reply.ts'
import { findItemOfToken } from './item.store.ts'
import { nftsOfUser } from './nft.ts'
import { nftDetail } from './nft-detail.ts'
import { isAddressOf, isTokenId, readTokenPath } from './token-path.ts'

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
