import { readFile } from 'node:fs/promises'
import { createSeries, listOwnSeries, removeSeries } from '@nifty/api/catalog/exhibitions'
import { getMarket, listNftsOfUser, type Nft, removeFromSale } from '@nifty/api/catalog/public'
import { hideOwnItem, showOwnItem } from '@nifty/api/catalog/visibility'
import { createMint } from '@nifty/api/minting/public'
import { query } from '@nifty/chaos/campaign/databases'
import { sharp } from '@nifty/service-kit/images/sharp'
import { desktop, phone } from '@nifty/testkit/browser'
import { linkInMail } from '@nifty/testkit/mailbox'
import { buyersOf, purchase } from '@nifty/testkit/purchase'
import { apiClientOf, createUser, demoUser } from '@nifty/testkit/users'
import { installWallet } from '@nifty/testkit/wallet'
import { availableWork, itemPath } from '@nifty/testkit/works'
import { expect, test } from 'vitest'
import { sharedStore } from '../shared-store/shared-store.ts'
import { expectAccessible } from './expect-accessible.ts'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()
const { folder } = await sharedStore()

/** An image of the store, uploaded as a new work. */
async function aPicture() {
  const [work] = await visitor.market()
  const response = await fetch(`${run.url}${work!.image}?w=320`, { headers: { accept: 'image/webp' } })
  return { name: 'work.webp', mimeType: 'image/webp', buffer: Buffer.from(await response.arrayBuffer()) }
}

