import type { DeliveredTokens } from '@nifty/api/minting'
import type { Kysely } from 'kysely'
import { keyOf } from '../chain/keys.ts'
import type { Database } from '../db.ts'

/** What has arrived by the chain's word: sales that were asked for, and what nobody here asked for. */
export async function deliveredTokens(db: Kysely<Database>): Promise<DeliveredTokens> {
  const final = await db
    .selectFrom('delivery')
    .select('lineId')
    .where('kind', '=', 'sale')
    .where('state', '=', 'final')
    .execute()
  const strays = await db.selectFrom('strayDelivery').selectAll().orderBy('block').execute()
  const unknown = await db.selectFrom('token').select('token').where('mintId', 'is', null).orderBy('token').execute()
  const known = new Set(final.map(({ lineId }) => keyOf(lineId)))
  return {
    final: final.map(({ lineId }) => lineId),
    // A line may be heard of after all: events are sent again.
    strays: strays
      .filter(({ lineKey }) => !known.has(lineKey))
      .map(({ lineKey, token, recipient, txHash, at }) => ({
        ...{ lineKey, token, recipient, txHash },
        at: at.toISOString(),
      })),
    unknownTokens: unknown.map(({ token }) => token),
  }
}
