import { getMarket, type Nft } from '@nifty/api/catalog/public'
import { accountsOf, createApiClient } from '@nifty/testkit/api-client'
import type { RunFile } from '@nifty/testkit/run-file'
import { waitUntil } from '@nifty/testkit/wait-until'
import { query } from './postgres.ts'

const PRICE_CENTS = 12_000
const PAGE_SIZE = 200

/**
 * Adds works for sale that the store keeps for the demo's first creator: accepted mints with a price, without images.
 * The store mints and lists them as any other; resolves when all are on the market.
 */
export async function addWorks({ run, postgresUrl }: { run: RunFile; postgresUrl: string }, count: number) {
  const client = createApiClient(run)
  const total = async () =>
    (await client.send(getMarket, { query: { page: '1', limit: '1', buyOption: 'now' } })).body.total
  const before = await total()
  const { userId } = accountsOf(run, 'creator')[0]!
  await query(
    postgresUrl,
    `insert into mint (id, creator_id, request_hash, name, description, category, price_cents, file, width, height, color,
       sha256, royalty_bps, contract)
     select id, $1, id, 'Bench ' || n, 'A work that a benchmark added.', 'Art', $2, id || '.webp', 800, 600, '#112233',
       repeat('ab', 32), 500, $3
     from (select n, gen_random_uuid() as id from generate_series(1, $4::int) n) ids`,
    { database: 'minting', values: [userId, PRICE_CENTS, run.contracts.collection, count] },
  )
  await waitUntil(async () => (await total()) >= before + count, { timeoutMs: 600_000, intervalMs: 500 })
}

/** All works that are for sale and not reserved. */
export async function worksForSale(run: RunFile): Promise<Nft[]> {
  const client = createApiClient(run)
  const works: Nft[] = []
  for (let page = 1; ; page++) {
    const { nfts } = (
      await client.send(getMarket, { query: { page: `${page}`, limit: `${PAGE_SIZE}`, buyOption: 'now' } })
    ).body
    works.push(...nfts.filter(({ reserved }) => !reserved))
    if (nfts.length < PAGE_SIZE) return works
  }
}