test('a creator mints a work and follows it until it is on sale', async () => {
  const page = await visit('/studio', { as: await demoUser(run, 'creator'), viewport: phone })
  const name = `Minted at ${Date.now()}`
  await page.getByRole('button', { name: 'Mint this work' }).waitFor()
  await page.locator('input[type=file]').setInputFiles(await aPicture())
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Description').fill('Made for a test.')
  await page.getByLabel('Category').selectOption('Cube')
  await page.getByLabel('Price in €').pressSequentially('1.012,5')
  await page.getByText('= 1,012.50\u00a0€', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Mint this work' }).click()
  await page.getByRole('button', { name: 'Mint it for good' }).click()
  await page.getByText(`"${name}" was submitted. You can follow its progress here.`).waitFor()
  // Other works may be under way too: those that another test of this store took off the market.
  const mint = page.locator('.mint-status', { hasText: name })
  await mint.getByRole('link', { name: 'See it' }).click({ timeout: 45_000 })
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await expect.poll(() => page.getByText('Current Price').count(), { timeout: 30_000 }).toBe(1)
  expect(await page.locator('.panel__price').textContent()).toBe('1,012.50\u00a0€')
})

test('a new work that its creator takes off the market is no longer shown as being minted', async () => {
  const creator = await demoUser(run, 'creator')
  const client = apiClientOf(run, creator)
  const page = await visit('/studio', { as: creator })
  const name = `Taken off at ${Date.now()}`
  await page.getByRole('button', { name: 'Mint this work' }).waitFor()
  await page.locator('input[type=file]').setInputFiles(await aPicture())
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Category').selectOption('Cube')
  await page.getByLabel('Price in €').fill('12.5')
  await page.getByRole('button', { name: 'Mint this work' }).click()
  await page.getByRole('button', { name: 'Mint it for good' }).click()
  const work = await availableWork(client, (each) => each.name === name)
  await page.reload()
  await page.getByRole('button', { name: `Manage ${name}` }).waitFor()

  const { contract, identifier } = work
  expect((await client.send(removeFromSale, { params: { contract, identifier } })).status).toBe(200)
  await page.reload()
  await page.getByRole('button', { name: `Manage ${name}` }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await page.locator('.mint-status', { hasText: name }).count()).toBe(0)
})

test('a work in one’s own wallet is put on sale with one signature, and its auction renews a permit that is too short', async () => {
  const creator = await demoUser(run, 'creator')
  const page = await visit('/studio', {
    as: creator,
    // A work outside of custody is listed only with a permit.
    expects: [409],
    prepare: (context) => installWallet(context, run, { privateKey: creator.wallet.privateKey, chainId: 1 }),
  })
  const name = `In my wallet at ${Date.now()}`
  await page.getByRole('button', { name: 'Mint this work' }).waitFor()
  await page.locator('input[type=file]').setInputFiles(await aPicture())
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Category').selectOption('Art')
  await page.getByLabel('Price in €').fill('33')
  await page
    .getByRole('group', { name: 'Holder' })
    .getByRole('radio', { name: /^My wallet/ })
    .check()
  await page.getByRole('button', { name: 'Mint this work' }).click()
  await page.getByRole('button', { name: 'Mint it for good' }).click()
  const mint = page.locator('.mint-status', { hasText: name })
  await mint.getByText('Minted, but not on sale yet.').waitFor({ timeout: 45_000 })
  expect(await mint.getByRole('listitem').filter({ hasText: 'On sale (done)' }).count()).toBe(0)
  await page.getByRole('button', { name: `Manage ${name}` }).click({ timeout: 45_000 })
  const dialog = page.getByRole('dialog', { name })
  await dialog.getByText('This work is in your own wallet.').waitFor()
  await dialog.getByLabel('Enter price in €').fill('30')
  await dialog.getByRole('button', { name: 'Set for Sale' }).click()
  await dialog.getByText('Current Price').waitFor()

  await dialog.getByRole('button', { name: 'Start an auction' }).click()
  expect(await dialog.getByLabel('Opening price in €').inputValue()).toBe('30')
  await dialog.getByRole('button', { name: 'Start the auction' }).click()
  await dialog.getByRole('button', { name: 'Cancel the auction' }).waitFor()
  expect(await dialog.getByText('Bids are refused').count()).toBe(0)
  const { nfts } = (await visitor.send(listNftsOfUser, { params: { username: creator.username } })).body
  const { identifier } = nfts.find((work) => work.name === name)!
  await query(folder, 'minting', `update permit set deadline = now() + interval '2 days' where token like $1`, [
    `%/${identifier}`,
  ])
  await page.reload()
  await page.getByRole('button', { name: `Manage ${name}` }).click()
  await dialog.getByText('Bids are refused: your permit').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Sign a longer permit' }).click()
  await page.getByText('Signed. The auction goes on as before.').waitFor()
  await dialog.getByText('Bids are refused').waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Cancel the auction' }).click()
  await page
    .getByRole('dialog', { name: 'Cancel the auction?' })
    .getByRole('button', { name: 'Cancel the auction' })
    .click()
  await dialog.getByRole('button', { name: 'Remove from Sale' }).waitFor()
})

test('a creator reads the statement of a month and saves it as CSV, on a desktop and a phone', async () => {
  const creators = [await demoUser(run, 'creator'), await demoUser(run, 'creator', 1)]
  const [buyer] = await buyersOf(run)
  const sellerOf = ({ creatorUsername, ownerUsername }: Nft) =>
    creators.find(({ username }) => username === creatorUsername && username === ownerUsername)
  const work = await availableWork(visitor, (each) => sellerOf(each) !== undefined)
  const { order } = await purchase(run, buyer!, work).sale
  const month = order.createdAt.slice(0, 7)
  for (const viewport of [desktop, phone]) {
    const page = await visit('/studio', { as: sellerOf(work)!, viewport })
    const sales = page.getByRole('region', { name: 'Sales and statement' })
    await sales.getByRole('rowheader', { name: work.name }).first().waitFor()
    expect(await sales.getByLabel('Month').inputValue()).toBe(month)
    await sales.getByLabel('Numbers in the file').selectOption('1234,56 (for Excel in most of Europe)')
    const saved = page.waitForEvent('download')
    await sales.getByRole('button', { name: 'Download CSV' }).click()
    expect((await saved).suggestedFilename()).toBe(`statement-${month}.csv`)
    const file = await readFile(await (await saved).path(), 'utf8')
    expect(file).toMatch(/^\uFEFFdate;work;/)
    expect(file).toContain(work.name)
  }
})

test('a month of the statement that could not be loaded is named, and can be tried again', async () => {
  const creator = await demoUser(run, 'creator')
  const sums = { due: 0, waiting: 0, heldBack: 0, paidOut: 0 }
  let isDown = true
  const page = await visit('/studio', {
    as: creator,
    expects: [503],
    prepare: (context) =>
      context.route('**/api/orders/statement**', (route) => {
        const month = new URL(route.request().url()).searchParams.get('month')
        if (month && isDown) return route.fulfill({ status: 503, json: { message: 'down' } })
        return route.fulfill({
          json: { months: ['2026-11', '2026-10'], month: month ?? '2026-11', entries: [], next: null, ...sums },
        })
      }),
  })
  const sales = page.getByRole('region', { name: 'Sales and statement' })
  await sales.getByLabel('Month').selectOption('October 2026')
  await sales.getByRole('alert').getByText('October 2026 could not be loaded.').waitFor()
  expect(await sales.getByRole('button', { name: 'Download CSV' }).isDisabled()).toBe(true)
  isDown = false
  await sales.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => sales.getByRole('button', { name: 'Download CSV' }).isEnabled()).toBe(true)
  expect(await sales.getByRole('alert').count()).toBe(0)
})

