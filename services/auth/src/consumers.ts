import { unusualPriceListed } from '@nifty/events/catalog'
import { tokenMoved, withdrawalRequested } from '@nifty/events/minting'
import { orderLineAuthorised, orderLineCompleted, orderLineReleased, orderLineWrittenOff } from '@nifty/events/payments'
import { on, type Subscription } from '@nifty/service-kit/messaging/inbox'
import { alertOwner } from './accounts/account.actions.ts'
import { lockAccount } from './accounts/account.store.ts'
import type { MailConfig } from './config.ts'
import type { Database } from './db.ts'
import { completeLine, releaseLine, saveCustody, saveOpenLine } from './obligations/obligation.store.ts'

/** Only owners and operators change accounts: what is consumed causes mails, or is what the store owes an account. */
export const createSubscriptions = ({ mailTokenKey }: MailConfig): Subscription<Database>[] => [
  on(withdrawalRequested, async (trx, { userId, wallet }) => {
    const account = await lockAccount(trx, userId)
    if (account) await alertOwner(trx, account, { what: 'withdrawal_requested', to: wallet }, mailTokenKey)
  }),
  on(unusualPriceListed, async (trx, { userId, name, priceCents, formerCents }) => {
    const account = await lockAccount(trx, userId)
    if (account) await alertOwner(trx, account, { what: 'unusual_price', name, priceCents, formerCents }, mailTokenKey)
  }),
  on(tokenMoved, (trx, { token, contract, identifier, ownerId, wallet, position }) =>
    saveCustody(trx, { token, contract, identifier, ownerId, wallet, position }),
  ),
  on(orderLineAuthorised, saveOpenLine),
  on(orderLineCompleted, completeLine),
  on(orderLineWrittenOff, completeLine),
  on(orderLineReleased, releaseLine),
]
