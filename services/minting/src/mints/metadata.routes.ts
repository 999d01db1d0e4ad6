import { STORE_ICON } from '@nifty/api/gateway'
import * as api from '@nifty/api/minting/public'
import { itemPath } from '@nifty/api/pages'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import { findAccount } from '../accounts/account.store.ts'
import type { Deps } from '../deps.ts'
import { imagePath } from '../images/image.ts'
import { tokenNotFound } from '../tokens/token.store.ts'
import { findMintOfToken } from './mint.store.ts'

export const metadataRoutes: FastifyPluginAsync<Deps> = async (app, { db, context, config, queryChain }) => {
  const { collection } = context.contracts
  const isOurs = (contract: string) => contract.toLowerCase() === collection.toLowerCase()

  registerRoute(app, api.getCollectionMetadata, async (request, reply) => {
    if (!isOurs(request.params.contract)) throw tokenNotFound()
    const naming = await queryChain(context.node.collectionNaming)
    reply.headers({ 'cache-control': 'public, max-age=300' })
    return {
      ...naming,
      description: `${config.store.name}: ${config.store.tagline}`,
      image: `${config.publicUrl}${STORE_ICON}`,
      external_link: config.publicUrl,
    }
  })

  /** The target of the token URI (ERC-721 metadata). */
  registerRoute(app, api.getTokenMetadata, async (request, reply) => {
    const { contract, identifier } = request.params
    if (!isOurs(contract)) throw tokenNotFound()
    const mint = await findMintOfToken(db, collection, identifier)
    if (!mint) throw tokenNotFound()
    const artist = await findAccount(db, mint.creatorId)

    reply.headers({ 'cache-control': 'public, max-age=300' })
    return {
      name: mint.name,
      description: mint.description,
      external_url: `${config.publicUrl}${itemPath({ ownerUsername: null, contract: collection, identifier })}`,
      image: `${config.publicUrl}${imagePath(mint.file)}`,
      image_sha256: mint.sha256,
      attributes: [
        { trait_type: 'Category', value: mint.category },
        ...(artist && !artist.deletedAt ? [{ trait_type: 'Artist', value: artist.username }] : []),
      ],
    }
  })
}
