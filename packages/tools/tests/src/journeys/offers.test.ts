import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { acceptOffer, declineOffer, listReceivedOffers } from '@nifty/api/catalog/offers'
import { removeFromSale } from '@nifty/api/catalog/public'
import { createPermit, createWithdrawal } from '@nifty/api/minting/public'
import { listNotices } from '@nifty/api/notification/notices'
import { listOrders } from '@nifty/api/payments/public'
import { toEuros } from '@nifty/api/shapes'
import { databaseUrl } from '@nifty/service-kit/database/database'
import { type ApiClient, createApiClient, ledgerOf, logIn, untilOrder } from '@nifty/testkit/api-client'
import { openChain } from '@nifty/testkit/chain'
import { holdOffer, takeOffers } from '@nifty/testkit/offers'
import { apiClientOf, createUser } from '@nifty/testkit/users'
import { waitUntil } from '@nifty/testkit/wait-until'
import { workAndOwner } from '@nifty/testkit/works'
import { Wallet } from 'ethers'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { sharedStore } from '../shared-store/shared-store.ts'

const { run, folder } = await sharedStore()
const visitor = createApiClient(run)

/** A work for sale that takes offers, and its owner. */
async function givenWork() {
  const { work, owner } = await workAndOwner(run, visitor)
  const seller = await logIn(run, owner)
  await takeOffers(seller, work)
  return { work, price: work.price!, seller, owner }
}

async function givenCollector() {
  const user = await createUser(run)
  return { ...user, client: apiClientOf(run, user) }
}

/** What the processor did with the money of an order, by its own ledger; cents. */
const moneyOf = async (orderId: string) =>
  (await ledgerOf(run)).entries
    .filter(({ reference, kind }) => reference === orderId && kind !== 'session_created')
    .map(({ kind, amount }) => `${kind} ${amount}`)
const untilMoney = (orderId: string, money: string[]) =>
  waitUntil(async () => (await moneyOf(orderId)).join() === money.join())

const mailsTo = async (email: string) => {
  const response = await fetch(`${run.mailboxUrl}/api/email`)
  const mails = (await response.json()) as { to: { address: string }[]; subject: string }[]
  return mails.filter(({ to }) => to.some(({ address }) => address === email)).map(({ subject }) => subject)
}
const noticesOf = async (client: ApiClient, { contract, identifier }: { contract: string; identifier: string }) => {
  const { notices } = (await client.send(listNotices)).body
  return notices.filter((each) => each.contract === contract && each.identifier === identifier).map(({ what }) => what)
}
const noteOf = async (client: ApiClient, orderId: string) => (await client.order(orderId)).timeline.at(-1)?.note

