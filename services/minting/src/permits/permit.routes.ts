import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/minting'
import { invalid } from '@nifty/service-kit/errors'
import type { Deps } from '../app.ts'
import { findOwnToken, typedDataFor } from './permit.actions.ts'
import { savePermit } from './permit.store.ts'
import { assertMayPermit, isUsefulDeadline } from './permit.ts'

export const permitRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, { lane, authenticate, asking }) => {
  app.get('/api/permits/:contract/:identifier', { schema: api.permitRequest }, async (request) => {
    const { userId } = await authenticate(request)
    const { contract, identifier } = request.params
    const token = await findOwnToken(lane, contract, identifier)
    assertMayPermit(token, userId)
    const { typedData, deadline } = await asking(() => typedDataFor(lane, token.token))
    return { typedData, deadline: deadline.toISOString() }
  })

  app.post('/api/permits', { schema: api.createPermit }, async (request) => {
    const { userId } = await authenticate(request)
    const { contract, identifier, signature } = request.body
    const token = await findOwnToken(lane, contract, identifier)
    assertMayPermit(token, userId)
    const deadline = new Date(request.body.deadline)
    if (Number.isNaN(deadline.getTime()) || !isUsefulDeadline(deadline, new Date()))
      throw invalid('invalid_deadline', 'The permit must end within a year')
    if (!/^0x([0-9a-f]{2}){1,148}$/i.test(signature)) throw notSigned()

    const seconds = deadline.getTime() / 1000
    const { nonce, holder, accepted } = await asking(async () => ({
      nonce: (await typedDataFor(lane, token.token, deadline)).nonce,
      holder: (await lane.node.holderOf(BigInt(token.identifier)))?.toLowerCase(),
      accepted: await lane.node.acceptsPermit(BigInt(token.identifier), { deadline: seconds, signature }),
    }))
    if (!accepted || holder !== token.wallet) throw notSigned()
    await savePermit(lane.db, { token: token.token, wallet: holder!, nonce: String(nonce), deadline, signature })
    return { success: true as const }
  })
}

const notSigned = () => invalid('invalid_signature', 'This is not the signature of the wallet that holds the NFT')
