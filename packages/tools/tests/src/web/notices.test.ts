import type { Notice } from '@nifty/api/notification/notices'
import { phone } from '@nifty/testkit/browser'
import { apiClientOf, createUser } from '@nifty/testkit/users'
import { waitUntil } from '@nifty/testkit/wait-until'
import { workAndOwner } from '@nifty/testkit/works'
import { expect, test } from 'vitest'
import { findings } from '../screens/findings.ts'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

test('a favourite that becomes cheaper rings the bell, leads to the work and is read afterwards', async () => {
  const { work, owner } = await workAndOwner(run, visitor)
  const fan = await createUser(run)
  const client = apiClientOf(run, fan)
  await client.call('PUT', `/api/favourites/${work._id}`)
  // Below all prices that other tests asked for it.
  const price = 0.5
  const path = `/api/nfts/${work.contract}/${work.identifier}/set-price`
  expect((await apiClientOf(run, owner).call('PUT', path, { price, forSale: true })).status).toBe(200)
  const notices = async () => (await client.call<{ notices: Notice[] }>('GET', '/api/notices')).body.notices
  await waitUntil(async () => (await notices()).length === 1 || undefined)

  const page = await visit('/', { as: fan, viewport: phone })
  await page.getByRole('button', { name: 'Notices, 1 unread' }).press('Enter')
  const panel = page.getByRole('region', { name: 'Notices' })
  const link = panel.getByRole('link', { name: new RegExp(`“${work.name}” now costs`) })
  await link.waitFor()
  const box = (await panel.boundingBox())!
  expect(box.x).toBeGreaterThanOrEqual(0)
  expect(box.x + box.width).toBeLessThanOrEqual(phone.width)
  expect(await findings(page, '.navigation')).toEqual([])
  await expect.poll(async () => (await notices())[0]!.read).toBe(true)
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Notices', exact: true }).press('Enter')
  await link.click()
  await page.getByRole('heading', { level: 1, name: work.name }).waitFor()
})

test('without notices the bell says what will be there', async () => {
  const page = await visit('/', { as: await createUser(run) })
  await page.getByRole('button', { name: 'Notices', exact: true }).click()
  await page.getByText('Nothing new yet.').waitFor()
})

test('a bell that is opened before its notices have arrived marks them as read when they are shown', async () => {
  const read: unknown[] = []
  let arrive = () => {}
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const at = '2026-03-01T12:00:00.000Z'
  const facts = {
    what: 'sold',
    name: 'Dusk',
    artist: null,
    price: null,
    contract: `0x${'1'.repeat(40)}`,
    identifier: '7',
  }
  const page = await visit('/', {
    as: await createUser(run),
    prepare: async (context) => {
      await context.route('**/api/notices', async (route) => {
        await arrival
        const isRead = read.length > 0
        const notices = [{ _id: 'one', itemId: 'one', ...facts, read: isRead, at }]
        await route.fulfill({ json: { notices, unread: isRead ? 0 : 1 } })
      })
      await context.route('**/api/notices/read', async (route) => {
        read.push(route.request().postDataJSON())
        await route.fulfill({ json: { success: true } })
      })
    },
  })
  await page.getByRole('button', { name: 'Notices', exact: true }).click()
  const panel = page.getByRole('region', { name: 'Notices' })
  await panel.getByText('Loading notices').waitFor()
  arrive()

  await panel.getByRole('link', { name: /^“Dusk” was sold\s*New/ }).waitFor()
  await expect.poll(() => read).toEqual([{ upTo: at }])
  await page.getByRole('button', { name: 'Notices', exact: true }).waitFor()
})
