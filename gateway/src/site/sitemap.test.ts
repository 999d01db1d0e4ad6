import { createApp } from '@nifty/service-kit/http/app'
import { testLog } from '@nifty/service-kit/testing/log'
import { expect, test } from 'vitest'
import { publicUrl, startTestGateway, stub } from '../testing/gateway.ts'

const contract = `0x${'ab'.repeat(20)}`
const first = '00000000-0000-4000-8000-000000000001'

test('the index names a sitemap for each part of the works, which lists them', async () => {
  const catalog = createApp({ log: testLog, name: 'catalog' })
  const changedAt = '2026-03-01T12:00:00.000Z'
  stub(catalog, '/api/nfts/sitemap/parts', async () => ({ parts: [first] }))
  stub(catalog, '/api/nfts/sitemap', async ({ query }) => {
    expect(query).toEqual({ first })
    return {
      items: [
        { username: '@a&b/"c\'', contract, identifier: '7', changedAt },
        { username: null, contract, identifier: '8', changedAt },
      ],
    }
  })
  const { url } = await startTestGateway({ catalog: { app: catalog } })

  const index = await fetch(`${url}/sitemap.xml`)
  expect(index.headers.get('content-type')).toContain('application/xml')
  const [, works] = [...(await index.text()).matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc]) => loc!)
  expect(works).toBe(`${publicUrl}/sitemap-works-${first}.xml`)

  const response = await fetch(works!.replace(publicUrl, url))
  expect(response.status).toBe(200)
  expect(await response.text()).toContain(
    `<url><loc>${publicUrl}/item-detail/%40a%26b%2F%22c%27/${contract}/7</loc><lastmod>${changedAt}</lastmod></url>` +
      `<url><loc>${publicUrl}/item-detail/unknown/${contract}/8</loc>`,
  )
})

test('the pages have the address of every exhibition and series', async () => {
  const catalog = createApp({ log: testLog, name: 'catalog' })
  stub(catalog, '/api/nfts/sitemap/exhibitions', async () => ({ slugs: ['autumn', 'iron-2'] }))
  const { url } = await startTestGateway({ catalog: { app: catalog } })
  const listed = await (await fetch(`${url}/sitemap-pages.xml`)).text()
  for (const slug of ['autumn', 'iron-2']) expect(listed).toContain(`<loc>${publicUrl}/exhibitions/${slug}</loc>`)
})

test('without catalog the index still names the pages, and other names are 404', async () => {
  const { url } = await startTestGateway({ catalog: { url: 'http://127.0.0.1:1' } })
  expect(await (await fetch(`${url}/sitemap.xml`)).text()).toContain('/sitemap-pages.xml')
  expect((await fetch(`${url}/sitemap-works-${first}.xml`)).status).toBe(503)
  for (const name of ['works-', 'works-1', "works-'", `works-${first}x`, 'nothing'])
    expect((await fetch(`${url}/sitemap-${name}.xml`)).status, name).toBe(404)
})
