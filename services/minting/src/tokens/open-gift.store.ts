import { conflict } from '@nifty/service-kit/base/errors'
import type { Kysely } from 'kysely'
import type { Database } from '../db.ts'

/** Whether this account gives the token away, and it is not accepted yet: it stays in custody until then. */
export async function isGiftOpen(db: Kysely<Database>, { token, userId }: { token: string; userId: string }) {
  const gift = await db
    .selectFrom('gift')
    .select('id')
    .where('token', '=', token)
    .where('giverId', '=', userId)
    .where('state', 'in', ['bought', 'offered'])
    .executeTakeFirst()
  return gift !== undefined
}

export const giftWaits = () =>
  conflict('gift_waits', 'This work is a gift that waits for its recipient. Please take it back first.')
