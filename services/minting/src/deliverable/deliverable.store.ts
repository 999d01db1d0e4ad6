import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'
import { revertsTo } from '../deliveries/delivery.store.ts'
import { paymentIsContested } from '../tokens/contested-line.store.ts'
import { giftIsOpen } from '../tokens/open-gift.store.ts'

type Obstacles = { isGiftOpen: boolean; isContested: boolean; reverts: number }

/**
 * What the database has against selling the token of an account to a wallet (lower case; null: into custody).
 * One statement: each purchase needs it.
 */
export async function readObstacles(
  db: Kysely<Database>,
  { wallet, ...of }: { token: string; userId: string; wallet: string | null },
): Promise<Obstacles> {
  const { rows } = await sql<Obstacles>`
    select ${giftIsOpen(of)} as is_gift_open, ${paymentIsContested(of)} as is_contested,
      ${wallet === null ? sql`0` : revertsTo(wallet)} as reverts`.execute(db)
  return rows[0]!
}
