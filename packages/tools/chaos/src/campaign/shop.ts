import { join } from 'node:path'
import { getMarket, type Nft, setPrice } from '@nifty/api/catalog/public'
import { demoDataset } from '@nifty/demo-data/dataset'
import { type ApiClient, accountsOf, createApiClient, logIn } from '@nifty/testkit/api-client'
import { openChain } from '@nifty/testkit/chain'
import { takeOffers } from '@nifty/testkit/offers'
import { type Auctioned, buyersOf } from '@nifty/testkit/purchase'
import type { RunFile } from '@nifty/testkit/run-file'
import { startStore } from '@nifty/testkit/store'
import { waitUntil } from '@nifty/testkit/wait-until'
import { endAuction } from './auctions.ts'
import type { Log } from './campaign.ts'

const PAGE = 200
const LISTING = { timeoutMs: 900_000, intervalMs: 1_000 }
const PRICE = 20

type Options = { log: Log; works: number; launcher?: 'cluster/main.ts'; extension?: string; env?: NodeJS.ProcessEnv }

/** A store for one campaign: `works` works, all for sale, and the demo collectors as buyers. */
export async function openShop({ log, works: wanted, launcher, extension, env }: Options) {
  const store = await startStore({ works: wanted, launcher, extension, env: { LOG_LEVEL: 'warn', ...env } })
  const chain = openChain(store.run)
  const close = async () => {
    chain.close()
    await store.stop()
  }
  try {
    log(`the store runs in ${store.folder}, its works are being minted`)
    const works = await listAll(store.run, wanted)
    log(`${works.length} works are for sale`)
    return { store, run: store.run, chain, works, buyers: await buyersOf(store.run), close }
  } catch (error) {
    await close()
    throw error
  }
}

export type Shop = Awaited<ReturnType<typeof openShop>>

type ClosingOptions = {
  violations: string[]
  log: Log
  /** Stops servers that the campaign started itself in the store's data directory. */
  stopServers?: () => Promise<void>
}

/** Stops the store. Its data directory is removed, or kept for analysis when there are violations. */
export async function closeShop({ store, close }: Shop, { violations, log, stopServers }: ClosingOptions) {
  await close()
  await stopServers?.()
  if (violations.length === 0) await store.remove()
  else log(`its logs are in ${join(store.folder, 'logs')}`)
}

/** Waits until all works are in the market, and lists those that are not for sale. */
export async function listAll(run: RunFile, wanted: number): Promise<Nft[]> {
  const client = createApiClient(run)
  const minted = await waitUntil(async () => {
    const works = await wholeMarket(client)
    return works.length >= wanted && works
  }, LISTING)
  for (const work of minted.filter(({ forSale }) => !forSale)) {
    const { contract, identifier } = work
    const owner = await logInOwner(run, work)
    await owner.send(setPrice, { params: { contract, identifier }, body: { price: PRICE, forSale: true } })
  }
  return (await wholeMarket(client)).filter(({ forSale }) => forSale)
}

/** The owners of these works take offers for them. Returns their clients by the ids of the works. */
export async function takeOffersFor(run: RunFile, works: Nft[]): Promise<Map<string, ApiClient>> {
  const owners = new Map<string, ApiClient>()
  for (const work of works) {
    const owner = await logInOwner(run, work)
    await takeOffers(owner, work)
    owners.set(work._id, owner)
  }
  return owners
}

export type Auctioneer = Omit<Auctioned, 'rival'>

/** The owners of these works, who sell them by auctions, by the ids of the works. */
export async function auctioneersOf({ run, store }: Pick<Shop, 'run' | 'store'>, works: Nft[]) {
  const auctioneers = new Map<string, Auctioneer>()
  for (const work of works)
    auctioneers.set(work._id, {
      seller: await logInOwner(run, work),
      end: (leading) => endAuction(store.folder, leading),
    })
  return auctioneers
}

/** Logs in the creator of the demo who owns the work. */
export function logInOwner(run: RunFile, { ownerUsername }: Nft): Promise<ApiClient> {
  const { email } = demoDataset().creators.find(({ username }) => `@${username}` === ownerUsername)!
  return logIn(run, { email, password: accountsOf(run, 'creator')[0]!.password })
}

/** Every work of the market. */
export async function wholeMarket(client: ApiClient): Promise<Nft[]> {
  const works = new Map<string, Nft>()
  for (let page = 1; ; page++) {
    const { body } = await client.send(getMarket, { query: { page: String(page), limit: String(PAGE) } })
    for (const work of body.nfts) works.set(work._id, work)
    if (body.nfts.length < PAGE) return [...works.values()]
  }
}
