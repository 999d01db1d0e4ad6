import { inTransaction } from '@nifty/service-kit/database/transaction'
import type { Kysely } from 'kysely'
import type { Database } from '../db.ts'
import { endOffer } from '../offers/offer.actions.ts'
import { findDueOffer } from '../offers/offer.store.ts'
import { lockOffer } from './bid.actions.ts'

export const isOfferDue = async (db: Kysely<Database>) => (await findDueOffer(db)) !== undefined

/** Ends an offer whose time is over, unless it was accepted or ended meanwhile. Returns whether there was one. */
export async function endDueOffer(db: Kysely<Database>): Promise<boolean> {
  const due = await findDueOffer(db)
  if (!due) return false
  await inTransaction(db, async (trx) => {
    const locked = await lockOffer(trx, due.orderId)
    const isSame = locked?.offer.state === (due.why === 'expired' ? 'open' : 'started')
    if (locked && isSame) await endOffer(trx, locked.item, locked.offer, { why: due.why, at: locked.now })
  })
  return true
}
