import * as api from '@nifty/api/minting/public'
import { invalid } from '@nifty/service-kit/base/errors'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { getToken } from '../tokens/token.store.ts'
import { createTypedData } from './permit.actions.ts'
import { findDeadline, savePermit } from './permit.store.ts'
import { assertMayPermit, isValidDeadline } from './permit.ts'

export const permitRoutes: FastifyPluginAsync<Deps> = async (app, { context, queryChain }) => {
  registerRoute(app, api.requestPermit, async (request) => {
    const { userId } = callerOf(request)
    const { contract, identifier } = request.params
    const token = await getToken(context, { contract, identifier })
    assertMayPermit(token, userId)
    const { typedData, deadline, nonce } = await queryChain(() => createTypedData(context, token.token))
    const stored = { token: token.token, ownerId: userId, wallet: token.wallet, nonce: String(nonce) }
    const validUntil = await findDeadline(context.db, stored)
    return { typedData, deadline: deadline.toISOString(), validUntil: validUntil?.toISOString() ?? null }
  })

  registerRoute(app, api.createPermit, async (request) => {
    const { userId } = callerOf(request)
    const { contract, identifier, signature } = request.body
    const token = await getToken(context, { contract, identifier })
    assertMayPermit(token, userId)
    const deadline = new Date(request.body.deadline)
    if (Number.isNaN(deadline.getTime()) || !isValidDeadline(deadline, new Date()))
      throw invalid('invalid_deadline', 'The permit must end within a year')
    if (!/^0x([0-9a-f]{2}){1,2048}$/i.test(signature)) throw invalidSignature()

    const seconds = deadline.getTime() / 1000
    const { nonce, holder, accepted } = await queryChain(async () => ({
      nonce: (await createTypedData(context, token.token, deadline)).nonce,
      holder: (await context.node.holderOf(BigInt(token.identifier)))?.toLowerCase(),
      accepted: await context.node.acceptsPermit(BigInt(token.identifier), { deadline: seconds, signature }),
    }))
    if (!accepted || holder !== token.wallet) throw invalidSignature()
    await savePermit(context.db, {
      token: token.token,
      ownerId: userId,
      wallet: holder!,
      nonce: String(nonce),
      deadline,
      signature,
    })
    return { success: true as const }
  })
}

const invalidSignature = () =>
  invalid('invalid_signature', 'This is not the signature of the wallet that holds the NFT')
