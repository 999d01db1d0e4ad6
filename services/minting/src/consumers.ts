import type { Contracts } from '@nifty/contracts/log'
import { accountChanged, accountDeleted, passwordReset } from '@nifty/events/auth'
import { itemDelisted, itemListed } from '@nifty/events/catalog'
import {
  orderLineAuthorised,
  orderLineCleared,
  orderLineCompleted,
  orderLineContested,
  orderLineRefunded,
  orderLineReleased,
  orderLineWrittenOff,
} from '@nifty/events/payments'
import { on, type Subscription } from '@nifty/service-kit/messaging/inbox'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import { removeLinksOf } from './certificates/certificate.store.ts'
import { applyAccountChange, applyAccountDeletion } from './chain-index/owner.actions.ts'
import type { Database } from './db.ts'
import { acceptDelivery, stopDelivery } from './deliveries/delivery.actions.ts'
import { setPaid } from './deliveries/delivery.store.ts'
import { addBoughtGift, endBoughtGift, endRefundedGift, endSoldGift, takeBackGiftsOf } from './gifts/gift.actions.ts'
import { applyDelisting, applyPasswordReset } from './permits/permit.actions.ts'
import { saveContestedLine } from './tokens/contested-line.store.ts'
import { contestToken, stopWithdrawalsAndClaims } from './withdrawals/withdrawal.actions.ts'
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
    if (!account.suspended) return
    await stopWithdrawalsAndClaims(trx, { userId: account.userId })
    await takeBackGiftsOf(trx, account.userId)
  }),
  on(accountDeleted, async (trx, account) => {
    await applyAccountDeletion(trx, account, contracts.collection)
    // A work that its deleted recipient has not got yet stays its giver's.
    await stopWithdrawalsAndClaims(trx, { userId: account.userId, only: 'claims' })
    await takeBackGiftsOf(trx, account.userId)
    await removeLinksOf(trx, account.userId)
  }),
  on(passwordReset, applyPasswordReset),
  on(orderLineAuthorised, async (trx, line) => {
    await acceptDelivery(trx, line, forbiddenRecipients)
    await endSoldGift(trx, line)
    await addBoughtGift(trx, line, line.gift)
  }),
  on(orderLineReleased, async (trx, { lineId }) => {
    await stopDelivery(trx, { lineId, whenSigned: 'cancel' })
    await endBoughtGift(trx, lineId)
  }),
  on(orderLineCompleted, finishSale),
  on(orderLineWrittenOff, finishSale),
  on(orderLineRefunded, endRefundedGift),
  on(orderLineContested, contestToken),
  on(orderLineCleared, async (trx, line) => void (await saveContestedLine(trx, line, 'cleared'))),
  on(itemListed, async (trx, { token }) => void (await setListed(trx, token))),
  on(itemDelisted, applyDelisting),
]

/** The job `gifts` mails the link of its gift. */
async function finishSale(
  trx: Transaction<Database>,
  line: Static<typeof orderLineCompleted.data> | Static<typeof orderLineWrittenOff.data>,
) {
  await setPaid(trx, line)
  await addBoughtGift(trx, line, line.giftTo)
}
