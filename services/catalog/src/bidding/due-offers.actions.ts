import { inTransaction } from '@nifty/service-kit/database/transaction'
import type { Kysely } from 'kysely'
import type { Database } from '../db.ts'
import { endOffer } from '../offers/offer.actions.ts'
import { findDueOffers } from '../offers/offer.store.ts'
import { lockOffer } from './bid.actions.ts'
import { DUE_AT_ONCE, eachDue } from './each-due.ts'

export const isOfferDue = async (db: Kysely<Database>) => (await findDueOffers(db, 1)).length > 0

/** Ends offers whose time is over, unless they were accepted or ended meanwhile. Returns whether there were any. */
export async function endDueOffers(db: Kysely<Database>): Promise<boolean> {
  const due = await findDueOffers(db, DUE_AT_ONCE)
  await eachDue(due, ({ orderId, why }) =>
    inTransaction(db, async (trx) => {
      const locked = await lockOffer(trx, orderId)
      const isSame = locked?.offer.state === (why === 'expired' ? 'open' : 'started')
      if (locked && isSame) await endOffer(trx, locked.item, locked.offer, { why, at: locked.now })
    }),
  )
  return due.length > 0
}
