import type { DeliveredTokens } from '@nifty/api/minting/ops'
import type { Kysely } from 'kysely'
import { keyOf } from '../chain/keys.ts'
import type { Database } from '../db.ts'

/** Final sales of this database, and deliveries and tokens of the chain that it has no line or mint for. */
export async function listDeliveredTokens(db: Kysely<Database>): Promise<DeliveredTokens> {
  const final = await db
    .selectFrom('delivery')
    .select('lineId')
    .where('kind', '=', 'sale')
    .where('state', '=', 'final')
    .execute()
  const unexpected = await db.selectFrom('unexpectedDelivery').selectAll().orderBy('block').execute()
  const unknown = await db.selectFrom('token').select('token').where('mintId', 'is', null).orderBy('token').execute()
  const known = new Set(final.map(({ lineId }) => keyOf(lineId)))
  return {
    final: final.map(({ lineId }) => lineId),
    // The order's event may have arrived after its delivery.
    unexpectedDeliveries: unexpected
      .filter(({ lineKey }) => !known.has(lineKey))
      .map(({ lineKey, token, recipient, txHash, at }) => ({
        ...{ lineKey, token, recipient, txHash },
        at: at.toISOString(),
      })),
    unknownTokens: unknown.map(({ token }) => token),
  }
}
