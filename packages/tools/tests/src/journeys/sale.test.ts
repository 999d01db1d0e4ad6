import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serviceNames } from '@nifty/api/services'
import {
  type ApiClient,
  accountsOf,
  createApiClient,
  type Ledger,
  ledgerOf,
  logIn,
  pay,
  untilOrder,
} from '@nifty/testkit/api-client'
import { openChain } from '@nifty/testkit/chain'
import { holdOffer, takeOffers } from '@nifty/testkit/offers'
import { quickChain, type Store, startStore } from '@nifty/testkit/store'
import { waitUntil } from '@nifty/testkit/wait-until'
import { watchPrices } from '@nifty/testkit/watch-prices'
import { availableWork, workAndOwner } from '@nifty/testkit/works'
import { Wallet } from 'ethers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type ExportedMetrics, queryErrors, readMetrics } from '../observability/promql.ts'
import { alertsMetric, ownExpressions } from '../observability/rules.ts'

let store: Store
let chain: ReturnType<typeof openChain>
let ben: ApiClient
let cleo: ApiClient

beforeAll(async () => {
  store = await startStore({ env: quickChain })
  chain = openChain(store.run)
  const [first, second] = accountsOf(store.run, 'collector')
  ben = await logIn(store.run, first!)
  cleo = await logIn(store.run, second!)
})
afterAll(async () => {
  chain?.close()
  await store?.remove()
})

test('a purchase ends with the token in the buyer’s wallet, one capture, a new owner and a mail', async () => {
  const work = await availableWork(ben)
  const { body } = await ben.buy(work)
  expect(body.success).toBe(true)
  expect((await pay(store.run, body.url, store.run.cards.approved)).body.status).toBe('authorised')

  const order = await untilOrder(ben, body.orderId, 'completed')
  const wallet = accountsOf(store.run, 'collector')[0]!.wallet.address
  expect(await chain.ownerOf(work)).toBe(wallet)
  expect(order).toMatchObject({ captured: work.price, wallet })
  await vi.waitUntil(
    async () => (await ben.item(work)).ownerUsername === accountsOf(store.run, 'collector')[0]!.username,
    { timeout: 30_000 },
  )
  expect(await ben.item(work)).toMatchObject({ forSale: false, reserved: false })
  await vi.waitUntil(async () => (await mailsAbout(work.name)).some(({ subject }) => subject.includes('has arrived')), {
    timeout: 30_000,
  })
})

