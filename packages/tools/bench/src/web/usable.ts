import type { openBrowser } from '@nifty/testkit/browser'
import { waitUntil } from '@nifty/testkit/wait-until'
import { median } from '../results/statistics.ts'
import type { Figure } from '../results/target.ts'
import { type PageName, pageNames, firstVisit as targets } from '../run/targets.ts'
import { startAfterPaint } from './after-paint.ts'

const ROUNDS = 5
const PHONE = { width: 390, height: 844 }
/** Chromium's own preset "Slow 4G": milliseconds, bytes a second. */
const slow4G = { latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 }
const CPU_TIMES = 4
const TIMEOUT_MS = 60_000

/** What has to work on a page: all that its first screen offers. */
const controlsOf: Record<PageName, Control[]> = {
  home: ['menu'],
  explore: ['menu', 'price'],
  item: ['menu', 'price', 'buy'],
}
type Control = 'menu' | 'price' | 'buy'
/** Milliseconds from the navigation. `app`: until it has taken the document's place. */
type Times = { usable: number; app: number }

type Browser = Awaited<ReturnType<typeof openBrowser>>
type Page = Awaited<ReturnType<Browser['newPage']>>

/**
 * Time from the navigation until the menu opens, the price is shown and Buy Now leads on, on a first visit by a slow
 * phone: each control is pressed once, as soon as it is visible and enabled, and its time is that of the effect. The
 * baseline is the same store with an app that is requested after the paint; their rounds alternate. In the same visits:
 * the time until the app has taken the document's place, without a target.
 */
export async function benchUsable(browser: Browser, storeUrl: string, pages: Record<PageName, string>) {
  const former = await startAfterPaint(storeUrl)
  try {
    const figures: Figure[] = []
    for (const name of pageNames) {
      const times = { figure: [] as Times[], baseline: [] as Times[] }
      // The first round of both is not counted: the store's caches are empty.
      for (let round = 0; round <= ROUNDS; round++) {
        const figure = await measure(browser, new URL(pages[name], storeUrl).href, controlsOf[name])
        const baseline = await measure(browser, new URL(pages[name], former.url).href, controlsOf[name])
        if (round === 0) continue
        times.figure.push(figure)
        times.baseline.push(baseline)
      }
      const secondsOf = (kind: keyof Times) => ({
        figure: median(times.figure.map((each) => each[kind])) / 1_000,
        baseline: median(times.baseline.map((each) => each[kind])) / 1_000,
      })
      figures.push(
        { target: targets.usable[name], ...secondsOf('usable') },
        { name: `${name}: the app runs, slow 4G, CPU 4 × as slow`, unit: 's', ...secondsOf('app') },
      )
    }
    return figures
  } finally {
    await former.stop()
  }
}

/** In a browser without cache, session and cookies. */
async function measure(browser: Browser, url: string, controls: Control[]): Promise<Times> {
  const context = await browser.newContext({ viewport: PHONE, hasTouch: true, isMobile: true })
  try {
    const page = await context.newPage()
    await throttle(page)
    await page.addInitScript({ content: `(${pressWhenVisible})(${JSON.stringify(controls)})` })
    await page.goto(url, { waitUntil: 'commit', timeout: TIMEOUT_MS })
    const { app, ...others } = await waitUntil(
      async () => {
        const workedAt = (await page.evaluate('globalThis.workedAt ?? {}')) as Record<string, number>
        return Object.keys(workedAt).length === controls.length + 1 && workedAt
      },
      { timeoutMs: TIMEOUT_MS, intervalMs: 250 },
    )
    return { usable: Math.max(...Object.values(others)), app: app! }
  } finally {
    await context.close()
  }
}

async function throttle(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', { offline: false, ...slow4G })
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_TIMES })
}

/** Runs in the page. `workedAt`: milliseconds from the navigation, by control and of the app. */
const pressWhenVisible = `(controls) => {
  const workedAt = (globalThis.workedAt = {})
  const pressed = new Set()
  const find = (selector) => document.querySelector(selector)
  const isShown = (element) => Boolean(element) && element.getClientRects().length > 0
  const press = (selector) => {
    const control = find(selector)
    if (pressed.has(selector) || !isShown(control) || control.disabled) return
    pressed.add(selector)
    control.click()
  }
  const works = {
    menu: () => {
      press('.navigation__toggle')
      return isShown(find('#site-links a'))
    },
    price: () => /€/.test((find('.panel__price') ?? find('.item-card__price'))?.textContent ?? ''),
    buy: () => {
      press('.buy input')
      press('.buy button')
      return isShown(find('dialog[open] a[href="/login"]'))
    },
    app: () => isShown(find('#content')),
  }
  const all = [...controls, 'app']
  const timer = setInterval(() => {
    // Nothing can be pressed before it is painted.
    if (performance.getEntriesByType('paint').length === 0) return
    for (const name of all) if (!(name in workedAt) && works[name]()) workedAt[name] = performance.now()
    if (Object.keys(workedAt).length === all.length) clearInterval(timer)
  }, 20)
}`