test('an artist sees a small work once more with what it brings, and downloads the same bytes from its page', async () => {
  const pixels = Buffer.from(Array.from({ length: 24 * 24 * 3 }, (_, at) => (at % 5 === 0 ? 255 : 0)))
  const buffer = await sharp(pixels, { raw: { width: 24, height: 24, channels: 3 } })
    .png()
    .toBuffer()
  const page = await visit('/studio', { as: await demoUser(run, 'creator'), viewport: phone })
  const name = `木漏れ日 / ${Date.now()}`
  await page.locator('input[type=file]').setInputFiles({ name: 'art.png', mimeType: 'image/png', buffer })
  await page.getByText(/^This picture has 24 × 24 pixels.* hard edges\.$/).waitFor()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Category').selectOption('Art')
  await page.getByLabel('Price in €').fill('33')
  const form = page.getByRole('region', { name: 'Mint a work' })
  await form.getByText('You get 29.70\u00a0€ (10 % to the store)').waitFor()

  await form.getByRole('button', { name: 'Mint this work' }).click()
  const look = page.getByRole('dialog', { name: 'One last look' })
  await look.getByText('You get 29.70\u00a0€ (10 % to the store)').waitFor()
  await look.getByText('picture, name, description and category cannot be changed later').waitFor()
  await look.getByRole('button', { name: 'Change something' }).click()
  await expect.poll(() => look.count()).toBe(0)
  expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe(name)
  await form.getByRole('button', { name: 'Mint this work' }).click()
  await look.getByRole('img', { name }).waitFor()
  await look.getByRole('button', { name: 'Mint it for good' }).click()
  const mint = page.locator('.mint-status', { hasText: name })
  await mint.getByRole('link', { name: 'See it' }).click({ timeout: 45_000 })

  await page.getByRole('heading', { level: 1, name }).waitFor()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the original' }).click()
  expect((await saved).suggestedFilename()).toBe(`${name.replace(' / ', ' ')}.png`)
  expect(buffer.equals(await readFile(await (await saved).path()))).toBe(true)
})

test('an animated work moves on its page, unless it is paused or the reader wants less motion', async () => {
  const creator = await demoUser(run, 'creator', 1)
  const frames = Buffer.from(Array.from({ length: 500 * 400 * 3 * 3 }, (_, at) => (at >> 13) % 256))
  const moving = { width: 500, height: 1_200, channels: 3, pageHeight: 400 } as const
  const bytes = await sharp(frames, { raw: moving })
    .gif({ delay: [80, 80, 80] })
    .toBuffer()
  const name = `Moving ${Date.now()}`
  const form = new FormData()
  for (const [field, value] of Object.entries({ name, category: 'Art', price: '40' })) form.append(field, value)
  form.append('image', new File([new Uint8Array(bytes)], 'work.gif', { type: 'image/gif' }))
  const headers = { authorization: `Bearer ${creator.token}` }
  expect((await fetch(run.url + createMint.path, { method: 'POST', headers, body: form })).status).toBe(202)
  const work = await availableWork(visitor, (each) => each.name === name)

  const page = await visit(itemPath(work), { as: creator, viewport: phone, calm: false })
  const animation = page.locator('.artwork__animation')
  await expect
    .poll(() => animation.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth), {
      timeout: 30_000,
    })
    .toBeGreaterThan(0)
  expect(await animation.evaluate((image) => (image as unknown as { currentSrc: string }).currentSrc)).toContain(
    'animated=true',
  )
  await page.getByRole('button', { name: 'Pause the animation' }).click()
  await expect.poll(() => animation.count()).toBe(0)
  await page.getByRole('button', { name: 'Play the animation' }).click()
  await animation.waitFor()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.reload()
  await page.getByRole('button', { name: 'Play the animation' }).waitFor()
  expect(await animation.count()).toBe(0)
})

