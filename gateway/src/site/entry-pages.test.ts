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
    [
      ...(await (await fetch(url + path)).text()).matchAll(
        /modulepreload" crossorigin href="([^"]+)" fetchpriority="low"/g,
      ),
    ].map(([, file]) => file)
  const app = '/assets/app-1234.js'
  expect(await preloads('/explore-one?category=Cube')).toEqual([
    app,
    '/assets/explore-1234.js',
    '/assets/works-1234.js',
  ])
  expect(await preloads('/terms')).toEqual([app])
})

test('hints of what the app needs are in a template where the document shows something, else in its head', async () => {
  const catalog = createApp({ log: testLog, name: 'catalog' })
  stub(catalog, '/api/nfts/market', async () => ({ nfts: [] }))
  const { url } = await startTestGateway({ catalog: { app: catalog } })
  const partsOf = async (path: string) => {
    const document = await (await fetch(url + path)).text()
    const [template = ''] = document.match(/<template id="app">.*?<\/template>/s) ?? []
    return { template, others: document.replace(template, '') }
  }
  const hints = [
    /modulepreload" crossorigin href="\/assets\/app-/,
    /modulepreload" crossorigin href="\/assets\/explore-/,
  ]
  const explore = await partsOf('/explore-one')
  for (const hint of [...hints, /as="fetch"/]) {
    expect(explore.template).toMatch(hint)
    expect(explore.others).not.toMatch(hint)
  }
  const login = await partsOf('/login')
  expect(login.template).toBe('')
  expect(login.others).toMatch(hints[0]!)
})

