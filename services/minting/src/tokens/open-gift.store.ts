import { conflict } from '@nifty/service-kit/base/errors'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'

type Of = { token: string; userId: string }

/** Whether this account gives the token away, and it is not accepted yet: it stays in custody until then. */
export const giftIsOpen = ({ token, userId }: Of) =>
  sql<boolean>`exists (select from gift where token = ${token} and giver_id = ${userId} and state in ('bought', 'offered'))`

export async function isGiftOpen(db: Kysely<Database>, of: Of): Promise<boolean> {
  const { rows } = await sql<{ isOpen: boolean }>`select ${giftIsOpen(of)} as is_open`.execute(db)
  return rows[0]!.isOpen
}

export const giftWaits = () =>
  conflict('gift_waits', 'This work is a gift that waits for its recipient. Please take it back first.')
