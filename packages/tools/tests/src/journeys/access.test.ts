import { createPrivateKey, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Endpoint } from '@nifty/api/endpoint'
import { endpointUrl, STEP_UP_HEADER } from '@nifty/api/endpoint'
import { endpoints } from '@nifty/api/endpoints/all'
import { metrics } from '@nifty/api/infrastructure'
import { serviceNames } from '@nifty/api/services'
import { operatorCredential } from '@nifty/service-kit/http/operator-token'
import { pay } from '@nifty/testkit/api-client'
import { startAuction } from '@nifty/testkit/auctions'
import { holdOffer, takeOffers } from '@nifty/testkit/offers'
import { apiClientOf, createUser, demoUser } from '@nifty/testkit/users'
import { waitUntil } from '@nifty/testkit/wait-until'
import { availableWork } from '@nifty/testkit/works'
import type { TObject } from 'typebox'
import { expect, test } from 'vitest'
import { sharedStore } from '../shared-store/shared-store.ts'

const { run, folder } = await sharedStore()
const readJson = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8'))

const nobody = { id: '00000000-0000-4000-8000-000000000000', contract: `0x${'1'.repeat(40)}`, identifier: '1' }
const names = { username: '@nobody', file: 'none.webp', slug: 'none', number: '00000000', month: '2026-01' }
const anyParams = { ...nobody, ...names, lineId: nobody.id, orderId: nobody.id, userId: nobody.id }
const named = (list: Endpoint[]) => list.map((endpoint) => ({ name: `${endpoint.method} ${endpoint.path}`, endpoint }))
const publicEndpoints = serviceNames.flatMap((service) => endpoints[service].public)
const guarded = named(publicEndpoints.filter(({ access }) => access === 'account' || access === 'seller'))
const namesItem = ({ body }: Endpoint) => 'itemId' in ((body as TObject | undefined)?.properties ?? {})
const sellerOnly = guarded.filter(({ endpoint }) => endpoint.access === 'seller')

type Options = { token?: string; headers?: Record<string, string>; params?: Record<string, unknown>; body?: unknown }

