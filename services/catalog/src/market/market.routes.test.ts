import { randomUUID } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { accountChanged } from '@nifty/events/auth'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { orderFor, startTestCatalog } from '../testing.ts'

const { app, post, put, get, market, consume, givenAccount, givenItem, peers } = await startTestCatalog()
const ada = await givenAccount({ admin: true, username: '@Ada', firstName: 'Ada', lastName: 'Moon', avatar: '/a.webp' })
const names = async (query: string) => (await market(query)).nfts.map(({ name }) => name)
const status = async (query: string) => (await app.inject(`/api/nfts/market${query}`)).statusCode

test.each(['limit=-1', 'limit=0', 'limit=abc', 'limit=1.5', 'limit=1e3', 'page=0', 'page=-1', 'page=x', 'page=0x1'])(
  'a market with %s is refused',
  async (query) => {
    expect(await get(`/api/nfts/market?${query}`)).toMatchObject({ success: false, message: 'Invalid paging' })
    expect(await status(`?${query}`)).toBe(400)
  },
)

test('a limit above 200 is capped, and any page number is accepted', async () => {
  for (const limit of ['201', '1000000000'])
    expect(await get(`/api/nfts/market?limit=${limit}`)).toMatchObject({ limit: 200 })
  const far = await get('/api/nfts/market?page=1000000000000')
  expect(far).toMatchObject({ nfts: [], page: 1e12, limit: 200 })
  expect(await status('?page=1&page=2')).toBe(400)
  expect(await status('?search=%00')).toBe(400)
})

test('newest listing first, page by page, without gaps or repetitions', async () => {
  const made = []
  for (const name of ['One', 'Two', 'Three', 'Four', 'Five'])
    made.push(await givenItem(ada.userId, { name, category: 'Moto' }))
  const page = (number: number) => names(`?category=Moto&limit=2&page=${number}`)
  expect(await page(1)).toEqual(['Five', 'Four'])
  expect(await page(2)).toEqual(['Three', 'Two'])
  expect(await page(3)).toEqual(['One'])
  expect(await page(4)).toEqual([])
  expect((await market('?category=Moto&limit=2&page=3')).total).toBe(5)

  await put(ada.userId, `${made[1]!.path}/set-price`, { price: 3, forSale: true })
  expect(await page(1)).toEqual(['Five', 'Four'])
})

test.each([
  ['name', 'CRIMSON har', 'Crimson Harbour'],
  ['description', 'seen at night', 'Crimson Harbour'],
  ['creator', '@ada', 'Crimson Harbour'],
  ["creator's full name", 'ada moon', 'Crimson Harbour'],
  ['category', 'tube', 'Crimson Harbour'],
  ['percent sign', '100%', '100% \\ "Wool"_'],
  ['underscore', '"_', '100% \\ "Wool"_'],
  ['backslash', '\\', '100% \\ "Wool"_'],
  ['quote', '"wool"', '100% \\ "Wool"_'],
  ['pattern', '(a+)+$', 'Pattern (a+)+$'],
  ['emoji', '🦊', 'Fox 🦊'],
  ['right to left', 'ירח', 'ירח'],
])('search finds an item by its %s', async (_what, term, found) => {
  for (const name of ['Crimson Harbour', '100% \\ "Wool"_', 'Pattern (a+)+$', 'Fox 🦊', 'ירח'])
    if ((await market(`?search=${encodeURIComponent(name)}`)).total === 0)
      await givenItem(ada.userId, {
        name,
        description: name === 'Crimson Harbour' ? 'Seen at\nnight' : '',
        category: 'Tube',
      })
  expect(await names(`?search=${encodeURIComponent(term)}`)).toContain(found)
  if (/[^a-z@ ]/.test(term)) expect(await names(`?search=${encodeURIComponent(term)}`)).toEqual([found])
})

