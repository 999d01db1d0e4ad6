import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { voidAuction } from '@nifty/api/catalog/auction-search'
import { beginBid, placeBid } from '@nifty/api/catalog/bids'
import type { Nft } from '@nifty/api/catalog/public'
import { createServiceClient } from '@nifty/service-kit/http/client'
import { operatorCredential } from '@nifty/service-kit/http/operator-token'
import { serviceCredential, serviceKeys } from '@nifty/service-kit/http/service-keys'
import type { ApiClient } from '@nifty/testkit/api-client'
import { startAuction } from '@nifty/testkit/auctions'
import { query } from '../cluster/postgres.ts'
import { whileStopped } from '../processes/while-stopped.ts'
import { forEachAtOnce } from '../run/at-once.ts'

const OPENING_CENTS = 50
const HOLD_MS = 7 * 86_400_000
/** Bids whose pages are open at the same time. */
const BEGUN = 50

/** Clients of catalog: as payments, and as an operator. */
export async function catalogOf(folder: string) {
  const read = async (file: string) => JSON.parse(await readFile(join(folder, file), 'utf8'))
  const { internalUrls, operator } = await read('operator.json')
  const key = serviceKeys('payments', (await read('secrets.json')).internalSecret).PAYMENTS_TO_CATALOG_KEYS!
  const common = { url: internalUrls.catalog, name: 'catalog', timeoutMs: 30_000 }
  return {
    payments: createServiceClient({ ...common, credential: serviceCredential(key) }),
    operator: createServiceClient({ ...common, credential: operatorCredential(operator) }),
  }
}

export type Catalog = Awaited<ReturnType<typeof catalogOf>>

type Decided = {
  catalog: Catalog
  seller: ApiClient
  postgresUrl: string
  count: number
  atOnce: number
  /** Processes that are stopped while bids are decided. */
  stopped: number[]
}

/**
 * Places `count` bids in an auction of its own by the requests that payments sends, each of which takes the lead or
 * raises the price, and returns how many stood a second, with `atOnce` under way at the same time. Pages are opened
 * before, in groups, and do not count. Throws when less than nine tenths stood.
 */
export async function decideBids(work: Nft, { catalog, seller, postgresUrl, count, atOnce, stopped }: Decided) {
  const { _id: auctionId } = await startAuction(seller, work, OPENING_CENTS / 100)
  const limits = risingLimits(count)
  const body = { captureBefore: new Date(Date.now() + HOLD_MS).toISOString() }
  let ms = 0
  try {
    while (limits.length > 0) {
      const bids = limits.splice(0, BEGUN).map((limitCents) => newBid(work, limitCents))
      // As many as afterwards: their connections are kept, and requests over them arrive in the order of the bids.
      await forEachAtOnce(bids, atOnce, (bid) => catalog.payments(beginBid, { body: bid }))
      ms += await whileStopped(stopped, async () => {
        const began = performance.now()
        await forEachAtOnce(bids, atOnce, ({ orderId }) => catalog.payments(placeBid, { params: { orderId }, body }))
        return performance.now() - began
      })
    }
    const [stood] = await query<{ count: number }>(
      postgresUrl,
      'select count(*)::int as count from bid where auction_id = $1 and stood_at is not null',
      { database: 'catalog', values: [auctionId] },
    )
    // One that arrives after higher ones may be too low by then: it does not count.
    if (stood!.count < count * 0.9) throw new Error(`only ${stood!.count} of ${count} bids stood`)
    return (stood!.count * 1_000) / ms
  } finally {
    await catalog.operator(voidAuction, { params: { id: auctionId }, body: { reason: 'the end of a measurement' } })
  }
}

const newBid = ({ _id: itemId }: Nft, limitCents: number) => ({
  orderId: randomUUID(),
  kind: 'bid' as const,
  itemId,
  buyerId: randomUUID(),
  buyerWallet: null,
  limitCents,
  days: null,
  sure: true,
})

/**
 * Each is two steps above the one before, so that it is enough also when the next one is decided first. Throws for more
 * than an auction can have.
 */
function risingLimits(count: number): number[] {
  const limits = [OPENING_CENTS]
  while (limits.length < count) limits.push(stepAbove(stepAbove(limits.at(-1)!)))
  if (limits.at(-1)! > 99_999_999) throw new Error(`no auction has ${count} bids`)
  return limits
}

const stepAbove = (cents: number) => cents + Math.max(100, Math.ceil(cents / 2_000) * 100)
