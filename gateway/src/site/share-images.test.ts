import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { createApp } from '@nifty/service-kit/http/app'
import { testLog } from '@nifty/service-kit/testing/log'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { GatewayOptions } from '../gateway.ts'
import { publicUrl, startTestGateway, stub } from '../testing/gateway.ts'

const contract = `0x${'ab'.repeat(20)}`
const creator = { username: '@ada', firstName: 'Ada', lastName: 'Lind', avatar: null }
const work = {
  name: 'Dusk',
  description: 'An evening',
  image: '/uploads/nfts/dusk.webp',
  forSale: true,
  price: 120,
  contract,
  identifier: '7',
  category: 'Art',
  reserved: false,
  ownerUsername: '@ada',
  creatorUsername: '@ada',
  creator,
}
const red = await sharp({ create: { width: 400, height: 600, channels: 3, background: '#ff0000' } })
  .webp()
  .toBuffer()

/** A store with one work, which a test may change; `drawn` counts the pictures that were read. */
async function startStore(options: Partial<GatewayOptions> = {}) {
  const state = {
    nft: { ...work } as typeof work | undefined,
    pictures: true,
    drawn: 0,
    artists: [] as string[],
    featuredReads: 0,
    featuredFails: false,
    drawing: Promise.resolve(),
  }
  const catalog = createApp({ log: testLog, name: 'catalog' })
  stub(catalog, '/api/nfts/:username/:contract/:identifier', async ({ params }, reply) => {
    const { identifier } = params as { identifier: string }
    if (!state.nft) return reply.code(404).send({ success: false })
    return identifier === work.identifier ? state.nft : { ...state.nft, name: `Dusk ${identifier}`, identifier }
  })
  stub(catalog, '/api/nfts/market', async ({ query }) => {
    const { creator } = query as { creator: string }
    state.artists.push(creator)
    const nfts = creator === '@ada' && state.nft ? [state.nft] : []
    return { nfts, total: nfts.length, page: 1, limit: 3 }
  })
  stub(catalog, '/api/nfts/featured', async (_request, reply) => {
    state.featuredReads++
    if (state.featuredFails) return reply.code(503).send({ success: false })
    return { nfts: state.nft ? [state.nft, state.nft, state.nft] : [] }
  })
  const minting = createApp({ log: testLog, name: 'minting' })
  stub(minting, '/uploads/nfts/:file', async (_request, reply) => {
    state.drawn++
    await state.drawing
    return state.pictures ? reply.type('image/webp').send(red) : reply.code(404).send({ success: false })
  })
  const { url } = await startTestGateway({ catalog: { app: catalog }, minting: { app: minting } }, options)
  const documentOf = async (path: string) => (await fetch(`${url}${path}`)).text()
  const tag = (html: string, name: string) =>
    html.match(new RegExp(`(?:property|name)="${name}" content="([^"]*)"`))?.[1]
  const imageOf = async (path: string) => tag(await documentOf(path), 'og:image')!.replace(publicUrl, url)
  return { state, url, documentOf, tag, imageOf }
}

const item = `/item-detail/@ada/${contract}/7`