test('a search matches substrings, not patterns, and not across fields', async () => {
  await givenItem(ada.userId, { name: 'Kelp', description: 'Forest' })
  for (const term of ['k_lp', 'k%p', 'k.lp', "' or 1=1 --", 'kelpforest'])
    expect((await market(`?search=${encodeURIComponent(term)}`)).total, term).toBe(0)
})

test('a search may have 100 characters and no more', async () => {
  expect(await status(`?search=${'x'.repeat(100)}`)).toBe(200)
  expect(await status(`?search=${'x'.repeat(101)}`)).toBe(400)
})

test('an unknown category is empty, an unknown buyOption is ignored, "now" means for sale', async () => {
  await givenItem(ada.userId, { name: 'Listed', category: 'Cube' })
  await givenItem(ada.userId, { name: 'Kept', category: 'Cube', priceCents: null })
  for (const category of ['Nope', 'cube', "Cube'--", '__proto__'])
    expect(await market(`?category=${encodeURIComponent(category)}`)).toMatchObject({ nfts: [], total: 0 })
  expect((await names('?category=Cube&buyOption=evil')).sort()).toEqual(['Kept', 'Listed'])
  expect((await names('?category=Cube&buyOption=')).sort()).toEqual(['Kept', 'Listed'])
  expect(await market('?category=Cube&buyOption=now')).toMatchObject({ nfts: [{ name: 'Listed' }], total: 1 })
})

test('a market item has the fields of the specification and no private ones', async () => {
  const item = await givenItem(ada.userId, { name: 'Plain' })
  const [card] = (await market('?search=plain')).nfts
  expect(card).toEqual({
    _id: item.itemId,
    name: 'Plain',
    title: 'Plain',
    description: 'An evening',
    category: 'Art',
    price: 120,
    image: item.picture.path,
    display_image_url: item.picture.path,
    width: 1600,
    height: 1200,
    color: '#aabbcc',
    forSale: true,
    listingPending: false,
    offers: null,
    auction: null,
    reserved: false,
    contract: item.contract,
    identifier: item.identifier,
    token_standard: 'ERC721',
    owner: { username: '@Ada', avatar: '/a.webp', firstName: 'Ada', lastName: 'Moon' },
    ownerUsername: '@Ada',
    ownerFirstName: 'Ada',
    ownerLastName: 'Moon',
    ownerAvatar: '/a.webp',
    creatorUsername: '@Ada',
  })
})

test('host, headers, parameter order, unknown parameters and a token do not change the response', async () => {
  const plain = await app.inject('/api/nfts/market?page=1&limit=5&search=a')
  const others = await Promise.all([
    app.inject({ url: '/api/nfts/market?search=a&limit=5&page=1', headers: { host: 'evil.test' } }),
    app.inject({ url: '/api/nfts/market?search=A&limit=5', headers: { 'x-forwarded-host': 'evil.test' } }),
    app.inject({ url: '/api/nfts/market?limit=5&utm=x&search=a&owner=1', headers: { ORIGIN: 'https://evil.test' } }),
    app.inject({ url: '/api/nfts/market?limit=5&search=a', headers: peers.bearer(randomUUID()) }),
    app.inject({ url: '/api/nfts/market?limit=5&search=a', headers: { authorization: 'Bearer nonsense' } }),
  ])
  expect(plain.headers).toMatchObject({
    'cache-control': 'no-cache',
    vary: 'Accept-Encoding, Authorization',
    etag: expect.any(String),
  })
  for (const { rawPayload, headers } of others) {
    expect(rawPayload.equals(plain.rawPayload)).toBe(true)
    expect(headers.etag).toBe(plain.headers.etag)
  }
})

test('a request with the current ETag gets a 304 until something changes', async () => {
  const url = '/api/nfts/market?category=Anime'
  const etag = String((await app.inject(url)).headers.etag)
  const getWithEtag = (tag: string) => app.inject({ url, headers: { 'if-none-match': tag } })
  for (const tag of [etag, etag.replace('W/', ''), `"x", ${etag}`, '*']) {
    const { statusCode, payload, headers } = await getWithEtag(tag)
    expect([statusCode, payload, headers.etag]).toEqual([304, '', etag])
  }
  expect((await getWithEtag('"other"')).statusCode).toBe(200)
  await givenItem(ada.userId, { category: 'Anime' })
  await market()
  expect((await getWithEtag(etag)).statusCode).toBe(200)
})

