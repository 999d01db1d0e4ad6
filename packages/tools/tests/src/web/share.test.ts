import { demoUser } from '@nifty/testkit/users'
import { availableWork, itemPath } from '@nifty/testkit/works'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

test('where the device has no share sheet, Share copies the link of the work', async () => {
  const work = await availableWork(visitor)
  const page = await visit(itemPath(work), {
    as: await demoUser(run, 'collector'),
    prepare: async (context) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await context.addInitScript('Object.defineProperty(navigator, "share", { value: undefined })')
    },
  })
  await page.getByRole('button', { name: `Share ${work.name}` }).click()
  await page.getByText('Link copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText().then(decodeURIComponent)')).toBe(run.url + itemPath(work))
})

test('where it has one, Share opens it with link and title; closing it says nothing', async () => {
  const creator = await demoUser(run, 'creator')
  const path = `/creator-profile/${encodeURIComponent(creator.username)}`
  const page = await visit(path, {
    as: await demoUser(run, 'collector'),
    prepare: (context) =>
      context.addInitScript(`
        window.shared = []
        Object.defineProperty(navigator, 'share', {
          value: (data) => {
            window.shared.push(data)
            return Promise.reject(new DOMException('closed', 'AbortError'))
          },
        })`),
  })
  const name = await page.getByRole('heading', { level: 1 }).textContent()
  await page.getByRole('button', { name: /^Share / }).click()
  await expect.poll(() => page.evaluate('window.shared')).toEqual([{ title: name, url: run.url + path }])
  expect(await page.getByText('Link copied').count()).toBe(0)
})