async function send(base: string, endpoint: Endpoint, { token, headers = {}, params = anyParams, body }: Options = {}) {
  const response = await fetch(base + endpointUrl(endpoint, { params }), {
    method: endpoint.method,
    headers: {
      ...headers,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  await response.arrayBuffer()
  return response.status
}

/** The same token, signed by the store's own key, as it was a day ago. */
async function expired(token: string) {
  const [header, payload] = token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const DAY_S = 24 * 60 * 60
  const signed = `${encode(header)}.${encode({ ...payload, iat: payload.iat - DAY_S, exp: payload.exp - DAY_S })}`
  const key = createPrivateKey((await readJson('secrets.json')).authSigningKey)
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`
}

test('there are guarded endpoints', () => {
  expect(guarded.length).toBeGreaterThan(20)
  expect(sellerOnly.length).toBeGreaterThan(2)
})

test.each(guarded)(
  '$name is refused without a token, with an invalid and with an expired one',
  async ({ endpoint }) => {
    const { token } = await createUserOnce()
    expect(await send(run.url, endpoint)).toBe(401)
    expect(await send(run.url, endpoint, { token: `${token.slice(0, -8)}AAAAAAAA` })).toBe(401)
    expect(await send(run.url, endpoint, { token: await expired(token) })).toBe(401)
  },
)

test.each(sellerOnly)('$name is refused to an account that may not sell', async ({ endpoint }) => {
  const { token } = await createUserOnce()
  expect(await send(run.url, endpoint, { token })).toBe(403)
})

let user: ReturnType<typeof createUser> | undefined
const createUserOnce = () => {
  user ??= createUser(run)
  return user
}

test('what belongs to an account is refused to another account, whose token is valid, and stays as it is', async () => {
  const [owner, seller, otherSeller] = await Promise.all([
    demoUser(run, 'collector'),
    demoUser(run, 'creator'),
    demoUser(run, 'creator', 1),
  ])
  const stranger = await createUser(run)
  const work = await availableWork(
    apiClientOf(run, owner),
    ({ ownerUsername }) => ownerUsername !== owner.username && ownerUsername !== otherSeller.username,
  )
  const order = await apiClientOf(run, owner).buy(work)
  await apiClientOf(run, owner).call('PUT', `/api/favourites/${work._id}`)
  await apiClientOf(run, owner).call('PUT', `/api/follows/${seller.userId}`)
  const [session] = (await apiClientOf(run, owner).call('GET', '/api/auth/sessions')).body.sessions
  const [mint] = (await apiClientOf(run, seller).call('GET', '/api/mints')).body.mints

  const workOf = ({ username }: typeof seller) =>
    availableWork(apiClientOf(run, owner), ({ creatorUsername }) => creatorUsername === username)
  const seriesOf = async (one: typeof seller) => ({
    title: 'Series',
    description: '',
    itemIds: [(await workOf(one))._id],
  })
  const made = await apiClientOf(run, seller).call('POST', '/api/series', await seriesOf(seller))
  const series = { id: made.body.series._id }

  const given = await availableWork(
    apiClientOf(run, owner),
    ({ _id, ownerUsername }) => _id !== work._id && ownerUsername !== owner.username,
  )
  const bought = await apiClientOf(run, owner).call('POST', '/api/nfts/test', {
    amount: given.price,
    items: [{ _id: given._id, price: given.price }],
    deliverTo: 'custody',
    gift: { email: `${stranger.userId}@people.example` },
  })
  expect(bought.status).toBe(200)
  await pay(run, bought.body.url, run.cards.approved)
  const readGift = async () =>
    (await apiClientOf(run, owner).call('GET', '/api/gifts')).body.gifts.find(
      ({ orderId, state }: { orderId: string; state: string }) =>
        orderId === bought.body.orderId && state === 'offered',
    )
  const gift = { id: (await waitUntil(readGift))._id }

  const wanted = await availableWork(
    apiClientOf(run, owner),
    ({ _id, ownerUsername }) => ownerUsername === seller.username && ![work._id, given._id].includes(_id),
  )
  await takeOffers(apiClientOf(run, seller), wanted)
  const buyer = apiClientOf(run, await createUser(run))
  const offer = await holdOffer(run, apiClientOf(run, seller), { client: buyer, work: wanted, price: wanted.price! })

  const auctioned = await availableWork(
    apiClientOf(run, owner),
    ({ _id, ownerUsername }) => ownerUsername === seller.username && ![work._id, given._id, wanted._id].includes(_id),
  )
  const auction = { id: (await startAuction(apiClientOf(run, seller), auctioned, auctioned.price!))._id }

  /** What the endpoints below would change. */
  async function look() {
    const read = async (user: typeof seller, path: string) => (await apiClientOf(run, user).call('GET', path)).body
    const idsOf = (list: { _id: string }[]) => list.map(({ _id }) => _id)
    const { price, forSale, offers } = await apiClientOf(run, owner).item(work)
    const { series: own } = await read(seller, '/api/series')
    const profile = await apiClientOf(run, stranger).call('GET', `/api/users/profile/${owner.username}`)
    return {
      profile: profile.body,
      logsIn: (await apiClientOf(run, owner).call('POST', '/api/auth/login', owner)).status,
      hasSession: idsOf((await read(owner, '/api/auth/sessions')).sessions).includes(session._id),
      isFavourite: (await read(owner, '/api/favourites')).itemIds.includes(work._id),
      isFollowed: JSON.stringify(await read(owner, '/api/follows')).includes(seller.userId),
      order: (await apiClientOf(run, owner).order(order.body.orderId)).state,
      series: own.find(({ _id }: { _id: string }) => _id === series.id),
      gift: await readGift(),
      sale: { price, forSale, offers },
      offer: (await buyer.order(offer.orderId)).state,
      auction: (await apiClientOf(run, owner).item(auctioned)).auction?.outcome,
    }
  }
  const before = await look()
  expect(before).toMatchObject({ logsIn: 200, hasSession: true, isFavourite: true, isFollowed: true })
  expect([before.gift, before.series]).toMatchObject([{ state: 'offered' }, { title: 'Series' }])
  expect([before.offer, before.auction]).toEqual(['held', null])
  const steppedUp = { [STEP_UP_HEADER]: stranger.stepUp }

  /** Each endpoint whose path or `itemId` names something of an account: whose token is tried, and on what. */
  const attempts: Record<string, Options & { token: string; params: object; expected?: number }> = {
    'PUT /api/users/:id/change-password': {
      token: stranger.token,
      headers: steppedUp,
      params: { id: owner.userId },
      body: { oldPassword: owner.password, newPassword: 'another long password' },
    },
    'PUT /api/users/:id': { token: stranger.token, params: { id: owner.userId }, body: { firstName: 'Mallory' } },
    'DELETE /api/users/:id': { token: stranger.token, headers: steppedUp, params: { id: owner.userId } },
    'PUT /api/users/:id/upload-avatar': { token: stranger.token, params: { id: owner.userId } },
    'PUT /api/users/:id/cover': { token: stranger.token, params: { id: owner.userId } },
    'DELETE /api/users/:id/cover': { token: stranger.token, params: { id: owner.userId } },
    'DELETE /api/auth/sessions/:id': { token: stranger.token, params: { id: session._id }, expected: 404 },
    // Without a step-up; with one another account's passkey is a 404 (passkey.routes.test.ts of auth).
    'PUT /api/auth/passkeys/:id': { token: stranger.token, params: { id: nobody.id }, body: { name: 'Mine' } },
    'DELETE /api/auth/passkeys/:id': { token: stranger.token, params: { id: nobody.id } },
    'PUT /api/favourites/:id': { token: stranger.token, params: nobody, expected: 404 },
    'DELETE /api/favourites/:id': { token: stranger.token, params: { id: work._id }, expected: 404 },
    'PUT /api/follows/:id': { token: stranger.token, params: nobody, expected: 404 },
    'DELETE /api/follows/:id': { token: stranger.token, params: { id: seller.userId }, expected: 404 },
    'GET /api/orders/:id': { token: stranger.token, params: { id: order.body.orderId }, expected: 404 },
    'POST /api/orders/:id/cancel': { token: stranger.token, params: { id: order.body.orderId }, expected: 404 },
    'PUT /api/series/:id': {
      token: otherSeller.token,
      params: series,
      body: await seriesOf(otherSeller),
      expected: 404,
    },
    'DELETE /api/series/:id': { token: otherSeller.token, params: series, expected: 404 },
    'GET /api/gifts/:id': { token: stranger.token, params: gift, expected: 404 },
    'POST /api/gifts/:id/take-back': { token: stranger.token, params: gift, expected: 404 },
    'POST /api/gifts/:id/address': {
      token: stranger.token,
      headers: steppedUp,
      params: gift,
      body: { email: stranger.email },
      expected: 404,
    },
    'GET /api/certificates/:contract/:identifier': { token: stranger.token, params: work },
    'POST /api/certificates/:contract/:identifier/link': { token: stranger.token, params: work },
    'DELETE /api/certificates/:contract/:identifier/link': { token: stranger.token, params: work },
    'GET /uploads/originals/:contract/:identifier': { token: stranger.token, params: work },
    'GET /api/mints/:id': { token: stranger.token, params: { id: mint._id }, expected: 404 },
    'GET /api/permits/:contract/:identifier': { token: stranger.token, params: work },
    'PUT /api/nfts/:contract/:identifier/set-price': {
      token: otherSeller.token,
      params: work,
      body: { price: 1, forSale: true },
    },
    'PUT /api/nfts/:contract/:identifier/remove-from-sale': { token: otherSeller.token, params: work, body: {} },
    'PUT /api/nfts/:contract/:identifier/offers': { token: otherSeller.token, params: work, body: { minimum: 1 } },
    'POST /api/received-offers/:orderId/accept': { token: otherSeller.token, params: offer, expected: 404 },
    'POST /api/received-offers/:orderId/decline': { token: otherSeller.token, params: offer, expected: 404 },
    'POST /api/auctions': {
      token: otherSeller.token,
      params: {},
      body: { itemId: work._id, opening: work.price, hours: 1 },
    },
    // The owner of a work: offers and bids for it are refused.
    'POST /api/offers': {
      token: seller.token,
      params: {},
      body: { itemId: wanted._id, price: wanted.price, days: 1, deliverTo: 'custody' },
    },
    'POST /api/bids': {
      token: seller.token,
      params: {},
      body: { itemId: auctioned._id, limit: auctioned.price, deliverTo: 'custody' },
    },
    'DELETE /api/auctions/:id': { token: otherSeller.token, params: auction, expected: 404 },
    'GET /api/auctions/:id/bidder': { token: stranger.token, params: auction, expected: 200 },
    'PUT /api/nfts/:contract/:identifier/hide': { token: otherSeller.token, params: work, body: {} },
    'PUT /api/nfts/:contract/:identifier/show': { token: otherSeller.token, params: work, body: {} },
  }
  expect(Object.keys(attempts).sort()).toEqual(
    guarded
      .filter(({ endpoint }) => endpoint.path.includes(':') || namesItem(endpoint))
      .map(({ name }) => name)
      .sort(),
  )
  const statuses: Record<string, number> = {}
  for (const { name, endpoint } of guarded) {
    const attempt = attempts[name]
    if (attempt) statuses[name] = await send(run.url, endpoint, { ...attempt, params: { ...attempt.params } })
  }
  expect(statuses).toEqual(
    Object.fromEntries(Object.entries(attempts).map(([name, { expected = 403 }]) => [name, expected])),
  )
  expect(await look()).toEqual(before)
  await apiClientOf(run, owner).call('POST', `/api/gifts/${gift.id}/take-back`)
  await apiClientOf(run, owner).cancel(order.body.orderId)
  await buyer.cancel(offer.orderId)
  await apiClientOf(run, seller).call('DELETE', `/api/auctions/${auction.id}`)
  await apiClientOf(run, seller).call('DELETE', `/api/series/${series.id}`)
})

const internal = serviceNames.flatMap((service) =>
  named(endpoints[service].internal)
    .filter(({ endpoint }) => endpoint !== metrics)
    .map((each) => ({ ...each, service })),
)

test.each(internal)('$service: $name is refused without key and signature, and not served in public', async (each) => {
  const { internalUrls }: { internalUrls: Record<string, string> } = await readJson('operator.json')
  const url = internalUrls[each.service]!
  expect(await send(url, each.endpoint)).toBe(403)
  expect(await send(url, each.endpoint, { headers: { 'x-internal-key': 'a wrong key' } })).toBe(403)
  const { operator } = await readJson('operator.json')
  const headers = operatorCredential(operator)({
    service: each.service,
    method: each.endpoint.method,
    url: endpointUrl(each.endpoint, { params: anyParams }),
  })
  expect(await send(run.url, each.endpoint, { headers })).toBe(404)
})
