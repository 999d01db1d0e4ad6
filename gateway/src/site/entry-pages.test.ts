import { createApp } from '@nifty/service-kit/http/app'
import { testLog } from '@nifty/service-kit/testing/log'
import { expect, test } from 'vitest'
import { startTestGateway, stub } from '../testing/gateway.ts'

const contract = `0x${'ab'.repeat(20)}`

test('an entry page has the markup of the build, also with a query, and others have none', async () => {
  const catalog = createApp({ log: testLog, name: 'catalog' })
  stub(catalog, '/api/nfts/market', async () => ({ nfts: [] }))
  const { url } = await startTestGateway({ catalog: { app: catalog } })
  const documentOf = async (path: string) => (await fetch(url + path)).text()
  for (const path of ['/explore-one', '/explore-one?category=Cube'])
    expect(await documentOf(path)).toContain('<div id="root"><h1>Explore</h1></div>')
  expect(await documentOf('/terms')).toContain('<div id="root"></div>')
})

test('an entry page preloads its own scripts, and only those', async () => {
  const { url } = await startTestGateway({})
  const preloads = async (path: string) =>
    [...(await (await fetch(url + path)).text()).matchAll(/modulepreload" crossorigin href="([^"]+)"/g)].map(
      ([, file]) => file,
    )
  expect(await preloads('/explore-one?category=Cube')).toEqual(['/assets/explore-1234.js', '/assets/works-1234.js'])
  expect(await preloads('/terms')).toEqual([])
})

test('an entry page preloads its first API response and its largest images together with its scripts', async () => {
  const catalog = createApp({ log: testLog, name: 'catalog' })
  stub(catalog, '/api/nfts/market', async ({ query }) => ({
    nfts: [{ image: `/uploads/nfts/first-of-${(query as { limit: string }).limit}` }, { image: '/uploads/nfts/other' }],
  }))
  stub(catalog, '/api/nfts/:username/:contract/:identifier', async () => ({
    name: 'Dusk',
    image: '/uploads/nfts/dusk',
  }))
  const { url } = await startTestGateway({ catalog: { app: catalog } })
  const preloads = async (path: string) =>
    [...(await (await fetch(url + path)).text()).matchAll(/<link rel="preload" as="(?:fetch|image)" ([^>]*) \/>/g)].map(
      ([, attributes]) => attributes,
    )
  const picture = (path: string, sizes: string) =>
    `imagesrcset="${path}?w=320 320w, ${path}?w=640 640w" imagesizes="${sizes}" fetchpriority="high"`
  expect(await preloads('/explore-one')).toEqual([
    'crossorigin href="/api/nfts/market?page=1&amp;limit=200"',
    picture('/uploads/nfts/first-of-2', '50vw'),
    picture('/uploads/nfts/other', '50vw'),
  ])
  // Encoded as in the front end's request: each path segment on its own.
  expect(await preloads(`/item-detail/@ada/${contract}/7`)).toEqual([
    `crossorigin href="/api/nfts/%40ada/${contract}/7"`,
    picture('/uploads/nfts/dusk', '100vw'),
  ])
  // With a query the page sends a different request.
  expect(await preloads('/explore-one?category=Cube')).toEqual([])
  expect(await preloads('/terms')).toEqual([])
})

test('an entry page is served without an image preload when the market is empty', async () => {
  const catalog = createApp({ log: testLog, name: 'catalog' })
  stub(catalog, '/api/nfts/market', async () => ({ nfts: [] }))
  const { url } = await startTestGateway({ catalog: { app: catalog } })
  expect(await (await fetch(`${url}/explore-one`)).text()).not.toContain('as="image"')
})

test('the markup of an item page shows the item, and there is none for what cannot be shown', async () => {
  const work = { name: 'Dusk & <Dawn>', image: '/uploads/nfts/dusk', width: 800, height: 1000, color: '#0a141e' }
  const catalog = createApp({ log: testLog, name: 'catalog' })
  stub(catalog, '/api/nfts/:username/:contract/:identifier', async ({ params }) => {
    const { identifier } = params as { identifier: string }
    if (identifier === '8') return { ...work, color: 'red;background:url(//x)' }
    return identifier === '9' ? { ...work, image: null } : work
  })
  const { url } = await startTestGateway({ catalog: { app: catalog } })
  const documentOf = async (path: string) => (await fetch(`${url}/item-detail/@ada/${contract}/${path}`)).text()
  expect(await documentOf('7')).toContain(
    '<div id="root"><h1>Dusk &amp; &lt;Dawn&gt;</h1>' +
      '<img src="/uploads/nfts/dusk" data-style="--ratio:calc(800 / 1000);--glow:#0a141e"></div>',
  )
  for (const path of ['8', '9', '7?paid=1']) expect(await documentOf(path), path).toContain('<div id="root"></div>')
})

test('hints of what the app needs are in a template, those of the first screen are not', async () => {
  const { url } = await startTestGateway({})
  const [, template = ''] = (await (await fetch(`${url}/explore-one`)).text()).match(
    /<template id="app">(.*?)<\/template>/s,
  )!
  expect(template).toContain('modulepreload')
  expect(template).toContain('as="fetch"')
  expect(template).not.toContain('as="image"')
})

test.each(['br', 'gzip', 'identity'])('a document is sent with content coding %s', async (encoding) => {
  const { url } = await startTestGateway({})
  const response = await fetch(`${url}/terms`, { headers: { 'accept-encoding': encoding } })
  expect(response.headers.get('content-encoding') ?? 'identity').toBe(encoding)
  expect(response.headers.get('vary')).toContain('Accept-Encoding')
  expect(await response.text()).toContain('<title>')
})
