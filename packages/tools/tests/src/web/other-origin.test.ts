import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getMarket } from '@nifty/api/catalog/public'
import { afterAll, expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

const gallery = createServer((_request, response) =>
  response
    .setHeader('content-type', 'text/html')
    .end('<!doctype html><title>Gallery</title><link rel="icon" href="data:,">'),
)
await new Promise<void>((resolve) => gallery.listen(0, '127.0.0.1', resolve))
afterAll(() => gallery.close())
const origin = `http://127.0.0.1:${(gallery.address() as AddressInfo).port}`

/** Runs in the page. */
const show = `async ({ store, contract, identifier }) => {
  const metadata = await (await fetch(store + '/api/tokens/' + contract + '/' + identifier)).json()
  const image = Object.assign(new Image(), { crossOrigin: 'anonymous', src: metadata.image })
  await image.decode()
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width: image.naturalWidth, height: image.naturalHeight }).getContext('2d').drawImage(image, 0, 0)
  const market = await (await fetch(store + '/api/nfts/market?page=1&limit=2')).json()
  return { metadata, drawn: canvas.toDataURL().slice(0, 22), works: market.nfts.length }
}`

test('a page of another origin reads metadata and the market, and draws a picture on a canvas', async () => {
  const work = (await visitor.market())[0]!
  const page = await visit(origin, { withoutApp: true })
  const { contract, identifier } = work
  const shown = (await page.evaluate(`(${show})(${JSON.stringify({ store: run.url, contract, identifier })})`)) as {
    metadata: object
  }
  expect(shown).toMatchObject({ drawn: 'data:image/png;base64,', works: 2 })
  expect(shown.metadata).toMatchObject({
    name: work.name,
    external_url: `${run.url}/item-detail/unknown/${contract}/${identifier}`,
    image_sha256: expect.stringMatching(/^[\da-f]{64}$/),
    attributes: expect.arrayContaining([{ trait_type: 'Artist', value: work.creatorUsername }]),
  })
})

test('a cached response that a page of another origin has is a 304 for it; with a token it has no such header', async () => {
  const url = `${run.url}${getMarket.path}?page=1&limit=3`
  const first = await fetch(url, { headers: { origin } })
  const etag = first.headers.get('etag')!
  expect(first.headers.get('vary')).toBe('Accept-Encoding, Authorization')
  const known = await fetch(url, { headers: { origin, 'if-none-match': etag } })
  expect(known.status).toBe(304)
  for (const { headers } of [first, known]) expect(headers.get('access-control-allow-origin')).toBe('*')
  const withToken = await fetch(url, { headers: { origin, authorization: 'Bearer a.b.c' } })
  expect(withToken.headers.get('access-control-allow-origin')).toBeNull()
})
