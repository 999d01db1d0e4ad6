import type { Nft } from '@nifty/api/catalog/public'
import { formatPrice } from '@nifty/api/price'
import { pay, untilOrder } from '@nifty/testkit/api-client'
import { apiClientOf, demoUser } from '@nifty/testkit/users'
import { availableWork, itemPath, workAndOwner } from '@nifty/testkit/works'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

test('an owner with the right to sell takes a work off the market and puts it back at a new price', async () => {
  const { work, owner: creator } = await workAndOwner(run, visitor)
  const page = await visit(itemPath(work), { as: creator })
  await page.getByText('Current Price').waitFor()
  await page.getByRole('button', { name: 'Remove from Sale' }).click()
  const price = page.getByLabel('Enter price in €')
  await price.waitFor()
  expect(Number(await price.inputValue())).toBe(work.price)
  expect((await visitor.item(work)).forSale).toBe(false)

  const stranger = await visit(itemPath(work), { as: await demoUser(run, 'collector') })
  await stranger.getByText('NOT FOR SALE', { exact: true }).waitFor()
  expect(await stranger.getByRole('button', { name: /Buy Now/ }).count()).toBe(0)

  const next = work.price! + 1.5
  await price.fill(String(next))
  await page.getByRole('button', { name: 'Set for Sale' }).click()
  await page.getByText('Current Price').waitFor()
  await page.getByText(formatPrice(next)).first().waitFor()
  expect(await visitor.item(work)).toMatchObject({ forSale: true, price: next })
  await stranger.getByText('NOT FOR SALE', { exact: true }).waitFor({ state: 'hidden', timeout: 30_000 })
})

test('an owner changes the price of a listed work, which stays on the market', async () => {
  const { work, owner: creator } = await workAndOwner(run, visitor)
  const page = await visit(itemPath(work), { as: creator })
  await page.getByRole('button', { name: 'Change Price' }).click()
  const price = page.getByLabel('Enter price in €')
  expect(Number(await price.inputValue())).toBe(work.price)

  const next = work.price! + 2.5
  await price.fill(String(next))
  await page.getByRole('button', { name: 'Save Price' }).click()
  await page.getByText(formatPrice(next)).first().waitFor()

  await price.waitFor({ state: 'hidden' })
  expect(await visitor.item(work)).toMatchObject({ forSale: true, price: next })
  await page.getByRole('button', { name: 'Remove from Sale' }).waitFor()
})

test('each button of the sale panel hands the focus to what replaces it, and the change is announced', async () => {
  const { work, owner: creator } = await workAndOwner(run, visitor)
  const page = await visit(itemPath(work), { as: creator })
  const focused = () =>
    page.evaluate(`(({ textContent, labels }) => labels?.[0]?.textContent ?? textContent)(document.activeElement)`)
  const press = async (name: string) => {
    await page.getByRole('button', { name }).focus()
    await page.keyboard.press('Enter')
  }
  await press('Change Price')
  await expect.poll(focused).toBe('Enter price in €')
  await page.getByLabel('Enter price in €').fill(String(work.price! + 1))
  await press('Save Price')
  await expect.poll(focused).toContain('Change Price')
  await page
    .getByRole('status')
    .filter({ hasText: `For sale at ${formatPrice(work.price! + 1)}.` })
    .waitFor()
  await press('Remove from Sale')
  await expect.poll(focused).toBe('Enter price in €')
  await page.getByRole('status').filter({ hasText: 'Removed from sale.' }).waitFor()
  await press('Set for Sale')
  await expect.poll(focused).toContain('Change Price')
})

test('an owner who changes a price and reloads at once sees the new price', async () => {
  const { work, owner: creator } = await workAndOwner(run, visitor)
  const before = await visitor.item(work)
  const page = await visit(itemPath(work), { as: creator })
  await page.getByRole('button', { name: 'Change Price' }).click()
  // What visitors get for a second: the price before.
  let preloads = 0
  await page.route('**/api/nfts/%40*/**', (route, request) => {
    if (request.headers().authorization) return route.continue()
    preloads++
    return route.fulfill({ json: before })
  })

  const next = work.price! + 3.25
  await page.getByLabel('Enter price in €').fill(String(next))
  const saved = page.waitForResponse((response) => response.url().endsWith('/set-price'))
  await page.getByRole('button', { name: 'Save Price' }).click()
  await saved
  await page.reload()

  await page.getByText('Current Price').waitFor()
  expect(await page.getByRole('main').textContent()).toContain(formatPrice(next))
  expect(preloads).toBeGreaterThan(0)
})