test('a wrong file is refused beside the field', async () => {
  const page = await visit('/studio', { as: await demoUser(run, 'creator') })
  await page.getByRole('button', { name: 'Mint this work' }).waitFor()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('not a picture') })
  await page.getByRole('main').getByRole('alert').first().waitFor()
})

test('the studio of a user who may not sell leads to an application, which waits and can be taken back', async () => {
  const user = await createUser(run)
  const page = await visit('/studio', { as: user, viewport: phone, expects: [400, 403] })
  await page.getByText('To gain access to selling your NFTs, please contact us.').waitFor()
  await page.getByRole('link', { name: 'Apply to sell your work' }).click()
  await page.getByLabel('Links to your works').fill('http://ada.example.com')
  await page.getByLabel('About you and your works').fill('I paint engines, and have for thirty years.')
  await page.getByRole('button', { name: 'Apply to sell' }).click()
  await page.getByText('Please enter links that start with https://, one in each line').waitFor()
  await page.getByLabel('Links to your works').fill('ada.example.com/works')
  await page.getByRole('button', { name: 'Apply to sell' }).click()
  await page.getByText('Please confirm your e-mail address first: we answer by mail.').waitFor()
  await page.goto(await linkInMail(run, user.email, /https?:\S+\/accept\S+/))
  await page.getByText('Your email is confirmed!').waitFor()

  await page.goto('/sell')
  await page.getByLabel('Links to your works').fill('ada.example.com/works')
  await page.getByLabel('About you and your works').fill('I paint engines, and have for thirty years.')
  await page.getByRole('button', { name: 'Apply to sell' }).click()
  await page.getByText('Your application is waiting.').waitFor()
  await page.getByText('What you sent').click()
  await page.getByRole('link', { name: 'https://ada.example.com/works' }).waitFor()
  await page.getByRole('button', { name: 'Take it back' }).click()
  await page.getByLabel('Links to your works').waitFor()
})

test('a creator makes a series, which has a page, stands on the profile, and is removed', async () => {
  const creator = await demoUser(run, 'creator')
  const page = await visit('/studio', { as: creator, viewport: phone })
  const title = `Étude ${Date.now()}`
  const section = page.getByRole('region', { name: 'Series' })
  await section.getByRole('button', { name: 'New series' }).click()
  await section.getByLabel('Title', { exact: true }).fill(title)
  await section.getByLabel('Text', { exact: true }).fill('Of iron.\nAnd steam.')
  await section.getByRole('button', { name: 'Save series' }).click()
  await section.getByText('Please choose at least one work').waitFor()
  const works = section.getByRole('checkbox')
  await works.nth(1).check()
  await works.nth(0).check()
  const [first, second] = await section.locator('fieldset bdi').allTextContents()
  await section.getByRole('button', { name: 'Save series' }).click()
  await section.getByRole('link', { name: title }).click()

  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await expect.poll(() => page.locator('.exhibition-page__name').allTextContents()).toEqual([second, first])
  for (const picture of await page.locator('main .picture').all()) {
    const { x, width, height } = (await picture.boundingBox())!
    expect(x).toBeGreaterThan(10)
    expect(Math.max(width, height)).toBeGreaterThan(300)
  }
  const document = await (await page.request.get(page.url())).text()
  expect(document).toContain(`<title>${title} | Nifty</title>`)
  expect(await (await page.request.get('/sitemap-pages.xml')).text()).toContain(new URL(page.url()).pathname)
  await page.getByRole('link', { name: /\S/ }).filter({ hasText: 'Arrowsmith' }).first().click()
  await page.getByRole('heading', { level: 2, name: 'Series' }).waitFor()

  await page.goto('/studio')
  await section.getByRole('button', { name: `Remove ${title}` }).click()
  await page.getByText(`"${title}" was removed. Its works stay.`).waitFor()
  expect(await section.getByRole('link', { name: title }).count()).toBe(0)
})

