import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { listSessions, type SessionList } from '@nifty/api/auth/internal'
import { checkDeliverable } from '@nifty/api/minting/internal'
import { accountChanged } from '@nifty/events/auth'
import { tokenMinted, tokenMoved } from '@nifty/events/minting'
import { openDatabase } from '@nifty/service-kit/database'
import { createInternalApp } from '@nifty/service-kit/http/internal'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { createTokenSigner } from '@nifty/service-kit/http/token-signer'
import { createTestDatabase } from '@nifty/service-kit/testing/database'
import { messageOf } from '@nifty/service-kit/testing/events'
import { testLog } from '@nifty/service-kit/testing/log'
import { createTestTransport } from '@nifty/service-kit/testing/transport'
import type { Kysely } from 'kysely'
import type { Static } from 'typebox'
import { afterAll } from 'vitest'
import type { Config } from './config.ts'
import type { Database } from './db.ts'
import { migrations, startCatalog } from './service.ts'

const secret = 'a-secret-of-the-tests'
export const contract = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
export const at = '2026-03-01T12:00:00.000Z'
export const txHash = () => `0x${randomBytes(32).toString('hex')}`
export const wallet = () => `0x${randomBytes(20).toString('hex')}`

/** Fakes the endpoints of auth and minting that catalog calls. */
async function fakePeers() {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const signer = createTokenSigner({ kid: 'test', privateKey: pem })
  const list: SessionList = { keys: [signer.key], endedSessions: [] }
  const requests: { to?: string; tokens: { token: string }[] }[] = []
  /** By token; all other tokens are deliverable. */
  const refusals = new Map<string, { code: string; permit?: unknown }>()
  const app = createInternalApp({ log: testLog, name: 'peers', secret })
  registerRoute(app, listSessions, async () => list)
  registerRoute(app, checkDeliverable, async ({ body }) => {
    requests.push(body)
    const tokens = body.tokens.map(({ token }) => {
      const refusal = refusals.get(token)
      return refusal ? { token, deliverable: false, ...refusal } : { token, deliverable: true, code: null }
    })
    return { tokens }
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return { url, requests, refusals, stop: () => app.close(), bearer: (userId: string) => bearerOf(signer, userId) }
}

const bearerOf = (signer: ReturnType<typeof createTokenSigner>, userId: string) => ({
  authorization: `Bearer ${signer.sign({ userId, sessionId: randomUUID() })}`,
})

/** Starts the real service on a database of its own, with a test transport and fake peers. */
export async function startTestCatalog(changes: Partial<Config> = {}) {
  const { url } = await createTestDatabase(migrations)
  const peers = await fakePeers()
  const bus = createTestTransport()
  /** Starts another replica; by default it consumes no events and shares only the database. */
  const start = (transport = createTestTransport().transport) =>
    startCatalog(
      {
        ...{ databaseUrl: url, transport, log: testLog, internalSecret: secret },
        internalListen: { host: '127.0.0.1', port: 0 },
      },
      {
        ...{ authUrl: peers.url, mintingUrl: peers.url, redisUrl: undefined, marketCacheBytes: 1_000_000 },
        ...changes,
      },
    )
  const service = await start(bus.transport)
  const db = openDatabase<Database>({ url, log: testLog })
  afterAll(async () => {
    await service.stop()
    await peers.stop()
    await db.destroy()
  })

  const { app, internalUrl } = service
  const put = (userId: string | undefined, path: string, payload?: object) =>
    app.inject({ method: 'PUT', url: path, headers: userId ? peers.bearer(userId) : {}, payload })
  const post = async (path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json', 'x-internal-secret': secret }
    const response = await fetch(`${internalUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, body: (await response.json()) as any }
  }
  const get = async (path: string) => (await app.inject(path)).json()
  const market = async (query = '') => (await get(`/api/nfts/market${query}`)) as { nfts: any[]; total: number }
  const postWithoutSecret = (path: string) => fetch(`${internalUrl}${path}`, { method: 'POST' })
  return { ...{ app, db, url, start, peers, put, post, postWithoutSecret, get, market }, ...builders(bus, db) }
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

function builders(bus: ReturnType<typeof createTestTransport>, db: Kysely<Database>) {
  const { hear: consume } = bus

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
      ...{ token, contract, identifier, itemId: randomUUID(), creatorId, name: 'Dusk', description: 'An evening' },
      ...{ category: 'Art', royaltyBps: 500, priceCents: 12_000, txHash: txHash(), at },
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
        ...{ token: item.token, contract: item.contract, identifier: item.identifier },
        ...{ ownerId: null, wallet: null, position: 200, txHash: txHash(), at },
        ...changes,
      }),
    )

  /** The published events of an item: name and data. */
  const published = async (itemId: string) =>
    (await db.selectFrom('outbox').select(['name', 'data']).where('key', '=', itemId).orderBy('seq').execute()).map(
      ({ name, data }) => ({ name, ...(data as Record<string, unknown>) }),
    )

  return { consume, givenAccount, givenItem, moveToken, published }
}

export type Order = { orderId: string; buyerId: string; buyerWallet: string; until: string; items: object[] }

export const orderFor = (
  items: { itemId: string; priceCents: number | null }[],
  changes: Partial<Order> = {},
): Order => ({
  ...{ orderId: randomUUID(), buyerId: randomUUID(), buyerWallet: wallet(), until: '2026-03-01T12:35:00.000Z' },
  items: items.map(({ itemId, priceCents }) => ({ itemId, priceCents })),
  ...changes,
})
