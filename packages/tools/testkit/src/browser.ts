import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { waitForApp } from './app-start.ts'
import { npmChromiumPath } from './npm-chromium.ts'

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * The Chromium to run. `NIFTY_BROWSER` is `system` (an installed one) or `npm` (from `@sparticuz/chromium`, Linux x64);
 * unset means an installed one if there is any, else the one from npm.
 */
export async function chromiumPath(choice = process.env.NIFTY_BROWSER): Promise<string> {
  if (choice && choice !== 'system' && choice !== 'npm')
    throw new Error(`NIFTY_BROWSER is "${choice}"; it may be "system" or "npm"`)
  const system = installed.find((path) => existsSync(path))
  if (choice === 'system' && !system)
    throw new Error(`NIFTY_BROWSER is "system", and none of these is installed: ${installed.join(', ')}`)
  return choice !== 'npm' && system ? system : npmChromiumPath()
}

/** Starts Chromium. With a debugging port, other programs can control it too. */
export async function openBrowser({ debuggingPort }: { debuggingPort?: number } = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: await chromiumPath(),
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...(debuggingPort ? [`--remote-debugging-port=${debuggingPort}`] : []),
    ],
  })
}

export const phone = { width: 390, height: 844 }
export const desktop = { width: 1440, height: 900 }

/** A page, and the errors and warnings that its console prints. */
export async function openPage(
  browser: Browser,
  { baseURL, viewport = desktop }: { baseURL: string; viewport?: { width: number; height: number } },
) {
  const context: BrowserContext = await browser.newContext({ baseURL, viewport, reducedMotion: 'reduce' })
  const page = await context.newPage()
  waitForApp(page)
  const consoleErrors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      consoleErrors.push(`${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => consoleErrors.push(String(error)))
  return { page, context, consoleErrors }
}