test('a hidden work is removed from a series, and a work of another page added', async () => {
  const creator = await demoUser(run, 'creator')
  const client = apiClientOf(run, creator)
  const isOwn = ({ creatorUsername, ownerUsername }: Nft) =>
    creatorUsername === creator.username && ownerUsername === creator.username
  const work = await availableWork(client, isOwn)
  const params = { contract: work.contract, identifier: work.identifier }
  const { nfts } = (await client.send(getMarket, { query: { creator: creator.username, limit: '6' } })).body
  const kept = nfts.find(({ _id }) => _id !== work._id)!
  const title = `Hiding ${Date.now()}`
  const made = await client.send(createSeries, {
    body: { title, description: '', itemIds: [work._id, kept._id] },
  })
  expect((await client.send(removeFromSale, { params })).status).toBe(200)
  expect((await client.send(hideOwnItem, { params })).status).toBe(200)

  // Two works make a page.
  const page = await visit('/studio', {
    as: creator,
    prepare: (context) =>
      context.route('**/api/nfts/market?*limit=200*', async (route) => {
        const response = await route.fetch({ url: route.request().url().replace('limit=200', 'limit=2') })
        const market = await response.json()
        await route.fulfill({ json: { ...market, total: market.total * 100 } })
      }),
  })
  const section = page.getByRole('region', { name: 'Series' })
  await section.getByRole('button', { name: `Change ${title}` }).click()
  const checked = section.getByRole('checkbox', { checked: true })
  await expect.poll(() => checked.count()).toBe(2)
  const hidden = section.locator('label', { hasText: 'Hidden' })
  expect(await hidden.textContent()).toContain(work.name)
  await hidden.getByRole('checkbox').uncheck()
  await section.getByRole('button', { name: 'Page 2' }).click()
  const firstPage = nfts.filter(({ _id }) => _id !== work._id).slice(0, 2)
  const other = nfts.filter(
    ({ _id }) => _id !== work._id && _id !== kept._id && !firstPage.some((nft) => nft._id === _id),
  )[0]!
  await section.getByRole('checkbox', { name: other.name }).check()
  await section.getByRole('button', { name: 'Page 1', exact: true }).click()
  await section.getByRole('checkbox', { name: other.name, checked: true }).waitFor()
  await section.getByRole('button', { name: 'Save series' }).click()
  await page.getByText('The series was changed').waitFor()
  const { series } = (await client.send(listOwnSeries)).body
  expect(series.find(({ slug }) => slug === made.body.series.slug)?.itemIds).toEqual([kept._id, other._id])

  await client.send(showOwnItem, { params })
  await client.send(removeSeries, { params: { id: made.body.series._id } })
})

test('the artist’s links are saved with their scheme, and each wrong one is named', async () => {
  const creator = await demoUser(run, 'creator')
  const page = await visit('/studio', { as: creator, viewport: phone, expects: [400] })
  const form = page.getByRole('region', { name: 'Links on your page' })
  await form.getByLabel('Website').fill('studio.example/works')
  await form.getByLabel('Twitter').fill('http://twitter.example/ines')
  await form.getByLabel('YouTube').fill('no link')
  await form.getByRole('button', { name: 'Save links' }).click()
  await expect.poll(() => form.getByText('Please enter a link that starts with https://').count()).toBe(2)
  expect(await form.getByLabel('Website').inputValue()).toBe('https://studio.example/works')

  await form.getByLabel('Twitter').fill('https://twitter.example/ines')
  await form.getByLabel('YouTube').fill('')
  await form.getByRole('button', { name: 'Save links' }).click()
  await page.getByText('Links saved').waitFor()
  expect(await form.getByRole('alert').count()).toBe(0)

  const profile = await visit(`/creator-profile/${encodeURIComponent(creator.username)}`, { as: await createUser(run) })
  const link = profile.getByRole('link', { name: 'Website' })
  expect(await link.getAttribute('href')).toBe('https://studio.example/works')
  expect(await profile.getByRole('link', { name: 'YouTube' }).count()).toBe(0)
})