test('responses are compressed as Accept-Encoding allows', async () => {
  const url = '/api/nfts/market'
  const read = async (encoding: string) => app.inject({ url, headers: { 'accept-encoding': encoding } })
  const plain = (await app.inject(url)).payload
  const [br, gzip, refused] = [await read('gzip, br'), await read('gzip;q=0.5'), await read('br;q=0, identity')]
  expect(br.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain)
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain)
  expect(refused.headers['content-encoding']).toBeUndefined()
})

test('a reservation, a renamed owner and a removal are in the next response', async () => {
  const item = await givenItem(ada.userId, { name: 'Watched' })
  const watched = async () => (await market('?search=watched')).nfts[0]
  expect(await watched()).toMatchObject({ reserved: false })
  await post('/internal/reservations', orderFor([item]))
  expect(await watched()).toMatchObject({ reserved: true })
  await consume(messageOf(accountChanged, { ...ada, version: 2, lastName: 'Sun' }))
  await expect.poll(async () => (await watched()).ownerLastName).toBe('Sun')
  await consume(messageOf(accountChanged, { ...ada, version: 3 }))
})

test('the items of a user are found with and without the "@"; an unknown user has none', async () => {
  for (const name of ['@ada', 'Ada', '@ADA'])
    expect((await get(`/api/nfts/user/${name}`)).nfts.length).toBeGreaterThan(0)
  for (const name of ['nobody', '%F0%9F%A6%8A', 'x'.repeat(300), "'", '@', '__proto__'])
    expect(await get(`/api/nfts/user/${name}`)).toEqual({ nfts: [] })
  for (const name of ['%00', 'x'.repeat(301), '%ff', '..%2f'])
    expect((await app.inject(`/api/nfts/user/${name}`)).statusCode).toBe(400)
})

test('an item page is found by contract and identifier alone', async () => {
  const item = await givenItem(ada.userId, { name: 'Page' })
  const lower = item.contract.toLowerCase()
  for (const path of [`@Ada/${item.contract}`, `@former/${lower}`, `x/0x${lower.slice(2).toUpperCase()}`])
    expect(await get(`/api/nfts/${path}/${item.identifier}`)).toMatchObject({ _id: item.itemId, name: 'Page' })
  const wrongCase = item.contract.replace('F', 'f')
  const far = 2n ** 256n
  for (const path of [
    `${wrongCase}/${item.identifier}`,
    `${lower}/${far}`,
    `${lower}/0${item.identifier}`,
    `${lower}/1`,
  ])
    expect(await get(`/api/nfts/@Ada/${path}`)).toMatchObject({ success: false, message: 'NFT not found' })
  for (const path of [`${lower}/-1`, `${lower}/1e3`, `0x123/1`, `${lower}/%00`, `${lower}/${'9'.repeat(101)}`])
    expect((await app.inject(`/api/nfts/@Ada/${path}`)).statusCode).toBe(400)
})

test('creators have their two newest items, and top items are for sale', async () => {
  const { creators } = await get('/api/creators?sort=best')
  expect(creators).toMatchObject([{ username: '@Ada', works: expect.any(Number), sales: 0 }])
  expect(creators[0].items.map(({ name }: { name: string }) => name)).toEqual(await names('?limit=2'))
  const { nfts } = await get('/api/nfts/top-items')
  expect(nfts.length).toBeGreaterThan(0)
  expect(nfts.every(({ forSale }: { forSale: boolean }) => forSale)).toBe(true)
  for (const limit of ['0', 'x']) expect((await app.inject(`/api/creators?limit=${limit}`)).statusCode).toBe(400)
})
