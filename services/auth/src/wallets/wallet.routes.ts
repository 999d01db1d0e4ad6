import * as api from '@nifty/api/auth/public'
import { accessDenied } from '@nifty/service-kit/base/errors'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { challengeWallet, linkWallet } from './wallet.actions.ts'
import { parseWallet } from './wallet.address.ts'
import { verifyProof } from './wallet.challenge.ts'
import { invalidProof, proofRequired } from './wallet.ts'

export const walletRoutes: FastifyPluginAsync<Deps> = async (app, { db, config, contractWallets }) => {
  registerRoute(app, api.walletChallenge, async (request) => {
    const { userId } = callerOf(request)
    const address = parseWallet(request.body.address, config.deniedWallets)
    return inTransaction(db, (trx) => challengeWallet(trx, config, { userId, address }))
  })
  registerRoute(app, api.connectMetamask, async (request) => {
    const { userId } = callerOf(request)
    const { metamaskAddress, message, signature } = request.body
    if (request.body.userId !== userId) throw accessDenied()
    const address = parseWallet(metamaskAddress, config.deniedWallets)
    if ((message === undefined) !== (signature === undefined)) throw invalidProof()
    const proof = message !== undefined && signature !== undefined ? { message, signature } : undefined
    if (!proof && config.walletProofRequired) throw proofRequired()

    const signed = proof && (await verifyProof({ db, contractWallets }, { userId, address, purpose: 'link', proof }))
    const link = { userId, address, signed, mailTokenKeys: config.mailTokenKeys }
    const { replaced } = await inTransaction(db, (trx) => linkWallet(trx, link))
    const connected = 'MetaMask connected successfully!'
    const orders = 'Orders that are already placed still go to the wallet they were placed with.'
    return { success: true as const, message: replaced ? `${connected} ${orders}` : connected }
  })
}
