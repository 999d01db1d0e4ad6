import { expect, test } from 'vitest'
import { contract, startTestCatalog } from './testing.ts'

const { app, post, peers, givenAccount, givenItem } = await startTestCatalog()
const seller = await givenAccount({ admin: true })
const item = await givenItem(seller.userId)

const nasty = [
  '',
  ' ',
  "'",
  '"',
  '\\',
  '%',
  '..',
  '../..',
  '%00',
  '%0a',
  '%ff',
  '%c0%af',
  '__proto__',
  'constructor',
  'null',
  '-1',
  '0',
  '1e9',
  'NaN',
  '9'.repeat(99),
  'x'.repeat(390),
  '%F0%9F%A6%8A',
  '%ED%A0%80',
  '%E2%80%AE',
  '$1',
  '{}',
  '[]',
]

test.each(nasty)('no path or query with %j causes a 5xx', async (text) => {
  const paths = [
    ...[
      'page',
      'limit',
      'search',
      'category',
      'buyOption',
      'sort',
      'minPrice',
      'maxPrice',
      'color',
      'orientation',
      'creator',
      'sale',
    ].map((name) => `/api/nfts/market?${name}=${text}`),
    ...['limit', 'page', 'sort'].map((name) => `/api/creators?${name}=${text}`),
    `/api/nfts/top-items?x=${text}`,
    `/api/nfts/user/${text}`,
    `/api/nfts/${text}/${contract}/1`,
    `/api/nfts/a/${text}/1`,
    `/api/nfts/a/${contract}/${text}`,
  ]
  for (const url of paths) expect((await app.inject(url)).statusCode, url).toBeLessThan(500)
  for (const url of [`/api/nfts/${text}/1/set-price`, `/api/nfts/${contract}/${text}/remove-from-sale`]) {
    const headers = peers.bearer(seller.userId)
    const response = await app.inject({ method: 'PUT', url, headers, payload: { price: 1, forSale: true } })
    expect(response.statusCode, url).toBeGreaterThanOrEqual(400)
    expect(response.statusCode, url).toBeLessThan(500)
  }
})

test('no request body causes a 5xx', async () => {
  const bodies = ['', '{', '[]', 'null', '"x"', '{"price":{"a":1},"forSale":true}', '{"price":5,"forSale":[true]}']
  const more = [
    '{"constructor":{"prototype":{}}}',
    `{"price":5,"forSale":true,"name":"\\u0000"}`,
    `${'['.repeat(60)}${']'.repeat(60)}`,
  ]
  for (const payload of [...bodies, ...more]) {
    const headers = { ...peers.bearer(seller.userId), 'content-type': 'application/json' }
    const { statusCode } = await app.inject({ method: 'PUT', url: `${item.path}/set-price`, headers, payload })
    expect(statusCode, payload).toBe(400)
  }
  for (const body of [{}, [], { orderId: 'x' }, { items: {} }, { items: [null] }, 'x', null])
    expect((await post('/internal/reservations', body)).status).toBe(400)
})

test('another content type is a 415, another method a 405', async () => {
  const headers = { ...peers.bearer(seller.userId), 'content-type': 'text/plain' }
  const response = await app.inject({ method: 'PUT', url: `${item.path}/set-price`, headers, payload: '{"price":5}' })
  expect(response.statusCode).toBe(415)
  expect((await app.inject({ method: 'POST', url: '/api/nfts/market', payload: {} })).statusCode).toBe(405)
})

test('a token is accepted in the Authorization header only', async () => {
  const { authorization } = peers.bearer(seller.userId)
  const token = authorization.slice('Bearer '.length)
  const response = await app.inject({
    method: 'PUT',
    url: `${item.path}/remove-from-sale?token=${token.slice(0, 100)}`,
    headers: { cookie: `token=${token}` },
    payload: { token },
  })
  expect(response.statusCode).toBe(401)
})

test('/openapi.json lists every route', async () => {
  const { paths } = (await app.inject('/openapi.json')).json()
  expect(Object.keys(paths).sort()).toEqual([
    '/api/auctions',
    '/api/auctions/{id}',
    '/api/auctions/{id}/bidder',
    '/api/auctions/{id}/bids',
    '/api/creators',
    '/api/creators/export',
    '/api/exhibitions',
    '/api/exhibitions/{slug}',
    '/api/favourites',
    '/api/favourites/{id}',
    '/api/follows',
    '/api/follows/{id}',
    '/api/nfts/by-id',
    '/api/nfts/featured',
    '/api/nfts/hidden',
    '/api/nfts/market',
    '/api/nfts/sitemap',
    '/api/nfts/sitemap/exhibitions',
    '/api/nfts/sitemap/parts',
    '/api/nfts/top-items',
    '/api/nfts/user/{username}',
    '/api/nfts/{contract}/{identifier}/hide',
    '/api/nfts/{contract}/{identifier}/offers',
    '/api/nfts/{contract}/{identifier}/remove-from-sale',
    '/api/nfts/{contract}/{identifier}/set-price',
    '/api/nfts/{contract}/{identifier}/show',
    '/api/nfts/{username}/{contract}/{identifier}',
    '/api/received-offers',
    '/api/received-offers/{orderId}/accept',
    '/api/received-offers/{orderId}/decline',
    '/api/series',
    '/api/series/{id}',
  ])
})
