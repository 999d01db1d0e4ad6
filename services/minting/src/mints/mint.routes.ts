import { randomUUID } from 'node:crypto'
import * as api from '@nifty/api/minting/public'
import { invalid, notFound } from '@nifty/service-kit/base/errors'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import { createUploadPlaces } from '@nifty/service-kit/images/upload-places'
import { multipartForms } from '@nifty/service-kit/images/uploads'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { MAX_IMAGE_BYTES } from '../images/image.ts'
import { acceptMint } from './accept-mint.ts'
import { readMintForm } from './mint.form.ts'
import { findOwnMint, listOwnMints } from './mint.store.ts'
import { toResponse } from './mint.ts'

const LISTED_MINTS = 200

export const mintRoutes: FastifyPluginAsync<Deps> = async (app, deps) => {
  const { db, context } = deps
  const contract = context.contracts.collection
  const withPlace = createUploadPlaces({ maxBytes: MAX_IMAGE_BYTES })
  await app.register(multipartForms)

  registerRoute(app, api.createMint, async (request) => {
    const { userId } = callerOf(request)
    const idempotencyKey = parseIdempotencyKey(request.headers['idempotency-key'])
    const mint = await withPlace(userId, async (countBytes) => {
      const form = await readMintForm(request, countBytes)
      return acceptMint({ ...deps, contract }, { id: randomUUID(), creatorId: userId, idempotencyKey, form })
    })
    return toResponse(mint)
  })

  registerRoute(app, api.listMints, async (request) => {
    const { userId } = callerOf(request)
    return { mints: (await listOwnMints(db, userId, LISTED_MINTS)).map(toResponse) }
  })

  registerRoute(app, api.getMint, async (request) => {
    const { userId } = callerOf(request)
    const mint = await findOwnMint(db, { id: request.params.id, creatorId: userId })
    if (!mint) throw notFound('mint_not_found', 'NFT not found')
    return toResponse(mint)
  })
}

function parseIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  if (typeof header === 'string' && /^[\x21-\x7e]{1,200}$/.test(header)) return header
  throw invalid('invalid_idempotency_key', 'The Idempotency-Key must be 1 to 200 printable characters')
}
