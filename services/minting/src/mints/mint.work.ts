import type { Work } from '../chain-transactions/chain-context.ts'
import { requeueMint } from './mint.actions.ts'
import { lockMintsOf, updateMint } from './mint.store.ts'

/** What the outcome of a transaction means for the mints in it. */
export const mintWork: Work = {
  lockOpen: async (trx, transactionId) => (await lockMintsOf(trx, transactionId)).length > 0,

  /** A single mint fails. A batch reverts as a whole without trying its mints, so each is sent on its own. */
  reverted: async (trx, transactionId) => {
    const mints = await lockMintsOf(trx, transactionId)
    const [only, ...others] = mints
    if (only && others.length === 0) await updateMint(trx, only.id, { state: 'failed', failure: 'reverted' })
    else for (const { id } of mints) await requeueMint(trx, id, { alone: true })
  },

  cancelled: async (trx, transactionId) => {
    for (const { id } of await lockMintsOf(trx, transactionId)) await requeueMint(trx, id, {})
  },

  /** A mint has no deadline. */
  overdue: async () => {},
}
