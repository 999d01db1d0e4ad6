import { extname } from 'node:path'
import { getOriginal } from '@nifty/api/minting/public'
import { originalFileName } from '@nifty/api/work-image'
import { forbidden } from '@nifty/service-kit/base/errors'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { fileHeaders } from '../images/image.ts'
import { getToken, tokenNotFound } from '../tokens/token.store.ts'
import { findMint } from './mint.store.ts'

/** The file of a work for its owner. */
export const originalRoutes: FastifyPluginAsync<Deps> = async (app, { db, context, images }) => {
  registerRoute(app, getOriginal, async (request, reply) => {
    const { ownerId, mintId } = await getToken(context, request.params)
    if (ownerId !== callerOf(request).userId) throw forbidden('not_owner', 'Forbidden')
    const mint = mintId === null ? undefined : await findMint(db, mintId)
    const master = mint && (await images.openMaster(mint.file))
    if (!master) throw tokenNotFound()

    return reply
      .headers({
        ...fileHeaders,
        'content-type': `image/${master.format}`,
        'content-length': master.size,
        'content-disposition': contentDisposition(originalFileName(mint.name, extname(mint.file).slice(1))),
        'cache-control': 'no-store',
      })
      .send(master.stream)
  })
}