test('a long month is shown page by page, and its CSV has all pages', async () => {
  const money = { price: 100, commission: 10, royalty: 0, due: 90, status: 'due', heldBecause: null, paidOutAt: null }
  const times = { at: '2026-10-30T10:00:00.000Z', dueAt: '2026-11-13T10:00:00.000Z' }
  const named = (name: string) => {
    const entry = { _id: 1, lineId: 'line', itemId: 'item', name, kind: 'sale', cause: 'capture' }
    return [{ ...entry, ...money, ...times }]
  }
  const sums = { due: 270, waiting: 0, heldBack: 0, paidOut: 0 }
  const following = new Map([
    [null, { entries: named('Dawn'), next: '7' }],
    ['7', { entries: named('Noon'), next: '5' }],
    ['5', { entries: named('Dusk'), next: null }],
  ])
  let isDown = true
  for (const viewport of [desktop, phone]) {
    isDown = true
    const page = await visit('/studio', {
      as: await demoUser(run, 'creator'),
      viewport,
      expects: [503],
      prepare: (context) =>
        context.route('**/api/orders/statement**', (route) => {
          const url = new URL(route.request().url())
          const after = url.searchParams.get('after')
          if (after === '5' && isDown) return route.fulfill({ status: 503, json: { message: 'down' } })
          const read = following.get(after)
          const isFirst = url.pathname.endsWith('/statement')
          return route.fulfill({ json: isFirst ? { months: ['2026-10'], month: '2026-10', ...sums, ...read } : read })
        }),
    })
    const sales = page.getByRole('region', { name: 'Sales and statement' })
    const pages = sales.getByRole('navigation', { name: 'Pages of October 2026' })
    await sales.getByRole('rowheader', { name: 'Dawn' }).waitFor()
    await pages.getByRole('button', { name: 'Next page' }).click()
    await sales.getByRole('rowheader', { name: 'Noon' }).waitFor()
    expect(await sales.getByRole('rowheader').count()).toBe(1)
    await pages.getByRole('button', { name: 'Next page' }).click()
    await sales.getByRole('alert').getByText('This page could not be loaded.').waitFor()
    isDown = false
    await sales.getByRole('button', { name: 'Try again' }).click()
    await sales.getByRole('rowheader', { name: 'Dusk' }).waitFor()
    expect(await pages.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true)
    const saved = page.waitForEvent('download')
    await sales.getByRole('button', { name: 'Download CSV' }).click()
    const rows = (await readFile(await (await saved).path(), 'utf8')).split('\r\n')
    expect(rows.map((row) => row.split(',')[1])).toEqual(['work', 'Dawn', 'Noon', 'Dusk'])
    await pages.getByRole('button', { name: 'Previous page' }).click()
    await sales.getByRole('rowheader', { name: 'Noon' }).waitFor()
  }
})

test('the days of a statement are those of its months, in UTC, in every time zone', async () => {
  const money = { price: 100, commission: 10, royalty: 0, due: 90, status: 'waiting', paidOutAt: null }
  const entry = { _id: 1, lineId: 'line', itemId: 'item', name: 'Dusk', kind: 'sale', cause: 'capture', ...money }
  const entries = [{ ...entry, at: '2026-10-31T23:30:00.000Z', dueAt: '2026-11-14T23:30:00.000Z' }]
  const sums = { due: 0, waiting: 90, heldBack: 0, paidOut: 0 }
  const page = await visit('/error', {
    as: await demoUser(run, 'creator'),
    prepare: (context) =>
      context.route('**/api/orders/statement**', (route) =>
        route.fulfill({ json: { months: ['2026-10'], month: '2026-10', entries, next: null, ...sums } }),
      ),
  })
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Berlin' })
  await page.goto('/studio')

  const row = page.getByRole('table', { name: /October 2026/ }).getByRole('row', { name: /Dusk/ })
  await row.getByText('31 Oct 2026').waitFor()
  await row.getByText('14 Nov 2026').waitFor()
})
