import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { acceptOffer } from '@nifty/api/catalog/offers'
import type { Nft } from '@nifty/api/catalog/public'
import { demoDataset } from '@nifty/demo-data/dataset'
import { startPostgres } from '@nifty/dev-servers/postgres'
import { databaseUrl, openDatabase } from '@nifty/service-kit/database/database'
import { testLog } from '@nifty/service-kit/testing/log'
import { type ApiClient, accountsOf, createApiClient, logIn, pay, untilOrder } from '@nifty/testkit/api-client'
import { startAuction } from '@nifty/testkit/auctions'
import { openChain } from '@nifty/testkit/chain'
import { holdOffer, takeOffers } from '@nifty/testkit/offers'
import type { Store } from '@nifty/testkit/store'
import { waitUntil } from '@nifty/testkit/wait-until'
import { availableWork } from '@nifty/testkit/works'
import { sql } from 'kysely'
import { expect } from 'vitest'

const program = join(import.meta.dirname, '../../../../../deploy/ops/src/main.ts')

/** Between two runs of the operator's tool, each a process of its own that the store would wait for. */
export const betweenCommands = { intervalMs: 2_000 }

export type StartedSale = { work: Nft; orderId: string; url: string }

/** What tests do with a store beside its pages: sales, mints, operators' commands and SQL. */
export function operate(store: Pick<Store, 'run' | 'folder'>) {
  const chosen = new Set<string>()
  const collector = () => accountsOf(store.run, 'collector')[0]!

  /** Runs the operator's tool without a terminal, so that it cannot prompt. */
  const ops = (...args: string[]) =>
    new Promise<{ code: number; output: string }>((resolve) => {
      const env = { ...process.env, NIFTY_HOME: store.folder }
      const child = execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
      )
      child.stdin?.end()
    })

  async function startSale(visitor: ApiClient, wanted: (work: Nft) => boolean = () => true): Promise<StartedSale> {
    const work = await availableWork(visitor, (each) => !chosen.has(each._id) && wanted(each))
    chosen.add(work._id)
    const { body } = await visitor.buy(work)
    if (!body.url) throw new Error(`no payment page: ${body.code}, ${body.message}`)
    return { work, orderId: body.orderId, url: body.url }
  }

  /** A work for sale, with the client of its owner: before works are sold again, a creator of the demo. */
  async function workOfCreator(visitor: ApiClient, wanted: (work: Nft) => boolean) {
    const { creators } = demoDataset()
    const ownerOf = ({ ownerUsername }: Nft) => creators.find(({ username }) => `@${username}` === ownerUsername)
    const work = await availableWork(visitor, (each) => !chosen.has(each._id) && !!ownerOf(each) && wanted(each))
    chosen.add(work._id)
    const { password } = accountsOf(store.run, 'creator')[0]!
    return { work, owner: await logIn(store.run, { email: ownerOf(work)!.email, password }) }
  }

  /** An offer of the listed price whose card is held. */
  async function offerFor(visitor: ApiClient, wanted: (work: Nft) => boolean = () => true) {
    const { work, owner } = await workOfCreator(visitor, wanted)
    await takeOffers(owner, work)
    const offered = { client: visitor, work, price: work.price!, deliverTo: 'wallet' as const }
    const { orderId } = await holdOffer(store.run, owner, offered)
    return { work, orderId, accept: () => owner.send(acceptOffer, { params: { orderId } }) }
  }

  /** An auction that opens at the listed price. */
  async function auctionOf(visitor: ApiClient) {
    const { work, owner } = await workOfCreator(visitor, () => true)
    await startAuction(owner, work, work.price!)
    return work
  }

  const payFor = ({ url }: StartedSale) => pay(store.run, url, store.run.cards.approved)

  async function runSql(postgresUrl: string, database: string, statement: string) {
    const db = openDatabase({ url: databaseUrl(postgresUrl, database), log: testLog, maxConnections: 1 })
    await sql`set statement_timeout = 0`.execute(db)
    await sql.raw(statement).execute(db)
    await db.destroy()
  }

  return {
    collector,
    ops,
    startSale,
    offerFor,
    auctionOf,
    payFor,
    runSql,
    logIn: () => logIn(store.run, collector()),
    buyOne: async (visitor: ApiClient, wanted?: (work: Nft) => boolean) => {
      const sale = await startSale(visitor, wanted)
      await payFor(sale)
      await untilOrder(visitor, sale.orderId, 'completed')
      return sale
    },
    expectOwned: async (work: Pick<Nft, 'contract' | 'identifier' | 'image'>) => {
      const chain = openChain(store.run)
      expect(await chain.ownerOf(work)).toBe(collector().wallet.address)
      chain.close()
      await waitUntil(
        async () => (await createApiClient(store.run).item(work)).ownerUsername === collector().username || undefined,
      )
      expect((await fetch(store.run.url + work.image)).status).toBe(200)
    },
    /** A new work for sale with the image of another. */
    mintOne: async (like: Pick<Nft, 'image'>, name: string) => {
      const form = new FormData()
      const fields = { name, description: '', category: 'Art', price: '12.50' }
      for (const [field, value] of Object.entries(fields)) form.append(field, value)
      form.append('image', await (await fetch(store.run.url + like.image)).blob(), 'work.webp')
      const client = await logIn(store.run, accountsOf(store.run, 'creator')[0]!)
      const headers = { authorization: `Bearer ${client.token}` }
      const response = await fetch(`${store.run.url}/api/mints`, { method: 'POST', headers, body: form })
      const { _id, message } = (await response.json()) as { _id?: string; message?: string }
      if (!_id) throw new Error(`not minted: ${message}`)
      return waitUntil(async () => {
        const { body } = await client.call('GET', `/api/mints/${_id}`)
        return body.state === 'minted' && (body as Pick<Nft, '_id' | 'contract' | 'identifier'>)
      })
    },
    /** The address of the running store's database server. */
    postgresUrl: async () =>
      JSON.parse(await readFile(join(store.folder, 'operator.json'), 'utf8')).local.postgresUrl as string,
    /** Runs statements on the databases of a stopped store. */
    whileStopped: async (work: (postgresUrl: string) => Promise<void>) => {
      const server = await startPostgres({ folder: join(store.folder, 'postgres'), durable: true })
      await work(server.url)
      await server.stop()
    },
    /** The differences that `pnpm ops reconcile all` prints. */
    differences: async () => (await ops('reconcile', 'all')).output.match(/^(MONEY|TOKEN) .*/gm) ?? [],
  }
}
