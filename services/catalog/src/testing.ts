import { randomBytes, randomUUID } from 'node:crypto'
import { checkDeliverable } from '@nifty/api/minting/internal'
import { atEnd } from '@nifty/dev-servers/at-end'
import { accountChanged } from '@nifty/events/auth'
import { tokenMinted, tokenMoved } from '@nifty/events/minting'
import { unavailable } from '@nifty/service-kit/base/errors'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { Message } from '@nifty/service-kit/messaging/message'
import type { ServiceContext } from '@nifty/service-kit/service/service'
import { messageOf } from '@nifty/service-kit/testing/events'
import { startTestPeers, testCredential } from '@nifty/service-kit/testing/peers'
import { startTestService } from '@nifty/service-kit/testing/service'
import type { Kysely } from 'kysely'
import type { Static } from 'typebox'
import type { Config } from './config.ts'
import type { Database } from './db.ts'
import { jobs } from './jobs.ts'
import { catalog } from './service.ts'

export const contract = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
export const at = '2026-03-01T12:00:00.000Z'
export const txHash = () => `0x${randomBytes(32).toString('hex')}`
export const wallet = () => `0x${randomBytes(20).toString('hex')}`

/** Fakes the endpoints of auth and minting that catalog calls. */
async function fakePeers() {
  const requests: { to?: string | null; tokens: { token: string; permittedSince?: string; until?: string }[] }[] = []
  /** By token; all other tokens are deliverable. */
  const refusals = new Map<string, { code: string; permit?: unknown }>()
  /** The code with which minting responds 503. */
  const state = { unavailable: null as string | null }
  const nothing = async (): Promise<unknown> => undefined
  let change = nothing
  /** Changes something in catalog while it waits for minting's next response. */
  function whileMintingIsAsked(once: () => Promise<unknown>) {
    change = () => {
      change = nothing
      return once()
    }
  }
  const peers = await startTestPeers((app) => {
    registerRoute(app, checkDeliverable, async ({ body }) => {
      requests.push(body)
      await change()
      if (state.unavailable) throw unavailable(state.unavailable, 'Payments are temporarily unavailable')
      const tokens = body.tokens.map(({ token }) => {
        const refusal = refusals.get(token)
        return refusal ? { token, deliverable: false, ...refusal } : { token, deliverable: true, code: null }
      })
      return { tokens }
    })
  })
  return Object.assign(state, { ...peers, requests, refusals, whileMintingIsAsked })
}

/** Starts the real service on a database of its own, with a test transport and fake peers. */
export async function startTestCatalog(changes: Partial<Config> = {}, peerUrls: ServiceContext['peerUrls'] = {}) {
  const peers = await fakePeers()
  const config = { redis: undefined, marketCacheBytes: 1_000_000, offers: true, auctions: true, ...changes }
  const service = await startTestService<Config, Database>(catalog, {
    config,
    peerUrls: { ...peers.peerUrls, ...peerUrls },
  })
  const { db, databaseUrl: url, app, internalUrl, startReplica: start } = service
  atEnd(async () => {
    await service.stop()
    await peers.stop()
  })

  const put = (userId: string | undefined, path: string, payload?: object) =>
    app.inject({ method: 'PUT', url: path, headers: userId ? peers.steppedUp(userId) : {}, payload })
  /** As `put`, with a bearer token alone. */
  const putWithoutStepUp = (userId: string, path: string, payload?: object) =>
    app.inject({ method: 'PUT', url: path, headers: peers.bearer(userId), payload })
  const sendInternal = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: string) => {
    const headers = testCredential({ service: 'catalog', method, url, body })
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    return fetch(`${internalUrl}${url}`, { method, headers: { ...type, ...headers }, body })
  }
  const sendBody = (method: 'POST' | 'PUT') => async (path: string, body: unknown) => {
    const response = await sendInternal(method, path, JSON.stringify(body))
    return { status: response.status, body: (await response.json()) as any }
  }
  const deleteInternal = async (path: string) => {
    const response = await sendInternal('DELETE', path)
    return { status: response.status, body: (await response.json()) as any }
  }
  const post = sendBody('POST')
  const putInternal = sendBody('PUT')
  const getInternal = async (path: string) => (await sendInternal('GET', path)).json() as Promise<any>
  /** Reads the latest state. */
  const get = async (path: string) => (await app.inject({ url: path, headers: { authorization: 'Bearer any' } })).json()
  /** The latest state of the market. */
  const market = (query = ''): Promise<{ nfts: any[]; total: number }> => get(`/api/nfts/market${query}`)
  /** Runs a job until it has nothing left to do. */
  const runJob = async (name: keyof typeof jobs) => {
    const { run } = jobs[name].handler({ db })
    while (await run());
  }
  const postWithoutSecret = (path: string) => fetch(`${internalUrl}${path}`, { method: 'POST' })
  return {
    app,
    db,
    url,
    internalUrl,
    start,
    peers,
    put,
    putWithoutStepUp,
    post,
    putInternal,
    deleteInternal,
    getInternal,
    postWithoutSecret,
    get,
    market,
    runJob,
    ...builders(service, db),
  }
}

