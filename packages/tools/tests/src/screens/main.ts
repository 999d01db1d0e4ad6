import { mkdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openBrowser } from '@nifty/testkit/browser'
import { openContext } from '@nifty/testkit/browser-context'
import type { RunFile } from '@nifty/testkit/run-file'
import type { Browser } from 'playwright-core'
import { prepareFixtures } from './fixtures.ts'
import { type Screen, screensOf } from './screens.ts'

const root = resolve(import.meta.dirname, '../../../../..')
/** A phone, upright and on its side, a tablet, a desktop and a large one. */
const viewports = {
  '390': { width: 390, height: 844 },
  '844x390': { width: 844, height: 390 },
  '820': { width: 820, height: 900 },
  '1440': { width: 1440, height: 900 },
  '1920': { width: 1920, height: 1080 },
}

const { positionals, values } = parseArgs({ allowPositionals: true, options: { only: { type: 'string' } } })
const home = resolve(process.env.NIFTY_HOME ?? join(root, '.nifty'))
const folder = resolve(positionals[0] ?? join(home, 'screens'))
const run: RunFile = JSON.parse(await readFile(join(home, 'run.json'), 'utf8'))

await mkdir(folder, { recursive: true })
const browser = await openBrowser()
const screens = screensOf(await prepareFixtures(run)).filter(({ name }) => name.includes(values.only ?? ''))
for (const screen of screens)
  await Promise.all(Object.keys(viewports).map((size) => picture(browser, screen, size as keyof typeof viewports)))
await browser.close()
process.stdout.write(`${screens.length * Object.keys(viewports).length} pictures in ${folder}\n`)

async function picture(
  from: Browser,
  { name, path, as, unasked, expects, show }: Screen,
  size: keyof typeof viewports,
) {
  const { page, context, consoleErrors } = await openContext(from, run, {
    as,
    viewport: viewports[size],
    expects,
    consent: unasked ? undefined : 'necessary',
  })
  await page.goto(path)
  await page.locator('main h1').waitFor()
  await show?.(page)
  await page.waitForLoadState('networkidle')
  await unfold(page)
  await page.screenshot({ path: join(folder, `${name}-${size}.png`), fullPage: true })
  for (const complaint of consoleErrors) process.stderr.write(`${name} at ${size}: ${complaint}\n`)
  await context.close()
}

/** Scrolls through once, so that what loads when it is seen is there. */
async function unfold(page: Awaited<ReturnType<typeof openContext>>['page']) {
  await page.evaluate(`(async () => {
    for (let top = 0; top < document.body.scrollHeight; top += innerHeight) {
      scrollTo(0, top)
      await new Promise((resume) => setTimeout(resume, 120))
    }
    scrollTo(0, 0)
    const isAwaited = (image) => {
      const { left, right, width } = image.getBoundingClientRect()
      return !image.complete && width > 0 && right > 0 && left < innerWidth
    }
    for (let looks = 0; looks < 200 && [...document.images].some(isAwaited); looks++)
      await new Promise((resume) => setTimeout(resume, 60))
  })()`)
}
