import { randomUUID } from 'node:crypto'
import { desktop, phone } from '@nifty/testkit/browser'
import { availableWork, itemPath } from '@nifty/testkit/works'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

/** More stops than any page has before what a buyer wants. */
const MAX_STOPS = 80

/** What has the focus, and what is wrong with it: nothing has it, it is not to be seen, or something lies over it. */
const readFocus = `(() => {
  const element = document.activeElement
  if (!element || element === document.body) return { name: 'body', problem: 'nothing has the focus' }
  const name = element.tagName + ' ' + (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40)
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  if (outlineStyle === 'none' || parseFloat(outlineWidth) === 0) return { name, problem: 'its outline is missing' }
  const box = element.getBoundingClientRect()
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const top = document.elementFromPoint(x, y)
  const isShown = top && (element.contains(top) || top.contains(element) || top.closest('label')?.control === element)
  return { name, problem: isShown ? '' : 'something lies over it: ' + (top?.outerHTML.slice(0, 80) ?? 'it is outside') }
})()`
type Focus = { name: string; problem: string }

const hasFocus = (target: Locator) =>
  target.evaluateAll((elements) => elements.some((element: any) => element === element.ownerDocument.activeElement))

/** Presses Tab until the target has the focus. Fails at a stop that cannot be seen. */
async function tabTo(page: Page, target: Locator) {
  await target.first().waitFor()
  const stops: string[] = []
  while (!(await hasFocus(target))) {
    expect(stops.length, `no way by Tab: ${stops.join(' > ')}`).toBeLessThan(MAX_STOPS)
    await page.keyboard.press('Tab')
    const { name, problem } = await page.evaluate<Focus>(readFocus)
    expect(problem, name).toBe('')
    stops.push(name)
  }
}

async function press(page: Page, target: Locator, key = 'Enter') {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

async function type(page: Page, label: string, value: string) {
  await tabTo(page, page.getByLabel(label, { exact: true }).locator('visible=true'))
  await page.keyboard.type(value)
}

/** Within one document an action leaves the focus on something. */
const expectFocus = async (page: Page, target: Locator) => {
  await target.waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).not.toBe('BODY')
}

test.each([desktop, phone])('a visitor signs up and buys with the keyboard alone at $width px', async (viewport) => {
  const work = await availableWork(visitor)
  const name = randomUUID().slice(0, 8)
  const [email, password] = [`${name}@people.example`, 'a long enough password']
  const page = await visit(itemPath(work), { consent: undefined, viewport })
  const main = page.getByRole('main')
  const dialog = page.getByRole('dialog', { name: 'Please Connect' })

  await press(page, page.getByRole('button', { name: 'Reject All' }))
  await expectFocus(page, dialog)
  await press(page, dialog.getByRole('link', { name: 'Sign up' }))
  await expectFocus(page, main.getByLabel('First name', { exact: true }))
  for (const [label, value] of Object.entries({
    'First name': 'Nora',
    'Last name': 'New',
    Username: name,
    Email: email,
    Password: password,
    'Repeat password': password,
  }))
    await type(page, label, value)
  await press(page, main.getByRole('checkbox'), 'Space')
  await press(page, main.getByRole('button', { name: 'Sign up' }))
  await expectFocus(page, page.getByRole('heading', { name: 'Thank You for your Registration!' }))
  await press(page, main.getByRole('link', { name: 'Login' }))
  await expectFocus(page, main.getByLabel('Email', { exact: true }))
  await type(page, 'Email', email)
  await type(page, 'Password', password)
  await press(page, main.getByRole('button', { name: 'Login', exact: true }))
  const card = page.getByRole('region', { name: 'Continue where you were' })
  await expectFocus(page, card)
  await press(page, card.getByRole('link', { name: 'Continue' }))
  await expectFocus(page, dialog)
  await press(page, dialog.getByRole('button', { name: 'Keep it here for me' }))
  await expectFocus(page, page.getByText('Kept here for you, free of charge.'))
  await press(page, page.getByRole('checkbox', { name: /I declare that I have read/ }), 'Space')
  await press(page, page.getByRole('button', { name: 'Buy Now' }))

  await page.waitForURL('**/pay/**')
  await type(page, 'Card number', run.cards.approved!)
  await type(page, 'Expiry', '12 / 34')
  await type(page, 'CVC', '123')
  await type(page, 'Name on card', 'A Collector')
  await press(page, page.getByRole('button', { name: /^Pay / }))

  await page.waitForURL('**/purchase-thanks**')
  await press(page, page.getByRole('link', { name: 'Your order' }))
  await expectFocus(page, page.getByRole('heading', { level: 1 }))
  await page
    .getByRole('listitem')
    .and(page.locator('[data-phase=done]'))
    .getByText(/^Charged/)
    .waitFor({ timeout: 60_000 })
  await expectFocus(page, page.getByRole('heading', { level: 1, name: 'It is yours' }))
})