test('home shows the works of its first response, and the same without works while there are too few', async () => {
  let names = ['Dusk', 'Dawn', 'Noon']
  const catalog = createApp({ log: testLog, name: 'catalog' })
  const ada = { username: '@ada', firstName: 'Ada', lastName: 'Lind', avatar: null }
  stub(catalog, '/api/nfts/featured', async () => ({
    nfts: names.map((name) => ({
      ...work,
      name,
      image: `/uploads/nfts/${name}`,
      creatorUsername: '@ada',
      owner: name === 'Dawn' ? { ...ada, username: '@ben' } : ada,
    })),
  }))
  const { url } = await startTestGateway({ catalog: { app: catalog } })
  const documentOf = async (path: string) => (await fetch(url + path)).text()
  const document = await documentOf('/')
  expect(document).toContain('<div id="root"><h1>Home</h1><p>Dusk by Ada Lind</p><p>Dawn by @ada</p></div>')
  const images = [...document.matchAll(/imagesrcset="(\S+)[^>]* imagesizes="([^"]+)"/g)]
  expect(images.map(([, image, sizes]) => [image, sizes])).toEqual([['/uploads/nfts/Dusk?w=320', '60vw']])
  const withoutWorks = '<div id="root"><h1>Home</h1></div>'
  expect(await documentOf('/?utm_source=mail')).toContain(withoutWorks)
  names = ['Dusk']
  expect(await documentOf('/')).toContain(withoutWorks)
})

test('home has as many frames as the store has works: the featured ones, then those of the market', async () => {
  const lists: Record<string, string[]> = { featured: [], market: [] }
  const nftsOf = (list: string) => ({
    nfts: lists[list]!.map((name) => ({ ...work, _id: name, name, image: `/uploads/nfts/${name}` })),
  })
  const catalog = createApp({ log: testLog, name: 'catalog' })
  stub(catalog, '/api/nfts/featured', async () => nftsOf('featured'))
  stub(catalog, '/api/nfts/market', async () => nftsOf('market'))
  const { url } = await startTestGateway({ catalog: { app: catalog } })
  const rootOf = async () => /<div id="root">(.*)<\/div>/.exec(await (await fetch(`${url}/index`)).text())![1]

  expect(await rootOf()).toBe('<h1>No work</h1>')
  lists.market = ['Dusk']
  expect(await rootOf()).toBe('<h1>Dusk</h1>')
  lists.featured = ['Dusk']
  expect(await rootOf()).toBe('<h1>Dusk</h1>')
  lists.market = ['Dawn', 'Dusk', 'Noon']
  expect(await rootOf()).toBe('<h1>Dusk, Dawn, Noon</h1>')
})

test('an entry page preloads its first API response and its largest images together with its scripts', async () => {
  const catalog = createApp({ log: testLog, name: 'catalog' })
  stub(catalog, '/api/nfts/market', async ({ query }) => ({
    nfts: [{ image: `/uploads/nfts/first-of-${(query as { limit: string }).limit}` }, { image: '/uploads/nfts/other' }],
  }))
  stub(catalog, '/api/nfts/:username/:contract/:identifier', async () => ({
    name: 'Dusk',
    image: '/uploads/nfts/dusk',
    contract,
    identifier: '7',
    ownerUsername: '@ada',
  }))
  const { url } = await startTestGateway({ catalog: { app: catalog } })
  const preloads = async (path: string) =>
    [...(await (await fetch(url + path)).text()).matchAll(/<link rel="preload" as="(?:fetch|image)" ([^>]*) \/>/g)].map(
      ([, attributes]) => attributes,
    )
  const picture = (path: string, sizes: string) =>
    `imagesrcset="${path}?w=320 320w, ${path}?w=640 640w" imagesizes="${sizes}" fetchpriority="high"`
  expect(await preloads('/explore-one')).toEqual([
    picture('/uploads/nfts/first-of-2', '50vw'),
    picture('/uploads/nfts/other', '50vw'),
    'crossorigin href="/api/nfts/market?page=1&amp;limit=200" fetchpriority="low"',
  ])
  // Encoded as in the front end's request: each path segment on its own.
  expect(await preloads(`/item-detail/@ada/${contract}/7`)).toEqual([
    picture('/uploads/nfts/dusk', '100vw'),
    `crossorigin href="/api/nfts/%40ada/${contract}/7" fetchpriority="low"`,
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

const hostile = '</p><script>alert(1)</script>%0.name%'
const work = {
  name: 'Dusk & <Dawn>',
  image: '/uploads/nfts/dusk',
  width: 800,
  height: 1000,
  color: '#0a141e',
  description: hostile,
  contract,
  identifier: '7',
  price: 1450,
  forSale: true,
  reserved: false,
  creator: { username: '@ada/"<', firstName: '"><img src=x onerror=alert(1)>', lastName: '', avatar: null },
  owner: { username: '@ben', firstName: 'Ben', lastName: '', avatar: null },
  ownerUsername: '@ada',
}

/** The documents of a store whose catalog has one work, as `works` changes it by its token id. */
async function documentsOf(works: Record<string, object>) {
  const catalog = createApp({ log: testLog, name: 'catalog' })
  stub(catalog, '/api/nfts/:username/:contract/:identifier', async ({ params }) => ({
    ...work,
    identifier: (params as { identifier: string }).identifier,
    ...works[(params as { identifier: string }).identifier],
  }))
  const { url } = await startTestGateway({ catalog: { app: catalog } })
  return async (path: string) => {
    const document = await (await fetch(`${url}/item-detail/@ada/${contract}/${path}`)).text()
    return /<div id="root">(.*?)<\/div>/s.exec(document)![1]
  }
}

test('the markup of an item page shows the item, its artist and its price as text, and none of their characters as markup', async () => {
  const documentOf = await documentsOf({})
  const shown =
    '<h1>Dusk &amp; &lt;Dawn&gt;</h1>' +
    '<img src="/uploads/nfts/dusk" data-style="--ratio:calc(800 / 1000);--glow:#0a141e">' +
    '<a href="/creator-profile/%40ada%2F%22%3C">&quot;&gt;&lt;img src=x onerror=alert(1)&gt;</a>' +
    '<p>1,450\u00a0€</p>' +
    '<p>&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;%0.name%</p>' +
    '<p data-work="{&quot;name&quot;:&quot;Dusk &amp; &lt;Dawn&gt;&quot;,&quot;image&quot;:&quot;/uploads/nfts/dusk&quot;,' +
    '&quot;width&quot;:800,&quot;height&quot;:1000,&quot;color&quot;:&quot;#0a141e&quot;}" data-terms="2025-02-13">' +
    'Dusk &amp; &lt;Dawn&gt; by &quot;&gt;&lt;img src=x onerror=alert(1)&gt;</p>'
  expect(await documentOf('7')).toBe(shown)
  // Shared links have a query of their own.
  expect(await documentOf('7?utm_source=mail')).toBe(shown)
})

test('the markup of an item page follows what the work is', async () => {
  const documentOf = await documentsOf({
    1: { forSale: false, creator: null, owner: null, ownerUsername: null },
    // Not among those of this build.
    2: { reserved: true },
    3: { color: 'red;background:url(//x)' },
    4: { image: null },
    5: { forSale: false, auction: { outcome: null, opening: 50, price: null } },
  })
  expect(await documentOf('1')).toBe('<h1>Dusk &amp; &lt;Dawn&gt;</h1><p>NOT FOR SALE</p>')
  for (const path of ['2', '3', '4', '5']) expect(await documentOf(path), path).toBe('')
})

test('a document is written for each request, with the price that the catalog has then', async () => {
  let price = 10
  const catalog = createApp({ log: testLog, name: 'catalog' })
  stub(catalog, '/api/nfts/:username/:contract/:identifier', async () => ({ ...work, price }))
  const { url } = await startTestGateway({ catalog: { app: catalog } })
  const open = () => fetch(`${url}/item-detail/@ada/${contract}/7`)
  expect(await (await open()).text()).toContain('<p>10\u00a0€</p>')
  price = 11
  const response = await open()
  expect(response.headers.get('cache-control')).toBe('no-cache')
  expect(await response.text()).toContain('<p>11\u00a0€</p>')
})

test.each(['br', 'gzip', 'identity'])('a document is sent with content coding %s', async (encoding) => {
  const { url } = await startTestGateway({})
  const response = await fetch(`${url}/terms`, { headers: { 'accept-encoding': encoding } })
  expect(response.headers.get('content-encoding') ?? 'identity').toBe(encoding)
  expect(response.headers.get('vary')).toContain('Accept-Encoding')
  expect(await response.text()).toContain('<title>')
})
