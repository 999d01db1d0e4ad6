import type { RunFile } from '@nifty/local/run-file'
import type { Browser, BrowserContext } from 'playwright-core'
import { desktop } from './browser.ts'
import type { Person } from './people.ts'

export type Visit = {
  as?: Pick<Person, 'token' | 'userId' | 'username'>
  viewport?: { width: number; height: number }
  /** `undefined` in a visit of somebody who was never asked. */
  consent?: 'necessary' | 'all' | undefined
  /** Statuses that this test provokes: the browser writes a line about each by itself. */
  expects?: number[]
  calm?: boolean
  /** A device with a finger instead of a mouse. */
  touch?: boolean
  prepare?: (context: BrowserContext) => Promise<unknown>
}

/** A context of somebody with a session and a consent, and a page in it that writes down what goes wrong. */
export async function enter(browser: Browser, run: RunFile, wishes: Visit) {
  const { as, viewport = desktop, calm = true, touch = false, expects = [], prepare } = wishes
  const consent = 'consent' in wishes ? wishes.consent : 'necessary'
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
  const complaints: string[] = []
  const isExpected = (text: string) =>
    expects.some((status) => text.includes(`a status of ${status} `)) ||
    // A hint about speed: a page that is kept waiting uses its first answer and picture late. beginnings.test.ts holds that it does.
    /resource \S+\/(api\/|uploads\/|config\.json)\S* was preloaded using link preload but not used/.test(text)
  page.on('console', (message) => {
    const text = message.text()
    if (['error', 'warning'].includes(message.type()) && !isExpected(text))
      complaints.push(`${text} (${message.location().url})`)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { page, context, complaints }
}

const storageOf = ({ token, userId, username }: NonNullable<Visit['as']>) =>
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
