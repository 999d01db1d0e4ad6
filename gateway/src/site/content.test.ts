import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getText } from '@nifty/api/content'
import { endpointUrl } from '@nifty/api/endpoint'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { expect, test } from 'vitest'
import { startTestGateway } from '../testing/gateway.ts'

const privacy = `---
title: Datenschutz & <Ruhe>
lang: de
---

## Zweck

Von {{companyName}}, <script>alert(1)</script>.
`

/** A gateway of a shop with these texts. */
async function gatewayWith(files: Record<string, string>, options: Parameters<typeof startTestGateway>[1] = {}) {
  const contentDir = await temporaryFolder('content')
  for (const [name, text] of Object.entries(files)) await writeFile(join(contentDir, name), text)
  return startTestGateway({}, { contentDir, ...options })
}

/** What the document has for the app. */
const textsIn = (document: string) =>
  JSON.parse(/<script type="application\/json" id="texts">(.*?)<\/script>/.exec(document)![1]!)

test('a shop’s own text stands in its document, under its own title, and is requested by its hash', async () => {
  const { url } = await gatewayWith({ 'privacy.md': privacy })
  const document = await (await fetch(`${url}/privacy`)).text()
  expect(document).toContain('<title>Datenschutz &amp; &lt;Ruhe&gt; | Nifty</title>')
  expect(document).toContain('<main lang="de"><h1>Datenschutz &amp; &lt;Ruhe&gt;</h1><section')
  expect(document).toContain('Von Gallery Ltd, &lt;script&gt;alert(1)&lt;/script&gt;.')
  const { hashes } = textsIn(document)
  expect(document).toContain(`href="${endpointUrl(getText, { params: { name: 'privacy' } })}?v=${hashes.privacy}"`)
})

test('every document has home’s text, the error page too, and no text ends its block', async () => {
  const keys = ['topItems', 'discover', 'creators', 'exhibitions', 'contact', 'contactAction']
  const head = ['title: Kunst </script><b>', 'action: Ansehen', ...keys.map((key) => `${key}: ${key}`)].join('\n')
  const { url } = await gatewayWith({ 'home.md': `---\n${head}\n---\n\nIm **Norden**.\n` })
  for (const path of ['/', '/login', '/no/such/page', '/caf%E9']) {
    const document = await (await fetch(url + path, { headers: { accept: 'text/html' } })).text()
    expect(textsIn(document).home, path).toMatchObject({
      title: 'Kunst </script><b>',
      action: 'Ansehen',
      lead: 'Im <strong>Norden</strong>.',
    })
  }
})

test('a text is kept for good under its own hash, and revalidated under another one', async () => {
  const { url } = await gatewayWith({ 'privacy.md': privacy })
  const { hashes } = textsIn(await (await fetch(`${url}/`)).text())
  expect(Object.keys(hashes)).toHaveLength(5)
  for (const name of Object.keys(hashes)) {
    const address = url + endpointUrl(getText, { params: { name } })
    const kept = await fetch(`${address}?v=${hashes[name]}`)
    expect(kept.headers.get('cache-control'), name).toBe('public, max-age=31536000, immutable')
    expect(kept.headers.get('content-encoding'), name).toBe('gzip')
    const other = await fetch(`${address}?v=older`)
    expect(other.headers.get('cache-control'), name).toBe('no-cache')
    expect(await other.json()).toEqual(await kept.json())
  }
  expect((await fetch(`${url}/content/imprint`)).status).toBe(404)
})

test('pages get the version of the terms from the head of their file', async () => {
  const versionOf = async (url: string) =>
    ((await (await fetch(`${url}/config.json`)).json()) as { termsVersion: string }).termsVersion
  const terms = '---\ntitle: AGB\nversion: 2026-11-01\n---\n\n## Geltung\n\nFür alle.\n'
  expect(await versionOf((await gatewayWith({ 'terms.md': terms })).url)).toBe('2026-11-01')
  expect(await versionOf((await gatewayWith({})).url)).toBe('2025-02-13')
})

test('a broken text is refused at the start with file and line', async () => {
  const broken = privacy.replace('{{companyName}}', '{{firma}}')
  await expect(gatewayWith({ 'privacy.md': broken })).rejects.toThrow(
    /privacy\.md:8: unknown placeholder \{\{firma\}\}: known are storeName, companyName/,
  )
})

test('what looks like a template, a pattern or markup in the names of store and company is shown as typed', async () => {
  const name = `%company.name% {{storeName}} $& </script><i>"`
  const company = { name: `%store.name% $' {{x}} <i>`, number: '1', register: '', address: [], email: 'a@gallery.test' }
  const store = { name, tagline: '%home.title% </style><i>' }
  const { url } = await gatewayWith({ 'privacy.md': privacy }, { frontEnd: { chainId: 31337, store, company } })
  const read = async (path: string) => (await fetch(url + path, { headers: { accept: 'text/html' } })).text()
  const shown = '%company.name% {{storeName}} $&amp; &lt;/script&gt;&lt;i&gt;&quot;'
  for (const path of ['/', '/privacy', '/login', '/no/such/page']) {
    const document = await read(path)
    expect(document, path).toContain(` | ${shown}</title>`)
    expect(document, path).toContain(`<meta property="og:site_name" content="${shown}" />`)
    expect(document, path).not.toContain('<i>')
    expect(textsIn(document).home.title, path).toBe('Explore Our collection of Rare NFT Artworks')
  }
  expect(await read('/privacy')).toContain("Von %store.name% $' {{x}} &lt;i&gt;, &lt;script&gt;")
  expect(JSON.parse(await read('/manifest.webmanifest'))).toMatchObject({ name, description: store.tagline })
  expect(JSON.parse(await read('/config.json'))).toMatchObject({ store, company })
  expect(JSON.parse(await read('/api/docs')).info.title).toBe(name)
})