test('a price counts as it is meant where it is typed, and is shown before; one below half of the former is confirmed in place', async () => {
  const { work, owner: creator } = await workAndOwner(run, visitor)
  const page = await visit(itemPath(work), { as: creator, expects: [403] })
  const prices: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/set-price')) prices.push(request.postDataJSON().price)
  })
  const form = page.locator('.sale__form')
  const price = page.getByLabel('Enter price in €')
  const type = async (keys: string) => {
    await page.getByRole('button', { name: 'Change Price' }).click()
    await price.clear()
    await price.pressSequentially(keys)
  }
  const save = page.getByRole('button', { name: 'Save Price' })

  for (const [keys, shown] of [
    ['1.500,00', '= 1,500\u00a0€'],
    ['9,50', '= 9.50\u00a0€'],
    ['1,234.5', '= 1,234.50\u00a0€'],
  ] as const) {
    await type(keys)
    await form.getByText(shown, { exact: true }).waitFor()
    await save.click()
    if (keys === '9,50') {
      const stepUp = page.getByRole('dialog', { name: 'Is it you?' })
      await stepUp.getByLabel('Password').fill(creator.password)
      await stepUp.getByRole('button', { name: 'Confirm' }).click()
    }
    await price.waitFor({ state: 'hidden' })
  }
  expect(prices).toEqual([1500, 9.5, 9.5, 1234.5])
  expect((await visitor.item(work)).price).toBe(1234.5)

  await type('1.500')
  await save.click()
  const problem = form.getByRole('alert').filter({ hasText: '“1.500” has two meanings: please type 1500 or 1.50' })
  await problem.waitFor()
  await price.pressSequentially('00')
  await price.press('Enter')
  await form.getByRole('alert').filter({ hasText: 'An amount such as 120 or 99.50' }).waitFor()
  expect(prices).toHaveLength(4)
})

test('an owner without that right sees the contact link', async () => {
  const collector = await demoUser(run, 'collector', 1)
  const buyer = apiClientOf(run, collector)
  const work = await availableWork(visitor)
  const { body } = await buyer.buy(work)
  await pay(run, body.url, run.cards.approved)
  await untilOrder(buyer, body.orderId, 'completed')
  const owned = await ownedBy(work, collector.username)

  const page = await visit(itemPath(owned), { as: collector })
  await page.getByText('To gain access to selling your NFTs, please contact us.').waitFor()
  await page.getByRole('link', { name: 'Contact Us', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Contact' }).waitFor()
})

test('a work in the store’s custody goes to its owner’s wallet on one click', async () => {
  const { creator, work } = await aWorkInCustody()
  const page = await visit(itemPath(work), { as: creator, expects: [403] })
  await page.getByRole('heading', { name: "In the store's custody" }).waitFor()
  const remove = page.getByRole('button', { name: 'Remove from Sale' })
  if (work.forSale) await remove.click()
  await page.getByLabel('Enter price in €').waitFor()
  await page.getByRole('button', { name: 'Move to my wallet' }).click()
  const stepUp = page.getByRole('dialog', { name: 'Is it you?' })
  await stepUp.getByLabel('Password').fill(creator.password)
  await stepUp.getByRole('button', { name: 'Confirm' }).click()
  await page
    .getByText(/On its way to your wallet|It is in your wallet/)
    .first()
    .waitFor()
  await expect.poll(async () => (await visitor.item(work)).custody, { timeout: 30_000 }).toBe(false)
})

/** Whichever demo creator still has one: others buy in this store, too. */
async function aWorkInCustody() {
  for (const place of [0, 1]) {
    const creator = await demoUser(run, 'creator', place)
    const own = (await visitor.call('GET', `/api/nfts/user/${creator.username}`)).body.nfts as Nft[]
    const details = await Promise.all(own.map((work) => visitor.item(work)))
    const work = details.findLast(({ custody, reserved }) => custody && !reserved)
    if (work) return { creator, work }
  }
  throw new Error('no demo creator has a work in custody')
}

/** The work, once the market has its new owner. */
async function ownedBy(work: Nft, username: string) {
  await expect.poll(async () => (await visitor.item(work)).ownerUsername, { timeout: 30_000 }).toBe(username)
  return visitor.item(work)
}

test('Change Price begins with the present price, also of a price that another tab has set', async () => {
  const { work, owner: creator } = await workAndOwner(run, visitor)
  const page = await visit(itemPath(work), { as: creator })
  await page.getByRole('button', { name: 'Change Price' }).waitFor()
  const path = `/api/nfts/${work.contract}/${work.identifier}/set-price`
  const set = await apiClientOf(run, creator).call('PUT', path, { price: 64.25, forSale: true })
  expect(set.status).toBe(200)
  await page
    .getByText(/64[.,]25/)
    .first()
    .waitFor({ timeout: 30_000 })

  await page.getByRole('button', { name: 'Change Price' }).click()

  expect(Number(await page.getByLabel('Enter price in €').inputValue())).toBe(64.25)
})
