import { startPurchase } from '@nifty/api/payments/public'
import { demoUser } from '@nifty/testkit/users'
import { availableWork, itemPath } from '@nifty/testkit/works'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newerMembers } from '../repo-rules/browsers/promised.ts'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

/** Takes from the pages' scripts every object and function that the oldest promised browsers do not have. */
const asOldBrowser = (context: BrowserContext) =>
  context.addInitScript((members) => {
    for (const [owner, member] of members) {
      const found = Reflect.get(globalThis, owner) as { prototype?: object } | undefined
      if (member === undefined) Reflect.deleteProperty(globalThis, owner)
      else if (found) {
        Reflect.deleteProperty(found, member.replace('_static', ''))
        if (found.prototype) Reflect.deleteProperty(found.prototype, member)
      }
    }
  }, newerMembers())

async function buyNow(page: Page) {
  await page.getByRole('checkbox', { name: /I declare/ }).check()
  await page.getByRole('button', { name: 'Buy Now' }).click()
}

test('in the oldest promised browsers a buyer reaches the payment page', async () => {
  const as = await demoUser(run, 'collector', 1)
  const page = await visit(itemPath(await availableWork(visitor)), { as, prepare: asOldBrowser })
  expect(await page.evaluate('[typeof URL.parse, typeof [].toSorted, "size" in new URLSearchParams()]')).toEqual([
    'undefined',
    'undefined',
    false,
  ])

  await buyNow(page)

  await page.waitForURL('**/pay/**')
})

test('in the oldest promised browsers a search finds only what was searched', async () => {
  const { name } = await availableWork(visitor)
  const page = await visit('/explore-one', { prepare: asOldBrowser })

  await page.getByLabel('Search', { exact: true }).fill(name)

  await page.waitForURL('**/explore-one?search=*')
  await expect.poll(() => page.locator('.item-card').count()).toBeLessThan(5)
  await page.getByRole('link', { name }).first().waitFor()
})

test('an unexpected exception after an order is shown, and Buy Now works again', async () => {
  const as = await demoUser(run, 'collector', 1)
  const work = await availableWork(visitor)
  const page = await visit(itemPath(work), {
    as,
    expects: ['exception'],
    prepare: async (context) => {
      await context.route(`**${startPurchase.path}`, async (route) => {
        await route.fulfill({ response: await route.fetch(), json: null })
      })
    },
  })

  await buyNow(page)

  await page.getByRole('status').filter({ hasText: 'Something went wrong. Please try again.' }).waitFor()
  await page.getByText('You have an unfinished payment for this work.').waitFor()
  await page.getByRole('link', { name: 'Continue to payment' }).waitFor()
})

test('an unexpected exception in a form is shown, and the form can be sent again', async () => {
  const page = await visit('/contact', { expects: ['exception'] })
  const form = page.getByRole('main').locator('form')
  for (const label of ['Name', 'Subject', 'Message']) await form.getByLabel(label).fill('A text')
  await form.getByLabel('Email').fill('visitor@example.com')
  await page.evaluate('HTMLFormElement.prototype.reset = () => { throw new Error("unexpected") }')

  await form.getByRole('button').click()

  await page.getByRole('alert').filter({ hasText: 'Something went wrong. Please try again.' }).waitFor()
  expect(await form.getByRole('button').isEnabled()).toBe(true)
})