type AccountData = Static<typeof accountChanged.data>
export type Mint = Static<typeof tokenMinted.data>

const notifications = Object.fromEntries(
  [
    'mention',
    'follow',
    'shareActivity',
    'message',
    'salePromotion',
    'companyNews',
    'weeklyJobs',
    'unsubscribeNews',
  ].map((flag) => [flag, false]),
) as AccountData['notifications']

let count = 0

function builders({ consume }: { consume: (message: Message) => Promise<void> }, db: Kysely<Database>) {
  async function givenAccount(changes: Partial<AccountData> = {}): Promise<AccountData> {
    const number = ++count
    const names = { username: `@user${number}`, firstName: 'Ada', lastName: `Nr${number}`, email: `u${number}@x.test` }
    const rest = { avatar: null, description: '', admin: false, suspended: false, wallet: null, walletProven: false }
    const account = { userId: randomUUID(), version: 1, ...names, ...rest, notifications, at, ...changes }
    await consume(messageOf(accountChanged, account))
    return account
  }

  /** Consumes a mint and its first move, into custody unless `inWallet` is given. */
  async function givenItem(creatorId: string, changes: Partial<Mint> = {}, { inWallet }: { inWallet?: string } = {}) {
    const identifier = String(++count)
    const token = `${contract.toLowerCase()}/${identifier}`
    const mint: Mint = {
      token,
      contract,
      identifier,
      itemId: randomUUID(),
      creatorId,
      name: 'Dusk',
      description: 'An evening',
      category: 'Art',
      royaltyBps: 500,
      priceCents: 12_000,
      txHash: txHash(),
      at,
      picture: { path: `/uploads/nfts/${identifier}`, width: 1600, height: 1200, color: '#aabbcc' },
      ...changes,
    }
    await consume(messageOf(tokenMinted, mint))
    const move = { ownerId: creatorId, wallet: inWallet ?? null, position: 100, txHash: mint.txHash }
    await moveToken(mint, move)
    const path = `/api/nfts/${mint.contract}/${mint.identifier}`
    return { ...mint, path, page: `/api/nfts/@anyone/${mint.contract}/${mint.identifier}` }
  }

  const moveToken = (
    item: Pick<Mint, 'token' | 'contract' | 'identifier'>,
    changes: Partial<Static<typeof tokenMoved.data>>,
  ) =>
    consume(
      messageOf(tokenMoved, {
        token: item.token,
        contract: item.contract,
        identifier: item.identifier,
        ownerId: null,
        wallet: null,
        position: 200,
        txHash: txHash(),
        at,
        ...changes,
      }),
    )

  /** The published events of an item: name and data. */
  const published = async (itemId: string) =>
    (await db.selectFrom('outbox').select(['name', 'data']).where('key', '=', itemId).orderBy('seq').execute()).map(
      ({ name, data }) => ({ ...(data as Record<string, unknown>), name }),
    )

  return { consume, givenAccount, givenItem, moveToken, published }
}

export type Order = { orderId: string; buyerId: string; buyerWallet: string | null; until: string; items: object[] }

export const orderFor = (
  items: { itemId: string; priceCents: number | null }[],
  changes: Partial<Order> = {},
): Order => ({
  orderId: randomUUID(),
  buyerId: randomUUID(),
  buyerWallet: wallet(),
  until: '2026-03-01T12:35:00.000Z',
  items: items.map(({ itemId, priceCents }) => ({ itemId, priceCents })),
  ...changes,
})
