import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pages } from '@nifty/api/pages'
import { readContent } from '@nifty/content/content'
import { unavailable } from '@nifty/service-kit/base/errors'
import { createApp } from '@nifty/service-kit/http/app'
import { findKeptJson, getJson, type Upstream } from '@nifty/service-kit/http/upstream'
import { testLog } from '@nifty/service-kit/testing/log'
import { expect, onTestFinished, test } from 'vitest'
import { createCards } from '../share-images/subjects.ts'
import { headOf as headOfSources, indexedPaths } from './pages.ts'

const company = { name: 'Gallery Ltd', number: '1', register: 'Registered', address: [], email: 'a@gallery.test' }
const content = readContent(undefined, { store: { name: 'Nifty' }, company })
const headOf = (path: string, catalog: Upstream) =>
  headOfSources(path, {
    find: findKeptJson(catalog),
    publicUrl: 'https://store.test',
    cards: createCards(catalog, { store: 'Nifty', look: '' }),
    content,
  })
const catalog = { app: createApp({ log: testLog, name: 'catalog' }) }
const fixed = Object.values(pages).filter((page) => 'title' in page)

test.each(fixed)('$path has the title of the front end', async (page) => {
  const head = await headOf(page.path.replace(/:\w+/g, 'some-id'), catalog)
  expect(head).toMatchObject({ status: 200, title: page.title })
  expect(head.index).toBe('indexed' in page)
})

test('a trailing slash belongs to the same page', async () => {
  expect((await headOf('/creators/', catalog)).title).toBe('Creators')
})

const contract = `0x${'ab'.repeat(20)}`
test.each([
  `/item-detail/../../healthz`,
  '/item-detail/%2e%2e/%2e%2e/readyz',
  '/item-detail/../../openapi.json',
  `/item-detail/@ada/${contract}/..`,
  `/item-detail/@ada/0xabc/7`,
  `/item-detail/@ada/${contract}/7a`,
  `/item-detail/a%2fb/${contract}/7`,
  `/item-detail/a%2f..%2fb/${contract}/7`,
  `/item-detail/%ff/${contract}/7`,
  `/item-detail/%5c/${contract}/7`,
])('%s asks catalog for nothing', async (path) => {
  const requests: string[] = []
  const asked = createApp({ log: testLog, name: 'catalog' })
  asked.addHook('onRequest', async ({ url }) => void requests.push(url))
  expect(await headOf(path, { app: asked })).toMatchObject({ status: 404, index: false })
  expect(await headOf(path, { url: 'http://127.0.0.1:1' })).toMatchObject({ status: 404, index: false })
  expect(requests).toEqual([])
})

test("the gateway's own request cannot be led to another path", async () => {
  const asked = createApp({ log: testLog, name: 'catalog' })
  const url = await asked.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => asked.close())
  for (const upstream of [{ app: asked }, { url }])
    for (const path of [
      '/api/../healthz',
      '/api/%2e%2e/healthz',
      '//api/healthz',
      '/api\\..\\healthz',
      '/api%5c..%5chealthz',
      'healthz',
    ])
      expect(await getJson(upstream, path), path).toBeUndefined()
  for (const upstream of [{ app: asked }, { url }]) {
    expect(await getJson(upstream, '/healthz')).toEqual({ ok: true })
    expect(await getJson(upstream, '/nowhere')).toBeUndefined()
  }
})

test('an artist whose name cannot be one is looked up nowhere', async () => {
  const requests: string[] = []
  const asked = createApp({ log: testLog, name: 'catalog' })
  asked.addHook('onRequest', async ({ url }) => void requests.push(url))
  for (const name of ['a%2fb', '..%2f', '%5c', 'a'.repeat(301)])
    await headOf(`/creator-profile/${name}`, { app: asked })
  expect(requests.filter((url) => url.includes('creator='))).toEqual([])
  await headOf('/creator-profile/@ada', { app: asked })
  expect(requests.filter((url) => url.includes('creator='))).toHaveLength(1)
})

test('a page does not wait for a catalog that accepts requests and never responds', { timeout: 30_000 }, async () => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    silent.closeAllConnections()
    silent.close()
  })
  const { port } = silent.address() as AddressInfo
  expect(await headOf('/terms', { url: `http://127.0.0.1:${port}` })).toMatchObject({ status: 200 })
})

test('the page of a work or an exhibition is no 404 while catalog does not respond', async () => {
  const failing = createApp({ log: testLog, name: 'catalog' })
  failing.addHook('onRequest', async () => Promise.reject(unavailable('busy', 'Please try again in a moment.')))
  for (const path of [`/item-detail/@ada/${contract}/7`, '/exhibitions/spring'])
    for (const upstream of [{ app: failing }, { url: 'http://127.0.0.1:1' }])
      expect(await headOf(path, upstream)).toMatchObject({ status: 503, index: false })
  expect(await headOf('/exhibitions/spring', catalog)).toMatchObject({ status: 404, title: 'Exhibition not found' })
})

test.each(['/nowhere', '/orders/1/invoice', '/item-detail/only-a-name'])('%s is a 404', async (path) => {
  expect(await headOf(path, catalog)).toMatchObject({
    status: 404,
    title: 'Somthing went wrong!',
    index: false,
  })
})

test('pages that need a session are not in the sitemap', () => {
  for (const page of Object.values(pages)) if ('guarded' in page) expect(indexedPaths).not.toContain(page.path)
  expect(indexedPaths).toContain('/')
})