test('of three offers one is accepted, delivered and charged; a declined one and a withdrawn one are given back', async () => {
  const { work, price, seller, owner } = await givenWork()
  const [ada, ben, cleo] = [await givenCollector(), await givenCollector(), await givenCollector()]
  // Above the listed price, which may be the lowest one.
  const cents = [3, 2, 1].map((more) => Math.round(price * 100) + more)
  const offered = [ada, ben, cleo].map(({ client }, place) => ({ client, work, price: toEuros(cents[place]!) }))
  const held = await Promise.all(offered.map((each) => holdOffer(run, seller, each)))
  const [accepted, declined, withdrawn] = held.map(({ orderId }) => orderId)
  const params = (orderId: string | undefined) => ({ params: { orderId: orderId! } })

  expect((await visitor.item(work)).offers).toMatchObject({ count: 3, highest: offered[0]!.price })
  expect((await seller.send(declineOffer, params(declined))).status).toBe(200)
  expect((await cleo.client.cancel(withdrawn!)).status).toBe(200)
  await untilMoney(declined!, [`held ${cents[1]}`, `released ${cents[1]}`])
  await untilMoney(withdrawn!, [`held ${cents[2]}`, `released ${cents[2]}`])
  expect(await moneyOf(accepted!)).toEqual([`held ${cents[0]}`])
  expect(await seller.send(acceptOffer, params(accepted))).toMatchObject({ body: { offer: { state: 'accepted' } } })
  expect((await seller.send(acceptOffer, params(accepted))).status).toBe(200)
  expect((await ada.client.cancel(accepted!)).body.code).toBe('offer_accepted')

  const order = await untilOrder(ada.client, accepted!, 'completed')
  expect(order).toMatchObject({ kind: 'offer', captured: offered[0]!.price, total: offered[0]!.price, wallet: null })
  expect(await moneyOf(accepted!)).toEqual([`held ${cents[0]}`, `captured ${cents[0]}`])
  await waitUntil(async () => (await visitor.item(work)).ownerUsername === ada.username)
  expect(await visitor.item(work)).toMatchObject({ forSale: false, reserved: false, offers: null })
  expect(await noteOf(ben.client, declined!)).toBe('declined')
  expect(await noteOf(cleo.client, withdrawn!)).toBe('withdrawn')
  expect((await seller.send(listReceivedOffers)).body.offers.filter(({ itemId }) => itemId === work._id)).toEqual([])
  await waitUntil(async () => (await mailsTo(ben.email)).some((subject) => subject.endsWith('was declined')))
  await waitUntil(async () => (await mailsTo(cleo.email)).some((subject) => subject.startsWith('You withdrew')))
  await waitUntil(async () => (await mailsTo(ada.email)).some((subject) => subject.includes('has arrived')))
  expect((await mailsTo(ada.email)).filter((subject) => subject.endsWith('was accepted'))).toHaveLength(1)
  expect((await mailsTo(owner.email)).filter((subject) => subject.startsWith('An offer of'))).not.toEqual([])
  const notices = await Promise.all([ada, ben, cleo].map(({ client }) => noticesOf(client, work)))
  expect(notices).toEqual([['offer_accepted'], ['offer_declined'], []])
  const purchases = (await ben.client.send(listOrders)).body.orders
  const offers = (await ben.client.send(listOrders, { query: { kind: 'offers' } })).body.orders
  expect([purchases.length, offers.map(({ _id }) => _id)]).toEqual([0, [declined]])
})

test('an offer is not accepted while somebody pays the listed price, and is accepted once they have cancelled', async () => {
  const { work, price, seller } = await givenWork()
  const [ada, ben] = [await givenCollector(), await givenCollector()]
  const { orderId } = await holdOffer(run, seller, { client: ada.client, work, price })
  const accept = () => seller.send(acceptOffer, { params: { orderId } })

  const { body } = await ben.client.buy(work, 'custody')
  expect(await accept()).toMatchObject({ status: 409, body: { code: 'item_reserved' } })
  await ben.client.cancel(body.orderId)
  await waitUntil(async () => (await accept()).status === 200)

  await untilOrder(ada.client, orderId, 'completed')
  const again = await ben.client.buy(work, 'custody')
  expect(again.status).toBe(409)
})

test('an offer whose hold is ended by the bank before its owner decides is over', async () => {
  const { work, price, seller } = await givenWork()
  const ada = await givenCollector()
  const { orderId, url } = await holdOffer(run, seller, { client: ada.client, work, price })

  await lapse(url)
  await untilOrder(ada.client, orderId, 'released')
  expect(await noteOf(ada.client, orderId)).toBe('hold_lost')
  const refused = await waitUntil(async () => {
    const answer = await seller.send(acceptOffer, { params: { orderId } })
    return answer.status === 409 && answer
  })
  expect(refused.body).toMatchObject({ code: 'offer_over', details: { why: 'hold_lost' } })
  expect(await visitor.item(work)).toMatchObject({ reserved: false, offers: { count: 0 } })
})

