import { readFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { processorEvents } from '@nifty/api/payments/processor-events'
import { processorWebhook } from '@nifty/api/payments/public'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { neededWithLiveKey } from '@nifty/service-kit/base/live-key'
import { openDataDir, readSecrets } from '@nifty/testkit/data-dir'
import { expect, test } from 'vitest'
import { settingsOfShop } from '../deploy/settings-file.ts'
import { files, root } from './tree.ts'

const page = readFileSync(join(root, 'deploy/FIRST-SHOP.md'), 'utf8')
const words = page.split(/\s+/).filter(Boolean)
const variables = new Set(page.match(/\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)+\b|\bHOST\b/g))

test('every variable of the page is one of the schemas, or of the operator’s tool', () => {
  const tool = files
    .filter((file) => /^deploy\/ops\/src\/.*(?<!\.test)\.ts$/.test(file))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
  const settings = Object.values(settingsOfShop())
    .flat()
    .map(({ name }) => name)
  expect(variables.size).toBeGreaterThan(30)
  expect([...variables].filter((name) => !settings.includes(name) && !tool.includes(name))).toEqual([])
})

test('the page names all that a live key needs', () => {
  expect(neededWithLiveKey.filter((name) => !variables.has(name))).toEqual([])
})

test('the page lists the events that the code handles, and the path of the webhook', () => {
  const listed = page.match(/\b(checkout|payment_intent|charge|refund|radar)\.[a-z_.]+/g)
  expect(listed?.toSorted()).toEqual([...processorEvents].toSorted())
  expect(page).toContain(processorWebhook.path)
})

test('a store opens a folder with the files of the page’s backup, and has its keys', async () => {
  const [, step] = /\n## 7\. Backup\n(.*?)\n## /s.exec(page)!
  const names = [...step!.matchAll(/`(\w+\.json)`/g)].map(([, name]) => name!)
  const { folder, file } = await openDataDir(join(await temporaryFolder('first-shop'), 'home'), { fresh: false })
  const secrets = await readSecrets({ folder, file })
  const restored = await temporaryFolder('restored')
  for (const name of names) await copyFile(file(name), join(restored, name))
  expect(await readSecrets(await openDataDir(restored, { fresh: false }))).toEqual(secrets)
})

test('the page has at most 1,300 words', () => {
  expect(words.length).toBeLessThanOrEqual(1_300)
})
