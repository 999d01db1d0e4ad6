import type {
  orderLineAuthorised,
  orderLineCompleted,
  orderLineRefunded,
  orderLineReleased,
} from '@nifty/events/payments'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../db.ts'
import { queueLetter } from '../mails/mail.actions.ts'
import { eraseContacts, findContact } from '../recipients/recipient.store.ts'
import { purchased, refunded, released, sold } from './sale.templates.ts'

type Trx = Transaction<Database>
type Line = { lineId: string; buyerId: string; sellerId: string }

const orderUrl = (publicUrl: string, orderId: string) => `${publicUrl}/purchase-thanks?order=${orderId}`

/** Money is held: whoever deletes an account now is still told how the line ends. */
export async function openLine(trx: Trx, { lineId, buyerId, sellerId }: Static<typeof orderLineAuthorised.data>) {
  await trx
    .insertInto('openLine')
    .values({ lineId, buyerId, sellerId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function closeLine(trx: Trx, { lineId, buyerId, sellerId }: Line) {
  await trx.deleteFrom('openLine').where('lineId', '=', lineId).execute()
  await eraseContacts(trx, [buyerId, sellerId])
}

/** Auth's word on this person may still be on its way: the message waits for it and is tried again. */
async function contactOf(trx: Trx, userId: string) {
  const contact = await findContact(trx, userId)
  if (!contact) throw new Error(`account ${userId} is not known here yet`)
  return contact
}

export async function tellCompleted(trx: Trx, event: Static<typeof orderLineCompleted.data>, publicUrl: string) {
  const buyer = await contactOf(trx, event.buyerId)
  await queueLetter(trx, {
    template: 'purchased',
    subjectId: event.lineId,
    recipient: buyer.email,
    letter: purchased(buyer, { line: event, txHash: event.txHash, orderUrl: orderUrl(publicUrl, event.orderId) }),
  })
  const seller = await findContact(trx, event.sellerId)
  if (seller?.wantsMessages)
    await queueLetter(trx, {
      template: 'sold',
      subjectId: event.lineId,
      recipient: seller.email,
      letter: sold(seller, { line: event, sellerCents: event.sellerCents, studioUrl: `${publicUrl}/studio` }),
    })
  await closeLine(trx, event)
}

/** A page that was left without paying is no news. Money that was held is. */
export async function tellReleased(trx: Trx, event: Static<typeof orderLineReleased.data>, publicUrl: string) {
  if (event.moneyWasHeld) {
    const buyer = await contactOf(trx, event.buyerId)
    await queueLetter(trx, {
      template: 'released',
      subjectId: event.lineId,
      recipient: buyer.email,
      letter: released(buyer, { line: event, reason: event.reason, homeUrl: `${publicUrl}/explore-one` }),
    })
  }
  await closeLine(trx, event)
}

export async function tellRefunded(trx: Trx, event: Static<typeof orderLineRefunded.data>, publicUrl: string) {
  const buyer = await findContact(trx, event.buyerId)
  if (!buyer) return
  await queueLetter(trx, {
    template: 'refunded',
    subjectId: event.lineId,
    recipient: buyer.email,
    letter: refunded(buyer, {
      line: event,
      refundedCents: event.refundedCents,
      orderUrl: orderUrl(publicUrl, event.orderId),
    }),
  })
}
