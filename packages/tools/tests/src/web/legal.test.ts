import { type FrontEndConfig, getFrontEndConfig } from '@nifty/api/gateway'
import { startPurchase } from '@nifty/api/payments/public'
import { createApiClient } from '@nifty/testkit/api-client'
import { demoUser } from '@nifty/testkit/users'
import { availableWork, itemPath } from '@nifty/testkit/works'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { visit, run } = await useBrowser()

const sections = {
  '/terms': [
    'Terms & Conditions',
    'Introduction',
    'User Accounts',
    'Transactions & Digital Artwork',
    'Intellectual Property',
    'Prohibited Conduct',
    'Assumption of Risk',
    'Dispute Resolution',
    'Third-Party Services',
    'Modifications & Termination',
    'Governing Law',
    'Contact',
  ],
  '/privacy': [
    'Privacy policy',
    'What Information We Collect',
    'How We Use',
    'How We Share',
    'Cookies',
    'Data Security',
    'Your Rights',
    'Third-Party Links',
    "Children's Privacy",
    'Changes',
    'Contact Us',
    'Contact the Appropriate Authority',
  ],
  '/cookiepolicy': ['Cookie Declaration'],
}

test.each(Object.entries(sections))('%s has all its sections', async (path, titles) => {
  const page = await visit(path)
  for (const name of titles) await page.getByRole('main').getByRole('heading', { name, exact: true }).first().waitFor()
})

test('the policies carry their dates, retention periods and a contact', async () => {
  const page = await visit('/privacy')
  const main = page.getByRole('main')
  await main.getByText('13 February 2025').waitFor()
  await main
    .getByText(/within 30 days/)
    .first()
    .waitFor()
  await main.getByRole('link', { name: 'contact form' }).first().waitFor()
  await page.goto('/cookiepolicy')
  await main.getByText('20.01.2025').waitFor()
  expect(
    await main
      .getByRole('row')
      .filter({ hasText: /1 year/ })
      .count(),
  ).toBe(1)
  expect(
    await main
      .getByRole('row')
      .filter({ hasText: /2 years/ })
      .count(),
  ).toBe(2)
  await page.goto('/terms')
  for (const fact of [/60 days/, /sole arbitrator/, /England and\s+Wales/]) await main.getByText(fact).first().waitFor()
})

test.each([
  ['/terms', 'sole arbitrator'],
  ['/privacy', 'Information Commissioner'],
  ['/cookiepolicy', '2 years'],
  ['/contact', 'mailto:'],
])('%s can be read without JavaScript', async (path, text) => {
  const document = await (await fetch(run.url + path)).text()
  const [, main = ''] = /<main[^>]*>(.*)<\/main>/s.exec(document)!
  expect(main).toContain(text)
  expect(document).not.toMatch(/%(company|\d)\./)
})

test('the cookie policy names all that the storage of the browser keeps, and the privacy policy custody', async () => {
  const work = await availableWork(createApiClient(run))
  const page = await visit(itemPath(work))
  await page.getByRole('dialog', { name: 'Please Connect' }).waitFor()
  await page.keyboard.press('Escape')
  await page
    .getByRole('button', { name: /favourite/i })
    .first()
    .click()
  const stored = async () => Object.keys((await page.evaluate('({ ...localStorage })')) as object)
  await expect.poll(stored).toEqual(expect.arrayContaining(['recently_viewed', 'favourites']))
  const names = await stored()

  await page.goto('/cookiepolicy')
  const text = page.getByRole('main')
  await text.getByText('recently_viewed').waitFor()
  for (const name of [...names, 'changed_at', 'deviceId', 'token']) expect(await text.textContent()).toContain(name)
  await page.goto('/privacy')
  await text.getByText(/for a work in our custody the ID of your account/).waitFor()
})

test('terms that changed while a page was open are asked for again, and what else was chosen stays', async () => {
  const sent: { termsVersion: string; deliverTo: string }[] = []
  const work = await availableWork(createApiClient(run))
  const config = (await (await fetch(run.url + getFrontEndConfig.path)).json()) as FrontEndConfig
  let version = 'v1'
  const page = await visit(itemPath(work), {
    as: await demoUser(run, 'collector'),
    expects: [400],
    prepare: async (context) => {
      await context.route(`**${getFrontEndConfig.path}`, (route) =>
        route.fulfill({ json: { ...config, termsVersion: version } }),
      )
      await context.route(`**${startPurchase.path}`, (route) => {
        sent.push(route.request().postDataJSON())
        version = 'v2'
        const message = 'The terms have changed: please read and accept them once more'
        return route.fulfill({ status: 400, json: { success: false, code: 'invalid_terms', message } })
      })
    },
  })
  const terms = page.getByRole('checkbox', { name: /I declare that I have read/ })
  const buy = page.getByRole('button', { name: 'Buy Now' })
  await page.getByRole('button', { name: 'Keep it here instead' }).click()
  await terms.check()
  await buy.press('Enter')

  await page.getByText('The terms have changed: please read and accept them once more').waitFor()
  await expect.poll(() => terms.isChecked()).toBe(false)
  expect(await buy.isDisabled()).toBe(true)
  await page.getByText(/Kept here for you/).waitFor()
  await terms.check()
  await buy.press('Enter')
  await expect
    .poll(() => sent)
    .toMatchObject([
      { termsVersion: 'v1', deliverTo: 'custody' },
      { termsVersion: 'v2', deliverTo: 'custody' },
    ])
})

test('a link in a text leads on without loading the document anew', async () => {
  const page = await visit('/privacy')
  await page.evaluate('window.isSameDocument = true')
  await page.getByRole('main').getByRole('link', { name: 'contact form' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Contact' }).waitFor()
  expect(await page.evaluate('window.isSameDocument')).toBe(true)
})

test('the wallet page links to MetaMask’s documentation', async () => {
  const page = await visit('/wallet')
  await page.getByRole('heading', { level: 1, name: 'Wallet Connect' }).waitFor()
  expect(await page.getByRole('link', { name: /MetaMask/ }).getAttribute('href')).toContain('https://metamask.io/')
})

test('the contact form requires all four fields and confirms a message', async () => {
  const page = await visit('/contact')
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Send Message' }).click()
  expect(await page.evaluate('document.activeElement.name')).toBe('name')
  const words = { Name: 'Nora', Email: 'nora@people.example', Subject: 'A question', Message: 'How do I sell?' }
  for (const [label, value] of Object.entries(words)) await main.getByLabel(label, { exact: true }).fill(value)
  await main.getByRole('button', { name: 'Send Message' }).click()
  await page.getByRole('region', { name: 'Messages' }).getByRole('status').waitFor()
  expect(await main.getByLabel('Subject').inputValue()).toBe('')
})
