import type { Work } from '../chain-transactions/chain-context.ts'
import { failDelivery, requeueDelivery } from './delivery.actions.ts'
import { lockDeliveriesOf, lockOverdueOf } from './delivery.store.ts'

/** What the outcome of a transaction means for the deliveries in it. */
export const deliveryWork: Work = {
  lockOpen: async (trx, transactionId) => (await lockDeliveriesOf(trx, transactionId)).length > 0,

  /** A single delivery fails. A batch reverts as a whole without trying its lines, so each is sent on its own. */
  reverted: async (trx, transactionId) => {
    const deliveries = await lockDeliveriesOf(trx, transactionId)
    const [only, ...others] = deliveries
    if (only && others.length === 0) await failDelivery(trx, only, { reason: 'reverted' })
    else for (const delivery of deliveries) await requeueDelivery(trx, delivery, { alone: true })
  },

  /** The delivery worker signs them again under a new nonce, and fails those past their deadline. */
  cancelled: async (trx, transactionId) => {
    for (const delivery of await lockDeliveriesOf(trx, transactionId)) await requeueDelivery(trx, delivery, {})
  },

  /** They are not signed again: `unsigned.worker.ts` fails them, which needs no signer. */
  overdue: async (trx, transactionId) => {
    for (const delivery of await lockOverdueOf(trx, transactionId)) await requeueDelivery(trx, delivery, {})
  },
}
