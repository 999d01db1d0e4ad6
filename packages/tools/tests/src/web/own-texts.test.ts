import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { buyersOf, purchase } from '@nifty/testkit/purchase'
import { startStore } from '@nifty/testkit/store'
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

const { visit, run, visitor } = await useBrowserWithStore({ works: 4, env: { CONTENT_DIR } })

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

test('an order notes the version of the shop’s terms', async () => {
  const [buyer] = await buyersOf(run)
  const { order } = await purchase(run, buyer!, await availableWork(visitor)).sale
  expect(order.termsVersion).toBe('2026-11-01')
})

test('a store with a broken text does not start, and says where', async () => {
  const folder = await temporaryFolder('texts')
  await writeFile(join(folder, 'terms.md'), texts['terms.md'].replace('{{companyName}}', '{{firma}}'))
  const started = startStore({ works: 0, env: { CONTENT_DIR: folder } })
  await expect(started).rejects.toThrow(`${folder}/terms.md:11: unknown placeholder {{firma}}`)
})
