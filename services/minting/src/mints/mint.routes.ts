import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/minting'
import { invalid, notFound } from '@nifty/service-kit/errors'
import { multipartForms } from '@nifty/service-kit/uploads'
import { findAccount } from '../accounts/account.store.ts'
import type { Deps } from '../deps.ts'
import { acceptMint } from './accept-mint.ts'
import { readMintForm } from './mint.form.ts'
import { findOwnMint, listOwnMints } from './mint.store.ts'
import { assertMayMint, toResponse } from './mint.ts'

const LISTED_MINTS = 200

export const mintRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, deps) => {
  const { db, context, authenticate, config } = deps
  const contract = context.contracts.collection
  await app.register(multipartForms)

  app.post('/api/mints', { schema: api.createMint }, async (request, reply) => {
    const { userId } = await authenticate(request)
    // Checked before the body is read: only creators may make the service receive 20 MB.
    assertMayMint(await findAccount(db, userId))
    const idempotencyKey = parseIdempotencyKey(request.headers['idempotency-key'])
    const form = await readMintForm(request, config.uploadWithinMs)
    const mint = await acceptMint({ ...deps, contract }, { id: randomUUID(), creatorId: userId, idempotencyKey, form })
    return reply.code(202).send(toResponse(mint))
  })

  app.get('/api/mints', { schema: api.mints }, async (request) => {
    const { userId } = await authenticate(request)
    return { mints: (await listOwnMints(db, userId, LISTED_MINTS)).map(toResponse) }
  })

  app.get('/api/mints/:id', { schema: api.mint }, async (request) => {
    const { userId } = await authenticate(request)
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
