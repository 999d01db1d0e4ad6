import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Endpoint, endpoint } from '@nifty/api/endpoint'
import { perService, type ServiceName } from '@nifty/api/services'
import { atEnd } from '@nifty/dev-servers/at-end'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { createMetrics } from '@nifty/service-kit/base/metrics'
import { type App, createApp } from '@nifty/service-kit/http/app'
import { type EndpointHandler, registerRoute } from '@nifty/service-kit/http/routes'
import type { Upstream } from '@nifty/service-kit/http/upstream'
import { testLog } from '@nifty/service-kit/testing/log'
import { buildGateway, type GatewayOptions } from '../gateway.ts'

export const publicUrl = 'http://store.test'

/** A public endpoint of a service in these tests, without schemas. */
export const stub = (app: App, path: string, handler: EndpointHandler<Endpoint>, method: Endpoint['method'] = 'GET') =>
  registerRoute(app, endpoint({ method, path, access: 'public' }), handler)

/** A service that returns the request that it received. */
function echo(name: string) {
  const app = createApp({ log: testLog, name })
  app.register(async (app) => {
    for (const path of ['/api/*', '/uploads/*'])
      for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const)
        registerRoute(app, endpoint({ method, path, access: 'public' }), async ({ headers, body, method, url }) => ({
          name,
          method,
          url,
          headers,
          body: body ?? null,
        }))
  })
  return app
}

/** Vite's manifest: the explore page shares one chunk with the entry and has one of its own. */
const manifest = {
  'index.html': { file: 'assets/app-1234.js', imports: ['_vendor.js'] },
  '_vendor.js': { file: 'assets/vendor-1234.js' },
  '_works.js': { file: 'assets/works-1234.js', imports: ['_vendor.js'] },
  'src/pages/explore/explore-page.tsx': { file: 'assets/explore-1234.js', imports: ['_vendor.js', '_works.js'] },
}

/** The build's list of entry pages. */
const entryPages = [
  {
    path: '^/$',
    module: 'src/pages/explore/explore-page.tsx',
    requests: ['/api/nfts/featured'],
    markup: '<h1>Home</h1><p>%0.name% by %0.artistInList%</p><p>%1.name% by %1.artistInList%</p>',
    markupWithoutWorks: '<h1>Home</h1>',
    image: { firstOf: '/api/nfts/featured', widths: [320, 640], sizes: ['60vw'] },
  },
  {
    path: '^/index$',
    module: 'src/pages/explore/explore-page.tsx',
    requests: [],
    markup: {
      0: '<h1>No work</h1>',
      1: '<h1>%0.name%</h1>',
      2: '<h1>%0.name%, %1.name%</h1>',
      3: '<h1>%0.name%, %1.name%, %2.name%</h1>',
    },
    image: { firstOf: '/api/nfts/featured', thenOf: '/api/nfts/market', widths: [320], sizes: ['60vw'] },
  },
  {
    path: '^/privacy$',
    module: 'src/pages/explore/explore-page.tsx',
    requests: [],
    text: 'privacy',
    markup: '<main lang="%text.lang%"><h1>%text.title%</h1>%text.body:html%</main>',
  },
  {
    path: '^/explore-one$',
    module: 'src/pages/explore/explore-page.tsx',
    requests: ['/api/nfts/market?page=1&limit=200'],
    markup: '<h1>Explore</h1>',
    image: { firstOf: '/api/nfts/market?page=1&limit=2', widths: [320, 640], sizes: ['50vw', '50vw'] },
  },
  {
    path: '^/item-detail/([^/]+)/([^/]+)/([^/]+)$',
    module: 'src/pages/item/item-page.tsx',
    requests: ['/api/nfts/$1/$2/$3'],
    markup: {
      'for-sale artist owner':
        '<h1>%0.name%</h1><img src="/uploads/nfts/%0.file%" data-style="--ratio:calc(%0.width% / %0.height%);--glow:%0.color%"><a href="/creator-profile/%0.artist:path%">%0.artistName%</a><p>%0.price%</p><p>%0.description%</p><p data-work="%0.preview%" data-terms="%terms.version%">%0.title%</p>',
      'not-for-sale': '<h1>%0.name%</h1><p>NOT FOR SALE</p>',
    },
    image: { widths: [320, 640], sizes: ['100vw'] },
  },
]

/** A built front end; `asset` is what its only script contains. */
export async function siteFolder(asset: string | Buffer = 'export {}') {
  const root = await temporaryFolder('gateway')
  await mkdir(join(root, 'assets'))
  await writeFile(
    join(root, 'index.html'),
    '<html><head><template id="app"><link rel="modulepreload" crossorigin href="/assets/app-1234.js" fetchpriority="low"></template></head><body><noscript>%store.name% needs JavaScript.</noscript><div id="root"></div></body></html>',
  )
  await writeFile(join(root, 'assets/app-1234.js'), asset)
  await mkdir(join(root, '.vite'))
  await writeFile(join(root, '.vite/manifest.json'), JSON.stringify(manifest))
  await writeFile(join(root, '.vite/entry-pages.json'), JSON.stringify(entryPages))
  return root
}

export const testFrontEnd = {
  chainId: 31337,
  store: { name: 'Nifty', tagline: 'A store for art.' },
  company: { name: 'Gallery Ltd', number: '1', register: 'Registered', address: [], email: 'a@gallery.test' },
}

export async function startTestGateway(
  upstreams: Partial<Record<ServiceName, Upstream>>,
  changes: Partial<GatewayOptions> = {},
) {
  const all = perService<Upstream>((name) => upstreams[name] ?? { app: echo(name) })
  for (const upstream of Object.values(all)) if ('app' in upstream) await upstream.app.ready()
  const metrics = createMetrics({ log: testLog })
  const app = await buildGateway({
    log: testLog,
    metrics,
    upstreams: all,
    webRoot: await siteFolder(),
    publicUrl,
    trustedProxies: [],
    rateLimitFactor: 1,
    drainSeconds: 0,
    thirdPartyHosts: { scripts: [], reports: [], frames: [] },
    frontEnd: testFrontEnd,
    ...changes,
  })
  atEnd(() => app.close())
  return { app, metrics, url: await app.listen({ host: '127.0.0.1', port: 0 }) }
}

export async function remoteEcho(name: string) {
  const app = echo(name)
  atEnd(() => app.close())
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }) }
}
