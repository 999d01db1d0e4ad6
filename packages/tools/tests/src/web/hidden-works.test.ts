import type { Nft } from '@nifty/api/catalog/public'
import { phone } from '@nifty/testkit/browser'
import { apiClientOf, demoUser } from '@nifty/testkit/users'
import { availableWork, itemPath } from '@nifty/testkit/works'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

test('a work that is not for sale is hidden from visitors, and shown again', async () => {
  const creator = await demoUser(run, 'creator', 1)
  const client = apiClientOf(run, creator)
  const page = await visit('/studio', { as: creator, viewport: phone })
  const works = page.getByRole('region', { name: 'Your works' })
  const shown = async () => (await client.call('GET', `/api/nfts/user/${creator.username}`)).body.nfts as Nft[]
  const { name } = (await shown()).find(({ forSale, auction }) => !forSale && !auction)!
  const row = works.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) })
  // The numbers of the pages are shown before the works.
  await works
    .getByRole('button', { name: /^Manage / })
    .first()
    .waitFor()
  for (let next = 2; (await row.count()) === 0; next++)
    await works.getByRole('button', { name: `Page ${next}`, exact: true }).click()
  await row.getByRole('button', { name: `Manage ${name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Hide this work' }).click()
  const hidden = page.getByRole('region', { name: 'Hidden works' })
  await hidden.getByText(name).waitFor()
  await expect.poll(() => page.getByRole('dialog').isVisible()).toBe(false)
  expect((await shown()).map((nft) => nft.name)).not.toContain(name)

  const { nfts } = (await client.call('GET', '/api/nfts/hidden')).body
  const own = await visit(itemPath(nfts.find((nft: Nft) => nft.name === name)!), { as: creator, expects: [404] })
  await own.getByRole('heading', { name: 'NFT not found' }).waitFor()
  await own.getByRole('button', { name: 'Show it again' }).click()
  await own.getByRole('heading', { level: 1, name }).waitFor()
  const { contract, identifier } = nfts.find((nft: Nft) => nft.name === name)!
  await client.call('PUT', `/api/nfts/${contract}/${identifier}/hide`)

  await page.reload()
  await hidden.getByRole('button', { name: `Show ${name} again` }).click()
  await expect.poll(() => hidden.count()).toBe(0)
  expect((await shown()).map((nft) => nft.name)).toContain(name)
})

test('a work that an operator hides is in the studio with the reason, and its page says so', async () => {
  const creator = await demoUser(run, 'creator', 1)
  const nft = { ...(await availableWork(visitor)), hiddenBy: 'operator', hiddenReason: 'a <b>copy</b> of another work' }
  const studio = await visit('/studio', {
    as: creator,
    viewport: phone,
    prepare: (context) => context.route('**/api/nfts/hidden', (route) => route.fulfill({ json: { nfts: [nft] } })),
  })
  const hidden = studio.getByRole('region', { name: 'Hidden works' })
  await hidden.getByText('Hidden by the store: a <b>copy</b> of another work').waitFor()
  expect(await hidden.getByRole('button').count()).toBe(0)
  await hidden.getByRole('link', { name: `Write to us about ${nft.name}` }).click()
  await studio.waitForURL('**/contact')
})
