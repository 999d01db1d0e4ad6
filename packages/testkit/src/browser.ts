import { existsSync } from 'node:fs'
import sparticuz from '@sparticuz/chromium'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Real Chromium: the system's where there is one, else the one from npm. With a port other programs can drive it, too. */
export async function openBrowser({ debuggingPort }: { debuggingPort?: number } = {}): Promise<Browser> {
  const executablePath = installed.find((path) => existsSync(path)) ?? (await sparticuz.executablePath())
  return chromium.launch({
    executablePath,
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

/** A page that collects whatever goes wrong on it. */
export async function openPage(
  browser: Browser,
  { baseURL, viewport = desktop }: { baseURL: string; viewport?: { width: number; height: number } },
) {
  const context: BrowserContext = await browser.newContext({ baseURL, viewport, reducedMotion: 'reduce' })
  const page: Page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { page, context, complaints }
}
