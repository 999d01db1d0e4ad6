import type { Contracts } from '@nifty/contracts/log'
import { accountChanged, accountDeleted, passwordReset } from '@nifty/events/auth'
import { itemDelisted, itemListed } from '@nifty/events/catalog'
import {
  orderLineAuthorised,
  orderLineCleared,
  orderLineCompleted,
  orderLineContested,
  orderLineReleased,
  orderLineWrittenOff,
} from '@nifty/events/payments'
import { on, type Subscription } from '@nifty/service-kit/messaging/inbox'
import { applyAccountChange, applyAccountDeletion } from './chain-index/owner.actions.ts'
import type { Database } from './db.ts'
import { acceptDelivery, stopDelivery } from './deliveries/delivery.actions.ts'
import { setPaid } from './deliveries/delivery.store.ts'
import { applyDelisting, applyPasswordReset } from './permits/permit.actions.ts'
import { saveContestedLine } from './tokens/contested-line.store.ts'
import { contestToken, stopWithdrawals } from './withdrawals/withdrawal.actions.ts'
import { setListed } from './withdrawals/withdrawal.store.ts'

export const createSubscriptions = ({
  contracts,
  forbiddenRecipients,
}: {
  contracts: Contracts
  forbiddenRecipients: string[]
}): Subscription<Database>[] => [
  on(accountChanged, async (trx, account) => {
    await applyAccountChange(trx, account, contracts.collection)
    if (account.suspended) await stopWithdrawals(trx, account.userId)
  }),
  on(accountDeleted, (trx, account) => applyAccountDeletion(trx, account, contracts.collection)),
  on(passwordReset, applyPasswordReset),
  on(orderLineAuthorised, (trx, line) => acceptDelivery(trx, line, forbiddenRecipients)),
  on(orderLineReleased, async (trx, { lineId }) => void (await stopDelivery(trx, { lineId, whenSigned: 'cancel' }))),
  on(orderLineCompleted, async (trx, line) => void (await setPaid(trx, line))),
  on(orderLineWrittenOff, async (trx, line) => void (await setPaid(trx, line))),
  on(orderLineContested, contestToken),
  on(orderLineCleared, async (trx, line) => void (await saveContestedLine(trx, line, 'cleared'))),
  on(itemListed, async (trx, { token }) => void (await setListed(trx, token))),
  on(itemDelisted, applyDelisting),
]