test.each([
  ['a work', item, `/share/item/${contract}/7/`],
  ['an artist', '/creator-profile/@ada', '/share/artist/%40ada/'],
  ['home', '/', '/share/home/'],
  ['an artist without works', '/creator-profile/@eve', '/share/home/'],
])('%s has an image of 1200 × 630 pixels, whose address names its content', async (_what, page, address) => {
  const { documentOf, tag, imageOf } = await startStore()
  const html = await documentOf(page)
  expect(tag(html, 'og:image')).toMatch(new RegExp(`^${publicUrl}${address}[0-9a-f]{20}.jpg$`))
  expect(tag(html, 'og:image:width')).toBe('1200')
  expect(tag(html, 'og:image:height')).toBe('630')
  expect(tag(html, 'og:image:alt')).not.toBe('')
  expect(tag(html, 'twitter:card')).toBe('summary_large_image')

  const response = await fetch(await imageOf(page))
  expect(response.headers.get('content-type')).toBe('image/jpeg')
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  const jpeg = Buffer.from(await response.arrayBuffer())
  expect(await sharp(jpeg).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
  // The picture of the work is in it.
  const { data } = await sharp(jpeg)
    .extract({ left: 200, top: 200, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect(data[0]).toBeGreaterThan(240)
})

test('a new price or name is a new address; an old one leads to the present image', async () => {
  const { state, imageOf, url } = await startStore()
  const before = await imageOf(item)
  state.nft = { ...work, price: 90 }
  const after = await imageOf(item)
  expect(after).not.toBe(before)
  const redirect = await fetch(before, { redirect: 'manual' })
  expect([redirect.status, redirect.headers.get('cache-control')]).toEqual([302, 'public, max-age=60'])
  expect(`${url}${redirect.headers.get('location')}`).toBe(after)
  expect((await fetch(before)).status).toBe(200)
})

test('the image has the name of the store, as text, and another name is another address', async () => {
  const named = (name: string) => ({
    frontEnd: {
      chainId: 31337,
      store: { name, tagline: 'Art.' },
      company: { name: 'Lumen', number: '1', register: 'Registered', address: [], email: 'a@lumen.test' },
    },
  })
  /** Light pixels of the corner where the name stands. */
  const markOf = async (name: string) => {
    const { imageOf } = await startStore(named(name))
    const address = await imageOf(item)
    const jpeg = Buffer.from(await (await fetch(address)).arrayBuffer())
    const corner = { left: 648, top: 540, width: 512, height: 60 }
    const data = await sharp(jpeg).extract(corner).greyscale().raw().toBuffer()
    return { version: address.split('/').at(-1), pixels: data.filter((level) => level > 128).length }
  }
  const [short, marked, inside] = await Promise.all(['Art', '<b>Art</b>', 'bArtb'].map(markOf))
  expect(new Set([short!.version, marked!.version, inside!.version]).size).toBe(3)
  // The brackets and the slash are drawn.
  expect(short!.pixels).toBeGreaterThan(100)
  expect(marked!.pixels).toBeGreaterThan(inside!.pixels)
})

test('an image has the colours of the theme or the background of the shop, each at an address of its own', async () => {
  const looks = [
    {},
    { 'theme.css': ':root { --background: #00ff00; }' },
    {
      'share-background.png': await sharp({ create: { width: 1200, height: 630, channels: 3, background: '#0000ff' } })
        .png()
        .toBuffer(),
    },
  ]
  const drawn = []
  for (const files of looks) {
    const brandingDir = await temporaryFolder('branding')
    for (const [name, content] of Object.entries(files)) await writeFile(join(brandingDir, name), content)
    const { imageOf } = await startStore({ brandingDir })
    const address = await imageOf(item)
    const jpeg = Buffer.from(await (await fetch(address)).arrayBuffer())
    const [red = 0, green = 0, blue = 0] = await sharp(jpeg)
      .extract({ left: 4, top: 4, width: 1, height: 1 })
      .raw()
      .toBuffer()
    drawn.push({ version: address.split('/').at(-1), bright: [red > 200, green > 200, blue > 200] })
  }
  expect(drawn.map(({ bright }) => bright)).toEqual([
    [false, false, false],
    [false, true, false],
    [false, false, true],
  ])
  expect(new Set(drawn.map(({ version }) => version)).size).toBe(3)
})

test('an image is drawn once, however many ask', async () => {
  const { state, imageOf } = await startStore()
  const address = await imageOf(item)
  const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(address)))
  await fetch(address)
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  expect(state.drawn).toBe(1)
})

test.each([false, true])(
  'catalog is asked once for the documents of a minute, also when it fails: %s',
  async (fails) => {
    const { state, documentOf, tag } = await startStore()
    state.featuredFails = fails
    const documents = await Promise.all(Array.from({ length: 10 }, () => documentOf('/contact')))
    documents.push(await documentOf('/terms'))
    for (const html of documents) expect(tag(html, 'og:image')).toContain('/share/home/')
    expect(state.featuredReads).toBe(1)
  },
)

test('an image without its picture is not kept', async () => {
  const { state, imageOf } = await startStore()
  state.pictures = false
  const address = await imageOf(item)
  expect((await fetch(address)).headers.get('cache-control')).toBe('public, max-age=60')
  state.pictures = true
  expect((await fetch(address)).headers.get('cache-control')).toContain('immutable')
})

test('a hidden work has no image, and other addresses are 404', async () => {
  const { state, imageOf, url } = await startStore()
  const address = await imageOf(item)
  const version = 'a'.repeat(20)
  const wrong = ['home.jpg', `home/x/${version}.jpg`, `item/0x1/7/${version}.jpg`, `item/${contract}/${version}.jpg`]
  const names = [`artist//${version}.jpg`, `artist/a%2fb/${version}.jpg`, `artist/${'a'.repeat(301)}/${version}.jpg`]
  const longer = [`item/${contract}/7/x/${version}.jpg`, `artist/@ada/x/${version}.jpg`]
  const more = [`artist/${version}.jpg`, `artist/@eve/${version}.jpg`, `nothing/${version}.jpg`]
  for (const path of [...wrong, ...names, ...longer, ...more, `item/${contract}/7/${version}.png`, ''])
    expect((await fetch(`${url}/share/${path}`)).status, path).toBe(404)
  // For a name that cannot be one, catalog gets no request.
  expect(state.artists).toEqual(['@eve'])
  state.nft = undefined
  expect((await fetch(address)).status).toBe(404)
})

test.each([
  ['80 letters without a space', 'W'.repeat(80), 'Ada'],
  ['Arabic', 'غروب الشمس فوق المدينة القديمة', 'محمد الفنان العربي'],
  ['markup', '<b>&amp; "quoted" </span>', "O'Neill <i>"],
  ['80 wide signs', '漢'.repeat(80), '漢'.repeat(60)],
  ['control characters', '\u0001\u0002', '\u0007'],
  ['other control characters', '\u0085\u0090', '\u009f'],
])('a title of %s fits', async (_what, name, firstName) => {
  const { state, imageOf } = await startStore()
  state.nft = { ...work, name, creator: { ...creator, firstName, lastName: '' } }
  const jpeg = Buffer.from(await (await fetch(await imageOf(item))).arrayBuffer())
  expect(await sharp(jpeg).metadata()).toMatchObject({ width: 1200, height: 630 })
  // No letter in the margin on the right.
  const margin = await sharp(
    await sharp(jpeg).extract({ left: 1164, top: 0, width: 36, height: 630 }).png().toBuffer(),
  ).stats()
  expect(Math.max(...margin.channels.map(({ max }) => max))).toBeLessThan(40)
})

test('a work for sale is a Product with an Offer, one that is not has none, and no text ends the block', async () => {
  const { state, documentOf } = await startStore()
  const productIn = (html: string) =>
    JSON.parse(html.match(/<script type="application\/ld\+json">([^<]*)<\/script>/)![1]!)
  state.nft = { ...work, name: '</script><script>alert(1)</script>' }
  const html = await documentOf(item)
  expect(html).not.toContain('alert(1)</script>')
  const product = productIn(html)
  expect(product).toMatchObject({
    '@type': 'Product',
    name: state.nft.name,
    sku: `${contract}/7`,
    brand: { name: 'Ada Lind' },
    offers: { '@type': 'Offer', price: '120.00', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
  })
  expect(product.url).toBe(`${publicUrl}/item-detail/%40ada/${contract}/7`)
  state.nft = { ...work, forSale: false }
  expect(productIn(await documentOf(item)).offers).toBeUndefined()
})

test('a work on auction has no offer for search engines; description and image have the bid, and change with it', async () => {
  const { state, documentOf, tag, imageOf } = await startStore()
  const onAuction = (price: number | null) =>
    Object.assign({ ...work, forSale: false }, { auction: { outcome: null, opening: 50, price } })
  state.nft = onAuction(null)
  const html = await documentOf(item)
  expect(html).not.toContain('"Offer"')
  expect(tag(html, 'description')).toBe('An evening On auction, opening bid 50\u00a0€.')
  const before = await imageOf(item)

  state.nft = onAuction(120)
  expect(tag(await documentOf(item), 'description')).toBe('An evening On auction, current bid 120\u00a0€.')
  expect(await imageOf(item)).not.toBe(before)

  state.nft = Object.assign({ ...work, forSale: false }, { auction: { outcome: 'unsold', opening: 50, price: null } })
  expect(tag(await documentOf(item), 'description')).toBe('An evening')
})

test('the networks of one IPv6 /48 share the five places in which drawings of one client wait', async () => {
  const { imageOf, state } = await startStore({ trustedProxies: ['127.0.0.1'] })
  const addresses = await Promise.all(
    Array.from({ length: 10 }, (_, index) => imageOf(`/item-detail/@ada/${contract}/${100 + index}`)),
  )
  const drawing = Promise.withResolvers<void>()
  state.drawing = drawing.promise
  const statuses: number[] = []
  const requests = addresses.map(async (address, index) => {
    const { status } = await fetch(address, { headers: { 'x-forwarded-for': `2001:db8:1:${index + 1}::1` } })
    statuses.push(status)
  })
  // One is drawn and five wait.
  await expect.poll(() => statuses).toEqual([429, 429, 429, 429])
  drawing.resolve()
  await Promise.all(requests)
  expect(statuses.filter((status) => status === 200)).toHaveLength(6)
})
