import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/catalog'
import type { Deps } from '../app.ts'
import { itemNotFound } from '../listings/listing.actions.ts'
import { findItemOfToken } from './item.store.ts'
import { nftsOfUser } from './nft.ts'
import { nftDetail } from './nft-detail.ts'
import { isAddressOf, isTokenId, readTokenPath } from './token-path.ts'

export const itemRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, { db }) => {
  app.get('/api/nfts/user/:username', { schema: api.nftsOfUser }, async ({ params }) => ({
    nfts: await nftsOfUser(db, params.username),
  }))

  /** Contract and identifier decide: a former owner's name in an old link leads to the same item. */
  app.get('/api/nfts/:username/:contract/:identifier', { schema: api.nft }, async ({ params }) => {
    const token = readTokenPath(params)
    const item = isTokenId(params.identifier) ? await findItemOfToken(db, token) : undefined
    if (!item || !isAddressOf(item, params.contract)) throw itemNotFound()
    return nftDetail(db, item.id)
  })
}
