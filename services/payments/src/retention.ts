import type { Kysely } from 'kysely'
import { eraseSettledPayees } from './books/payee.store.ts'
import type { Database } from './db.ts'
import { deleteOldNetworks, eraseReleasedGifts } from './purchases/purchase.store.ts'
import { deleteOldEvents } from './webhooks/webhook.store.ts'

/** Deletes what is needed no more. The schedule is uncritical. */
export async function deleteExpired(db: Kysely<Database>) {
  await eraseSettledPayees(db)
  await deleteOldEvents(db)
  await deleteOldNetworks(db)
  await eraseReleasedGifts(db)
}
