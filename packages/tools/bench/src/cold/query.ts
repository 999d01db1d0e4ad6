import type { Market } from '@nifty/api/catalog/public'
import type { Database } from '@nifty/catalog/db'
import { readMarketQuery } from '@nifty/catalog/market'
import { findMarket } from '@nifty/catalog/market.store'
import { inSnapshot } from '@nifty/service-kit/database/transaction'
import type { Kysely } from 'kysely'

/** A market query that is in no cache. */
export const runQuery = (db: Kysely<Database>, params: Record<string, string>): Promise<Market> =>
  inSnapshot(db, (snapshot) => findMarket(snapshot, readMarketQuery(params), { offers: true }))

/** Time of a market query that is in no cache, ms. */
export async function timeQuery(db: Kysely<Database>, params: Record<string, string>): Promise<number> {
  const began = performance.now()
  await runQuery(db, params)
  return performance.now() - began
}
