import { listRebuiltOrders } from '@nifty/api/payments/rebuilt-orders'
import { plural } from '@nifty/api/plural'
import type { Command } from './command.ts'
import { euros } from './format.ts'

/** What no other system has: it cannot be listed, so an operator has to compare. */
const unlisted = [
  'CHECK accounts: sign-ups, changes, suspensions and deletions since the backup are undone.',
  'CHECK decisions: who bears a refund or dispute, and states of signers, are as in the backup; see `pnpm ops status` and `pnpm ops signers list`.',
  'CHECK mails: those queued at the time of the backup, and those of the orders above, may arrive twice.',
  'CHECK market: listings, prices and hidden items are as in the backup; a work that was sold since shows no price in its history.',
]

export const restoredCommand: Command = {
  usage: '',
  about: 'after a restore: prints the orders that were rebuilt, and what could not come back',
  run: async (store) => {
    const { orders, unknownAccounts, unknownTokens, newestPayoutAt } = await store.payments(listRebuiltOrders)
    const nameOf = new Map(orders.flatMap(({ works }) => works.map(({ token, name }) => [token, name])))
    return [
      ...orders.map(
        ({ _id, createdAt, state, total, captured, works }) =>
          `REBUILT order ${_id} of ${createdAt}: ${state}, ${euros(captured)} of ${euros(total)} captured (${works.map(({ name }) => name).join(', ')})`,
      ),
      ...unknownAccounts.map(
        ({ userId, name, email }) =>
          `LOST account ${userId}${email ? `, paid as ${name ?? 'unnamed'} <${email}>` : ', a seller or creator'}`,
      ),
      ...unknownTokens.map(
        (token) =>
          `LOST work ${token}${nameOf.has(token) ? ` "${nameOf.get(token)}"` : ''}: the chain has its owner, and minting neither its description nor its image's file name`,
      ),
      `CHECK payouts: the newest one recorded is of ${newestPayoutAt ?? 'no date at all'}; compare later ones with the bank's statement.`,
      ...unlisted,
      `${plural(orders.length, 'order')} rebuilt, ${plural(unknownAccounts.length, 'account')} and ${plural(unknownTokens.length, 'work')} lost.`,
    ].join('\n')
  },
}
