import type { Database } from '@nifty/catalog/db'
import { readMarketQuery } from '@nifty/catalog/market/market'
import { findMarket } from '@nifty/catalog/market/market.store'
import { inSnapshot } from '@nifty/service-kit/transaction'
import type { Kysely } from 'kysely'

/** Time of a market query that is in no cache, ms. */
export async function timeQuery(db: Kysely<Database>, params: Record<string, string>): Promise<number> {
  const query = readMarketQuery(params)
  const began = performance.now()
  await inSnapshot(db, (snapshot) => findMarket(snapshot, query))
  return performance.now() - began
}
