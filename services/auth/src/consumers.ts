import { withdrawalRequested } from '@nifty/events/minting'
import { on, type Subscription } from '@nifty/service-kit/messaging/inbox'
import { alertOwner } from './accounts/account.actions.ts'
import { lockAccount } from './accounts/account.store.ts'
import type { MailConfig } from './config.ts'
import type { Database } from './db.ts'

/** Only owners and operators change accounts: what is consumed only causes mails. */
export const createSubscriptions = ({ mailTokenKey }: MailConfig): Subscription<Database>[] => [
  on(withdrawalRequested, async (trx, { userId, wallet }) => {
    const account = await lockAccount(trx, userId)
    if (account) await alertOwner(trx, account, { what: 'withdrawal_requested', to: wallet }, mailTokenKey)
  }),
]
