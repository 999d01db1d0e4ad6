import * as api from '@nifty/api/minting/ops'
import { checkedAddress } from '@nifty/contracts/address'
import { invalid } from '@nifty/service-kit/base/errors'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { actionOf } from '@nifty/service-kit/http/signed-requests'
import type { FastifyPluginAsync } from 'fastify'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { findGiftsBy } from '../gifts/gift.store.ts'
import { viewForOperator } from '../gifts/gift.ts'
import { findHandBack, handBackWorks } from '../withdrawals/hand-back.ts'
import type { WithdrawalRules } from '../withdrawals/withdrawal.actions.ts'
import { toResponse } from '../withdrawals/withdrawal.ts'
import { closeFindingOf } from './close-finding.ts'
import { resumeSigner } from './resume-signer.ts'
import { retryDelivery } from './retry-delivery.ts'
import { setSignerState } from './set-signer-state.ts'
import { readSigners } from './signer-status.ts'
import { readStatus } from './status.ts'

const LISTED_GIFTS = 100

/** For `pnpm ops`; only on the internal port. */
export const opsRoutes: FastifyPluginAsync<{ context: ChainContext; rules: WithdrawalRules }> = async (
  app,
  { context, rules },
) => {
  registerRoute(app, api.getStatus, async () => readStatus(context))

  registerRoute(app, api.retryDelivery, async (request) => retryDelivery(context, actionOf(request)))

  registerRoute(app, api.listSigners, async () => {
    const { chainId, contracts } = context
    return { chainId, ...contracts, signers: await readSigners(context) }
  })

  registerRoute(app, api.setSignerState, async (request) => {
    await setSignerState(context, { ...actionOf(request), address: addressOf(request.body) })
    return { success: true as const }
  })

  registerRoute(app, api.closeFinding, async (request) => {
    await closeFindingOf(context.db, actionOf(request))
    return { success: true as const }
  })

  registerRoute(app, api.findHandBack, async ({ body }) => {
    const { userId, deletedAt, from } = await findHandBack(context.db, body.code)
    return { userId, deletedAt: deletedAt.toISOString(), from: from.toISOString() }
  })

  registerRoute(app, api.handBackWorks, async (request) => {
    const wallet = addressOf({ address: request.body.wallet })
    if (rules.forbiddenRecipients.includes(wallet.toLowerCase()))
      throw invalid('invalid_address', 'Works are not handed back to this address')
    const withdrawals = await handBackWorks(context.db, { ...actionOf(request), wallet }, rules)
    return { withdrawals: withdrawals.map((withdrawal) => toResponse(withdrawal, context.contracts.collection)) }
  })

  registerRoute(app, api.findGifts, async ({ params }) => ({
    gifts: (await findGiftsBy(context.db, params.id, LISTED_GIFTS)).map(viewForOperator),
  }))

  registerRoute(app, api.resumeSigner, async (request) =>
    resumeSigner(context, { ...actionOf(request), address: addressOf(request.body) }),
  )
}

/** Checksummed, as signers are stored. */
function addressOf(body: { address: string }): string {
  const address = checkedAddress(body.address)
  if (!address) throw invalid('invalid_address', 'This is not an address, or its checksum is wrong')
  return address
}
