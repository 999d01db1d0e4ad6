import { demoUser } from '@nifty/testkit/users'
import { itemPath } from '@nifty/testkit/works'
import { expect, test } from 'vitest'
import { findings } from '../screens/findings.ts'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

/** A listed work whose artist has further works. */
async function workOfSeveral() {
  const works = await visitor.market()
  const isOfSeveral = ({ creatorUsername, forSale, reserved, price }: (typeof works)[number]) =>
    forSale &&
    !reserved &&
    price !== null &&
    works.filter((work) => work.creatorUsername === creatorUsername).length > 1
  return works.find(isOfSeveral)!
}

test('the label names the artist first, then the title and the owner; one who is both is named once', async () => {
  const work = await workOfSeveral()
  const { creator } = await visitor.item(work)
  const name = `${creator!.firstName} ${creator!.lastName}`
  const page = await visit(itemPath(work))
  const panel = page.locator('.panel')
  await panel.getByText('Owner', { exact: true }).waitFor()
  expect(String(await panel.textContent()).split(name)).toHaveLength(2)

  const sold = await visit(itemPath(work), {
    prepare: (context) =>
      context.route('**/api/nfts/%40*/**', async (route) => {
        const response = await route.fetch()
        const owner = { username: '@kept', firstName: 'Kit', lastName: 'Keeper', avatar: null }
        await route.fulfill({ response, json: { ...(await response.json()), owner } })
      }),
  })
  const label = sold.locator('.panel')
  await label.getByText('Kit Keeper').waitFor()
  const order = String(await label.textContent())
  const places = ['Artist', name, work.name, 'Owner', 'Kit Keeper'].map((each) => order.indexOf(each))
  expect(places).toEqual([...places].sort((a, b) => a - b))
})

test('below a work are more by its artist and similar works by others; one price is in the provenance only', async () => {
  const work = await workOfSeveral()
  const page = await visit(itemPath(work))
  await page.getByRole('button', { name: 'Just looking' }).click()
  const more = page.getByRole('region', { name: /^More by / })
  await more.getByRole('article').first().waitFor()
  // By its address: another work of the artist may have the same name.
  expect(await more.locator(`a[href$="/${work.contract}/${work.identifier}"]`).count()).toBe(0)
  expect(await more.locator(`a[href*="/${work.contract}/"]`).count()).toBeGreaterThan(0)
  const similar = page.getByRole('region', { name: 'Similar works' })
  await similar.getByRole('article').first().waitFor()
  await page.getByText('Put on sale by').waitFor()
  expect(await page.getByRole('heading', { name: 'Price history' }).count()).toBe(0)

  await page.getByRole('link', { name: /^All \d+ works$/ }).click()
  await page.waitForURL(`**/explore-one?creator=${encodeURIComponent(work.creatorUsername!)}`)
})

test('prices that differed are shown as chart and table, and a later one is a new price', async () => {
  const work = await workOfSeveral()
  const listed = (day: number, price: number) => ({
    what: 'listed',
    at: `2026-03-0${day}T12:00:00.000Z`,
    price,
    username: work.ownerUsername,
    txHash: null,
    custody: null,
  })
  const page = await visit(itemPath(work), {
    prepare: (context) =>
      context.route('**/api/nfts/%40*/**', async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), history: [listed(2, 40), listed(1, 30)] } })
      }),
  })
  const prices = page.getByRole('table', { name: 'Prices asked and paid, newest first', includeHidden: true })
  await prices.waitFor()
  expect(await prices.locator('tbody td:nth-child(2)').allTextContents()).toEqual(['New price', 'Put on sale'])
  expect(await page.locator('.price-history__chart').count()).toBe(1)
})

test('this browser remembers the works that it has shown, until log-out', async () => {
  const [first, second] = (await visitor.market()).filter(({ forSale }) => forSale)
  const page = await visit(itemPath(first!), { as: await demoUser(run, 'collector') })
  await page.getByRole('heading', { level: 1, name: first!.name }).waitFor()
  await page.getByRole('heading', { level: 2, name: 'Similar works' }).waitFor()
  await page.goto(itemPath(second!))
  const viewed = page.getByRole('region', { name: 'Recently viewed' })
  await viewed.getByRole('link', { name: first!.name }).waitFor()
  expect(await viewed.getByRole('link').count()).toBe(1)
  expect(await findings(page, '.related')).toEqual([])

  const remembered = () => page.evaluate(() => localStorage.getItem('recently_viewed'))
  expect(await remembered()).not.toBeNull()
  await page.getByRole('button', { name: /Account of/ }).click()
  await page
    .getByRole('button', { name: 'Logout' })
    .or(page.getByRole('menuitem', { name: 'Logout' }))
    .first()
    .click()
  await page.waitForURL('**/login')
  expect(await remembered()).toBeNull()
})

test('a work that is hidden is no longer among those viewed recently', async () => {
  const [first, second, third] = (await visitor.market()).filter(({ forSale }) => forSale)
  const page = await visit(itemPath(first!), {
    as: await demoUser(run, 'collector'),
    prepare: (context) =>
      context.route('**/api/nfts/by-id?**', async (route) => {
        const response = await route.fetch()
        const { nfts } = await response.json()
        await route.fulfill({ response, json: { nfts: nfts.filter(({ _id }: { _id: string }) => _id !== first!._id) } })
      }),
  })
  for (const work of [first!, second!, third!]) {
    await page.goto(itemPath(work))
    await page.getByRole('heading', { level: 1, name: work.name }).waitFor()
    await page.getByRole('heading', { level: 2, name: 'Similar works' }).waitFor()
  }
  const viewed = page.getByRole('region', { name: 'Recently viewed' })
  await viewed.getByRole('link', { name: second!.name }).waitFor()
  expect(await viewed.getByRole('link', { name: first!.name }).count()).toBe(0)
})
