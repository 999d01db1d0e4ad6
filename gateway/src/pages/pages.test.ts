import { documentTitle, pages } from '@nifty/api/pages'
import { createApp } from '@nifty/service-kit/http/app'
import { testLog } from '@nifty/service-kit/testing/log'
import { expect, test } from 'vitest'
import { headOf, indexedPaths } from './pages.ts'

const catalog = { app: createApp({ log: testLog, name: 'catalog' }) }
const fixed = Object.values(pages).filter((page) => 'title' in page)

test.each(fixed)('$path has the title of the front end', async (page) => {
  const head = await headOf(page.path.replace(/:\w+/g, 'some-id'), catalog)
  expect(head).toMatchObject({ status: 200, title: documentTitle(page.title) })
  expect(head.index).toBe('indexed' in page)
})

test('a trailing slash belongs to the same page', async () => {
  expect((await headOf('/creators/', catalog)).title).toBe('Creators | Nifty')
})

test.each(['/nowhere', '/orders/1/invoice', '/item-detail/only-a-name'])('%s is a 404', async (path) => {
  expect(await headOf(path, catalog)).toMatchObject({
    status: 404,
    title: 'Somthing went wrong! | Nifty',
    index: false,
  })
})

test('pages that need a session are not in the sitemap', () => {
  for (const page of Object.values(pages)) if ('guarded' in page) expect(indexedPaths).not.toContain(page.path)
  expect(indexedPaths).toContain('/')
})
