import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { buyersOf, purchase } from '@nifty/testkit/purchase'
import { quickChain, startStore } from '@nifty/testkit/store'
import { demoUser } from '@nifty/testkit/users'
import { waitUntil } from '@nifty/testkit/wait-until'
import { availableWork } from '@nifty/testkit/works'
import { expect, test } from 'vitest'
import { useBrowserWithStore } from './use-browser.ts'

const texts = {
  'home.md': `---
title: Kunst aus dem Norden
action: Ansehen
topItems: Gefragt
discover: Neu
creators: Künstlerinnen
exhibitions: Schauen
contact: Fragen?
contactAction: Schreiben
lang: de
---

Mit Karte bezahlt, **in Euro**. Mehr in den [AGB](/terms).
`,
  'questions.md': '---\ntitle: Fragen\nlang: de\n---\n\n## Was ist das?\n\nKunst.\n\n## Und <b>das</b>?\n\nAuch.\n',
  'terms.md': `---
title: Allgemeine Geschäftsbedingungen
crumb: AGB
version: 2026-11-01
lang: de
summary: Stand 1. November 2026, Fassung {{version}}
---

## Geltung

Diese Bedingungen gelten für {{companyName}}. <script>alert(1)</script>
`,
}

const CONTENT_DIR = await temporaryFolder('texts')
for (const [name, text] of Object.entries(texts)) await writeFile(join(CONTENT_DIR, name), text)

const STORE_NAME = '<b>Lumen & Söhne</b>'

const { visit, run, visitor } = await useBrowserWithStore({ works: 4, env: { ...quickChain, CONTENT_DIR, STORE_NAME } })

test('a shop shows its own home, questions and terms, and the specification’s other texts', async () => {
  const page = await visit('/')
  await page.getByRole('heading', { level: 1, name: 'Kunst aus dem Norden' }).waitFor()
  for (const name of ['Gefragt', 'Neu', 'Künstlerinnen', 'Fragen', 'Fragen?'])
    await page.getByRole('heading', { level: 2, name, exact: true }).waitFor()
  const questions = page.getByRole('region', { name: 'Fragen', exact: true }).getByRole('button')
  await expect.poll(() => questions.allTextContents()).toEqual(['Was ist das?', 'Und <b>das</b>?'])

  await page.getByRole('main').getByRole('link', { name: 'AGB' }).click()
  await page.getByRole('heading', { level: 1, name: 'Allgemeine Geschäftsbedingungen' }).waitFor()
  await page.getByText('Stand 1. November 2026, Fassung 2026-11-01').waitFor()
  await page.getByText('<script>alert(1)</script>').waitFor()
  expect(await page.locator('.legal__sections').getAttribute('lang')).toBe('de')
  await expect.poll(() => page.title()).toContain('Allgemeine Geschäftsbedingungen')

  await page.goto('/privacy')
  await page.getByRole('heading', { name: 'What Information We Collect' }).waitFor()
})

test('its texts can be read without JavaScript, and are in place before the app', async () => {
  const documentOf = async (path: string) => (await fetch(run.url + path)).text()
  expect(await documentOf('/')).toMatch(/<h1[^>]*>Kunst aus dem Norden<\/h1>/)
  const terms = await documentOf('/terms')
  expect(terms).toContain('<h2 id="geltung">Geltung</h2><p>Diese Bedingungen gelten für')
  expect(terms).toContain('<title>Allgemeine Geschäftsbedingungen')
})

test('an order notes the version of the shop’s terms; its receipt and mail have the shop’s name as text', async () => {
  const [buyer] = await buyersOf(run)
  const { order } = await purchase(run, buyer!, await availableWork(visitor)).sale
  expect(order.termsVersion).toBe('2026-11-01')

  const collector = await demoUser(run, 'collector')
  const page = await visit(`/orders/${order._id}/receipt`, { as: collector })
  await page.locator('.print-sheet').getByText(STORE_NAME, { exact: true }).waitFor()
  await page.locator('.print-sheet').getByText(`${STORE_NAME} Digital Art Ltd`).first().waitFor()
  // The address is the buyer's own.
  const shown = ((await page.locator('body').textContent()) ?? '').replaceAll(collector.email, '')
  expect(shown).not.toMatch(/nifty/i)

  const mails = await waitUntil(async () => {
    const response = await fetch(`${run.mailboxUrl}/api/email`)
    const received = (await response.json()) as { subject: string; html: string; text: string; from: unknown }[]
    return received.length > 1 && received
  })
  for (const { subject, html, text, from } of mails) {
    expect(html).toContain('&lt;b&gt;Lumen &amp; Söhne&lt;/b&gt;')
    expect(JSON.stringify(from)).toContain(STORE_NAME)
    expect([subject, html, text, JSON.stringify(from)].filter((part) => /nifty/i.test(part))).toEqual([])
  }
})

test('the shop’s name is text on its pages, and what a visitor receives names no other', async () => {
  const page = await visit('/creators')
  await expect.poll(() => page.title()).toContain(STORE_NAME)
  expect(await page.getByRole('banner').locator('.wordmark').textContent()).toContain(STORE_NAME)
  expect(await page.getByRole('banner').locator('.wordmark b').count()).toBe(0)

  const read = async (path: string) => (await fetch(run.url + path)).text()
  expect(JSON.parse(await read('/manifest.webmanifest'))).toMatchObject({ name: STORE_NAME, short_name: STORE_NAME })
  const paths = ['/', '/terms', '/privacy', '/cookiepolicy', '/contact', '/explore-one', '/creators', '/login']
  const received = new Map([['/config.json', await read('/config.json')]])
  for (const path of paths) received.set(path, await read(path))
  // Scripts and styles name the ones that they load.
  for (const text of received.values())
    for (const [name] of text.matchAll(/[\w-]+-[\w-]{8}\.(?:js|css)\b/g)) {
      const path = `/assets/${name}`
      if (!received.has(path)) received.set(path, await read(path))
    }
  expect(received.size).toBeGreaterThan(40)
  expect([...received].filter(([, text]) => /nifty/i.test(text)).map(([path]) => path)).toEqual([])
})

test('a store with a broken text does not start, and says where', async () => {
  const folder = await temporaryFolder('texts')
  await writeFile(join(folder, 'terms.md'), texts['terms.md'].replace('{{companyName}}', '{{firma}}'))
  const started = startStore({ works: 0, env: { CONTENT_DIR: folder } })
  await expect(started).rejects.toThrow(`${folder}/terms.md:11: unknown placeholder {{firma}}`)
})
