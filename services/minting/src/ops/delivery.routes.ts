import * as api from '@nifty/api/minting/deliveries'
import { notFound } from '@nifty/service-kit/base/errors'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { attemptsOf, findTransaction } from '../chain-transactions/chain-transaction.store.ts'
import type { Row } from '../db.ts'
import { countDeliveriesOf, deliveriesOfState, findDelivery } from '../deliveries/delivery.store.ts'
import { openMints } from '../mints/mint.store.ts'

/** For operators; only on the internal port. */
export const opsDeliveryRoutes: FastifyPluginAsync<{ context: ChainContext }> = async (app, { context }) => {
  const { db } = context

  registerRoute(app, api.listDeliveries, async ({ query: { state, after = null } }) => {
    const found = await deliveriesOfState(db, { state, after, limit: api.DELIVERIES_PAGE + 1 })
    const deliveries = found.slice(0, api.DELIVERIES_PAGE).map(toView)
    return { deliveries, next: found.length > deliveries.length ? deliveries.at(-1)!.lineId : null }
  })

  registerRoute(app, api.listOpenMints, async () => ({
    mints: (await openMints(db, api.DELIVERIES_PAGE)).map(({ id, name, creatorId, state, createdAt, attemptHash }) => ({
      mintId: id,
      name,
      creatorId,
      state: state as api.OpenMint['state'],
      txHash: attemptHash,
      createdAt: createdAt.toISOString(),
    })),
  }))

  registerRoute(app, api.getDelivery, async ({ params }) => {
    const delivery = await findDelivery(db, params.lineId)
    if (!delivery) throw notFound('delivery_not_found', 'No such delivery')
    const { transactionId } = delivery
    return {
      ...toView(delivery),
      transaction: transactionId === null ? null : await readTransaction(context, transactionId),
    }
  })
}

const toView = ({ lineId, kind, state, orderId, itemId, token, buyerId, wallet, ...delivery }: Row<'delivery'>) => ({
  lineId,
  kind,
  state,
  orderId,
  itemId,
  token,
  buyerId,
  wallet,
  deliverBy: delivery.deliverBy?.toISOString() ?? null,
  reason: delivery.reason,
  note: delivery.note,
  txHash: delivery.txHash,
  block: delivery.block,
  createdAt: delivery.createdAt.toISOString(),
  changedAt: delivery.changedAt.toISOString(),
})

async function readTransaction({ db, node }: ChainContext, id: string) {
  const { signer, nonce, state, outcome, minedHash } = await findTransaction(db, id)
  const attempts = await attemptsOf(db, [id])
  const fee = minedHash === null ? null : await node.feeOf(minedHash).catch(() => null)
  return {
    signer,
    nonce,
    state,
    outcome,
    attempts: attempts.map(({ hash, kind, maxFeePerGas, maxPriorityFeePerGas, createdAt }) => ({
      hash,
      kind,
      maxFeePerGas,
      maxPriorityFeePerGas,
      at: createdAt.toISOString(),
    })),
    deliveries: await countDeliveriesOf(db, id),
    feeWei: fee?.toString() ?? null,
  }
}
