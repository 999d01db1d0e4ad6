import { join } from 'node:path'
import type { Nft } from '@nifty/api/catalog/public'
import { demoDataset } from '@nifty/demo-data/dataset'
import type { RunFile } from '@nifty/local/run-file'
import { openChain } from '@nifty/testkit/chain'
import { buyersOf } from '@nifty/testkit/purchase'
import { startStore } from '@nifty/testkit/store'
import { until } from '@nifty/testkit/until'
import { accountsOf, createVisitor, signIn, type Visitor } from '@nifty/testkit/visitor'
import type { Say } from './campaign.ts'

const PAGE = 200
const HANGING = { patience: 900_000, every: 1_000 }
const PRICE = 20

type Wishes = { say: Say; works: number; launcher?: string; env?: NodeJS.ProcessEnv }

/** A store of the campaign's own, with so many works that are all for sale, and its customers. */
export async function openShop({ say, works: wanted, launcher, env }: Wishes) {
  const store = await startStore({ works: wanted, launcher, env: { LOG_LEVEL: 'warn', ...env } })
  const chain = openChain(store.run)
  const close = async () => {
    chain.close()
    await store.stop()
  }
  try {
    say(`the store is open in ${store.folder}, its works are being hung`)
    const works = await stock(store.run, wanted)
    say(`${works.length} works are for sale`)
    return { store, run: store.run, chain, works, buyers: await buyersOf(store.run), close }
  } catch (error) {
    await close()
    throw error
  }
}

export type Shop = Awaited<ReturnType<typeof openShop>>

type Leaving = {
  faults: string[]
  say: Say
  /** Stops what the campaign itself has started on the shop's folder. */
  stopParts?: () => Promise<void>
}

/** Removes a shop that held; one with faults is kept for whoever wants to know why. */
export async function leave({ store, close }: Shop, { faults, say, stopParts }: Leaving) {
  await close()
  await stopParts?.()
  if (faults.length === 0) await store.remove()
  else say(`its logs are in ${join(store.folder, 'logs')}`)
}

/** Waits until all works hang, and puts a price on those that have none. */
async function stock(run: RunFile, wanted: number): Promise<Nft[]> {
  const anybody = createVisitor(run)
  const hung = await until(async () => {
    const works = await wholeMarket(anybody)
    return works.length >= wanted && works
  }, HANGING)
  const creators = new Map(
    demoDataset({ works: wanted }).creators.map(({ username, email }) => [`@${username}`, email]),
  )
  const { password } = accountsOf(run, 'creator')[0]!
  for (const { contract, identifier, ownerUsername } of hung.filter(({ forSale }) => !forSale)) {
    const owner = await signIn(run, { email: creators.get(ownerUsername!)!, password })
    await owner.call('PUT', `/api/nfts/${contract}/${identifier}/set-price`, { price: PRICE, forSale: true })
  }
  return (await wholeMarket(anybody)).filter(({ forSale }) => forSale)
}

async function wholeMarket(visitor: Visitor): Promise<Nft[]> {
  const works = new Map<string, Nft>()
  for (let page = 1; ; page++) {
    const { body } = await visitor.call<{ nfts: Nft[] }>('GET', `/api/nfts/market?page=${page}&limit=${PAGE}`)
    for (const work of body.nfts) works.set(work._id, work)
    if (body.nfts.length < PAGE) return [...works.values()]
  }
}