test('an accepted offer whose work leaves the wallet of its owner before it is delivered fails, and is given back', async () => {
  const chain = openChain(run)
  onTestFinished(chain.close)
  const { work, owner, seller } = await givenWorkInWallet()
  const [ada, ben] = [await givenCollector(), await givenCollector()]
  const [accepted, other] = await Promise.all(
    [ada, ben].map(({ client }) => holdOffer(run, seller, { client, work, price: 12 })),
  )
  const sign = await holdSigners()
  const to = Wallet.createRandom().address

  await acceptWithPermit({ seller, privateKey: owner.wallet.privateKey }, work, accepted!.orderId)
  await untilOrder(ada.client, accepted!.orderId, 'authorised')
  await chain.moveToken(owner.wallet.privateKey, { ...work, to })
  await sign()

  const order = await untilOrder(ada.client, accepted!.orderId, 'released')
  expect(order).toMatchObject({ captured: 0, lines: [{ reason: 'undeliverable' }] })
  await untilMoney(accepted!.orderId, ['held 1200', 'released 1200'])
  await untilMoney(other!.orderId, ['held 1200', 'released 1200'])
  expect(await noteOf(ben.client, other!.orderId)).toBe('moved')
  await waitUntil(async () => !(await visitor.item(work)).reserved)
  expect(await visitor.item(work)).toMatchObject({ ownerUsername: null, forSale: false, offers: null })
  expect(await chain.ownerOf(work)).toBe(to)
  expect(await seller.send(acceptOffer, { params: { orderId: accepted!.orderId } })).toMatchObject({
    status: 409,
    body: { code: 'offer_over', details: { why: 'failed' } },
  })
  await waitUntil(async () => (await mailsTo(ada.email)).some((subject) => subject.startsWith('Nothing was charged')))
  await waitUntil(async () => (await mailsTo(ben.email)).some((subject) => subject.endsWith('has ended')))
  // That about the hold is not sent once the offer is over.
  const own = async (email: string) =>
    (await mailsTo(email))
      .filter((subject) => subject.includes(work.name) && !subject.startsWith('Your bank holds'))
      .map((subject) => subject.split('“')[0])
  expect((await own(ada.email)).sort()).toEqual(['Nothing was charged for ', 'Your offer for '])
  expect(await own(ben.email)).toEqual(['Your offer for '])
  expect((await mailsTo(owner.email)).filter((subject) => subject === `“${work.name}” was sold`)).toEqual([])
})

/** A work in the wallet of its owner, who takes offers for it. */
async function givenWorkInWallet() {
  const { work, owner } = await workAndOwner(run, visitor)
  const seller = await logIn(run, owner)
  const { contract, identifier } = work
  const token = { contract, identifier }
  await seller.send(removeFromSale, { params: token })
  // Minting learns of the delisting by an event, catalog of the move.
  await waitUntil(async () => (await seller.send(createWithdrawal, { body: token })).status === 202)
  await waitUntil(async () => !(await seller.item(work)).custody)
  await takeOffers(seller, work)
  return { work, owner, seller }
}

/** Accepts an offer as the owner's browser does: the refusal has the permit to be signed. */
async function acceptWithPermit(
  { seller, privateKey }: { seller: ApiClient; privateKey: string },
  { contract, identifier }: { contract: string; identifier: string },
  orderId: string,
) {
  const accept = () => seller.send(acceptOffer, { params: { orderId } })
  const refused = await accept()
  expect(refused).toMatchObject({ status: 409, body: { code: 'permit_required' } })
  const { domain, types, message } = (refused.body.details as any).typedData
  const { EIP712Domain: _, ...own } = types
  const signature = await new Wallet(privateKey).signTypedData(domain, own, message)
  const deadline = new Date(Number(message.deadline) * 1000).toISOString()
  await seller.send(createPermit, { body: { contract, identifier, deadline, signature } })
  expect((await accept()).status).toBe(200)
}

/** Keeps minting from signing until the returned function is called. */
async function holdSigners() {
  const { postgresUrl } = JSON.parse(await readFile(join(folder, 'operator.json'), 'utf8')).local
  const db = new pg.Client({ connectionString: databaseUrl(postgresUrl, 'minting') })
  await db.connect()
  onTestFinished(() => db.end())
  await db.query('begin')
  await db.query('select from signer for update')
  return () => db.query('rollback')
}

/** The hold behind a payment page ends by its bank's time limit. */
async function lapse(url: string) {
  const { stripeKey } = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'))
  const session = await fetch(`${run.processorUrl}/v1/checkout/sessions/${new URL(url).pathname.split('/').at(-1)}`, {
    headers: { authorization: `Bearer ${stripeKey}` },
  })
  const { payment_intent: intent } = (await session.json()) as { payment_intent: string }
  const lapsed = await fetch(`${run.processorUrl}/sandbox/payment_intents/${intent}/lapse`, { method: 'POST' })
  expect(lapsed.status).toBe(200)
}