test('of two concurrent buyers one gets a checkout session and the other a 409 with a message', async () => {
  const work = await availableWork(ben)
  const answers = await Promise.all([ben.buy(work), cleo.buy(work)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const refused = answers.find(({ status }) => status === 409)!
  expect(refused.body).toMatchObject({ success: false, message: expect.stringMatching(/./) })
  const won = answers.find(({ status }) => status === 200)!
  await (won === answers[0] ? ben : cleo).cancel(won.body.orderId)
})

test('a repeated purchase request returns the same checkout page, and cancelling releases the work', async () => {
  const work = await availableWork(ben)
  const [first, second] = [await ben.buy(work), await ben.buy(work)]
  expect(second.body.url).toBe(first.body.url)
  expect((await ben.item(work)).reserved).toBe(true)
  expect((await ben.cancel(first.body.orderId)).body.state).toBe('released')
  await vi.waitUntil(async () => !(await ben.item(work)).reserved, { timeout: 30_000 })
  expect((await cleo.buy(work)).status).toBe(200)
})

test('a declined card holds nothing, and another card may be tried on the same page', async () => {
  const work = await availableWork(ben)
  const { body } = await ben.buy(work)
  expect((await pay(store.run, body.url, store.run.cards.declined)).body.status).toBe('declined')
  expect((await ben.order(body.orderId)).state).toBe('awaiting_payment')
  expect((await pay(store.run, body.url, store.run.cards.approved)).body.status).toBe('authorised')
  await untilOrder(ben, body.orderId, 'completed')
})

test('a work whose creator moved the token away is not sold: holds released, nothing captured, listing gone', async () => {
  const creator = accountsOf(store.run, 'creator')[0]!
  const seller = await logIn(store.run, creator)
  const work = await workInOwnWallet(seller, creator.wallet.privateKey)
  await takeOffers(seller, work)
  const offer = await holdOffer(store.run, seller, { client: cleo, work, price: 15 })
  const { body } = await ben.buy(work)
  await chain.moveToken(creator.wallet.privateKey, { ...work, to: Wallet.createRandom().address })
  await pay(store.run, body.url, store.run.cards.approved)

  const order = await untilOrder(ben, body.orderId, 'released')
  expect(order).toMatchObject({ captured: 0, lines: [{ reason: 'undeliverable' }] })
  await vi.waitUntil(async () => !(await ben.item(work)).forSale, { timeout: 30_000 })
  const offered = await untilOrder(cleo, offer.orderId, 'released')
  expect(offered.timeline.at(-1)).toMatchObject({ state: 'released', note: 'moved' })
  await vi.waitUntil(async () => releasedOf(await ledgerOf(store.run), offer.orderId).includes(1_500))
  expect(capturesOf(await ledgerOf(store.run), body.orderId)).toEqual([])
  await vi.waitUntil(
    async () => (await mailsAbout(work.name)).some(({ subject }) => subject.startsWith('Nothing was charged')),
    { timeout: 30_000 },
  )
})

test('a store that is killed between payment and delivery completes the order after restart, once', async () => {
  const work = await availableWork(ben)
  const { body } = await cleo.buy(work)
  await pay(store.run, body.url, store.run.cards.approved)
  await store.kill()
  await store.restart()

  const order = await untilOrder(cleo, body.orderId, 'completed')
  expect(order.captured).toBe(work.price)
  expect(await chain.ownerOf(work)).toBe(accountsOf(store.run, 'collector')[1]!.wallet.address)
  const arrivals = async () => (await mailsAbout(work.name)).filter(({ subject }) => subject.includes('has arrived'))
  await vi.waitUntil(async () => (await arrivals()).length > 0, { timeout: 30_000 })
  expect(await arrivals()).toHaveLength(1)
  expect(capturesOf(await ledgerOf(store.run), body.orderId)).toEqual([Math.round((work.price ?? 0) * 100)])
})

test('alerts and dashboard query metrics that the components export, and all collectors work', async () => {
  const { internalUrls }: { internalUrls: Record<string, string> } = JSON.parse(
    await readFile(join(store.folder, 'operator.json'), 'utf8'),
  )
  expect(Object.keys(internalUrls).sort()).toEqual(['gateway', ...serviceNames].sort())
  // The gateway counts what it answers itself: a page that anybody may see.
  expect((await fetch(`${store.run.url}/api/nfts/market`)).status).toBe(200)
  const exported: ExportedMetrics = readMetrics(alertsMetric)
  for (const url of Object.values(internalUrls)) {
    const text = await waitUntil(async () => {
      const metrics = await (await fetch(`${url}/metrics`)).text()
      return /^nifty_collector_up\{.*\} 0$/m.test(metrics) ? undefined : metrics
    })
    readMetrics(text, exported)
  }
  const errors = ownExpressions.flatMap(({ of, expression }) =>
    queryErrors(expression, exported).map((error) => `${of}: ${error}`),
  )
  expect(errors).toEqual([])
  expect(queryErrors('max(nifty_orders_authorized_oldest_seconds) > 900', exported)).toHaveLength(1)
  expect((await fetch(`${store.run.url}/metrics`)).headers.get('content-type')).not.toMatch(/^text\/plain/)
})

/** Cents that the processor took for one order, by its own ledger. */
const capturesOf = (ledger: Ledger, orderId: string) => amountsOf(ledger, 'captured', orderId)
const releasedOf = (ledger: Ledger, orderId: string) => amountsOf(ledger, 'released', orderId)
const amountsOf = ({ entries }: Ledger, wanted: string, orderId: string) =>
  entries.flatMap(({ kind, reference, amount }) => (kind === wanted && reference === orderId ? [amount] : []))

test('a visitor sees a change of price within a second, its author at once', async () => {
  const { work, owner } = await workAndOwner(store.run, ben)
  const seller = await logIn(store.run, owner)
  const prices = watchPrices({ seller, reader: createApiClient(store.run), work })
  await vi.waitUntil(() => prices.changes() >= 12, { timeout: 60_000 })
  await prices.stop()

  const reads = prices.take()
  expect(reads.length).toBeGreaterThan(100)
  expect(Math.max(...reads.map(({ staleMs }) => staleMs))).toBeLessThan(1_000)
  expect(prices.missed()).toBe(0)
})

async function mailsAbout(name: string) {
  const response = await fetch(`${store.run.mailboxUrl}/api/email`)
  const mails = (await response.json()) as { subject: string }[]
  return mails.filter(({ subject }) => subject.includes(name))
}

/** Takes a work of a creator out of custody, signs a permit for it and lists it. */
async function workInOwnWallet(seller: ApiClient, privateKey: string) {
  const works = await createApiClient(store.run).market()
  const me = (await seller.call('GET', '/api/auth/user')).body.user
  const work = works.find(({ ownerUsername, reserved }) => ownerUsername === me.username && !reserved)!
  await seller.call('PUT', `/api/nfts/${work.contract}/${work.identifier}/remove-from-sale`, {})
  // The delisting reaches minting by an event, possibly after the withdrawal request.
  const withdrawn = await waitUntil(async () => {
    const { contract, identifier } = work
    const { body } = await seller.call('POST', '/api/withdrawals', { contract, identifier })
    return body.code === 'listed' ? undefined : body
  })
  expect(withdrawn).toMatchObject({ state: 'accepted' })
  await vi.waitUntil(async () => (await chain.ownerOf(work)) === new Wallet(privateKey).address, { timeout: 30_000 })

  // Catalog learns of the move by an event; a listing before it is a 409 item_moved.
  await vi.waitUntil(async () => !(await seller.item(work)).custody, { timeout: 30_000 })

  const list = () =>
    seller.call('PUT', `/api/nfts/${work.contract}/${work.identifier}/set-price`, { price: 20, forSale: true })
  const refused = await vi.waitUntil(
    async () => {
      const answer = await list()
      return answer.body.code === 'permit_required' ? answer : undefined
    },
    { timeout: 30_000 },
  )
  const { domain, types, message } = refused.body.details.typedData
  const { EIP712Domain: _, ...own } = types
  const signature = await new Wallet(privateKey).signTypedData(domain, own, message)
  const deadline = new Date(Number(message.deadline) * 1000).toISOString()
  const permit = { contract: work.contract, identifier: work.identifier, deadline, signature }
  expect((await seller.call('POST', '/api/permits', permit)).status).toBe(200)
  expect((await list()).status).toBe(200)
  return { ...work, price: 20 }
}
