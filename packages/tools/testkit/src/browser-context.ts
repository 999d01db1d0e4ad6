import type { Browser, BrowserContext } from 'playwright-core'
import { waitForApp } from './app-start.ts'
import { desktop } from './browser.ts'
import type { RunFile } from './run-file.ts'
import type { User } from './users.ts'

export type ContextOptions = {
  as?: Pick<User, 'token' | 'userId' | 'username'>
  viewport?: { width: number; height: number }
  /** The stored cookie consent; `undefined` for a browser that has none. Default: `necessary`. */
  consent?: 'necessary' | 'all' | undefined
  /**
   * What the test provokes: statuses, requests without a response, exceptions. The browser prints an error for each.
   */
  expects?: (number | 'no response' | 'exception')[]
  calm?: boolean
  /** A touch screen instead of a mouse. */
  touch?: boolean
  prepare?: (context: BrowserContext) => Promise<unknown>
  /** The test reads what the document shows before the app. */
  withoutApp?: boolean
}

/** A browser context with a session and a cookie consent, and a page in it that collects console errors. */
export async function openContext(browser: Browser, run: RunFile, options: ContextOptions) {
  const { as, viewport = desktop, calm = true, touch = false, expects = [], prepare, withoutApp } = options
  const consent = 'consent' in options ? options.consent : 'necessary'
  const context = await browser.newContext({
    baseURL: run.url,
    viewport,
    hasTouch: touch,
    isMobile: touch,
    reducedMotion: calm ? 'reduce' : 'no-preference',
    storageState: {
      cookies: consent ? cookiesOf(consent, run.url) : [],
      origins: as ? [{ origin: run.url, localStorage: storageOf(as) }] : [],
    },
  })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await prepare?.(context)
  const page = await context.newPage()
  if (!withoutApp) waitForApp(page)
  const consoleErrors: string[] = []
  const isExpected = (text: string) =>
    expects.some((each) =>
      each === 'no response' ? withoutResponse.test(text) : text.includes(`a status of ${each} `),
    ) ||
    // A performance hint: a page that waits uses its preloaded response and image late. preload.test.ts tests that it
    // does use them.
    /resource \S+\/(api\/|uploads\/|config\.json)\S* was preloaded using link preload but not used/.test(text)
  page.on('console', (message) => {
    const text = message.text()
    if (['error', 'warning'].includes(message.type()) && !isExpected(text))
      consoleErrors.push(`${text} (${message.location().url})`)
  })
  page.on('pageerror', (error) => {
    if (!expects.includes('exception') && !isExpected(String(error))) consoleErrors.push(String(error))
  })
  return { page, context, consoleErrors }
}

/** A failed request, and React's report of a page whose code it should have brought. */
const withoutResponse = /net::ERR_|Failed to fetch dynamically imported module|Unable to preload CSS/

const storageOf = ({ token, userId, username }: NonNullable<ContextOptions['as']>) =>
  Object.entries({ token, userId, username }).map(([name, value]) => ({ name, value }))

function cookiesOf(status: 'necessary' | 'all', url: string) {
  const more = status === 'all'
  const values = {
    cookie_consent: status,
    cookie_consent_id: '3b9e5b1e-2f0d-4f0e-8a55-6a1f0c9f2d77',
    cookie_consent_date: '2026-03-01T10:00:00.000Z',
    cookie_preferences: JSON.stringify({ necessary: true, analytics: more, marketing: more }),
  }
  return Object.entries(values).map(([name, value]) => ({
    name,
    value: encodeURIComponent(value),
    domain: new URL(url).hostname,
    path: '/',
    expires: -1,
    httpOnly: false,
    secure: false,
    sameSite: 'Lax' as const,
  }))
}
