import { mkdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openBrowser } from '@nifty/testkit/browser'
import { openContext } from '@nifty/testkit/browser-context'
import type { RunFile } from '@nifty/testkit/run-file'
import type { Browser } from 'playwright-core'
import { auctionScreensOf, prepareAuctions } from './auctions.ts'
import { findings } from './findings.ts'
import { prepareFixtures } from './fixtures.ts'
import { startOffice } from './office.ts'
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

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, sizes: { type: 'string', default: Object.keys(viewports).join() } },
})
const sizes = values.sizes.split(',').filter((size): size is keyof typeof viewports => size in viewports)
const home = resolve(process.env.NIFTY_HOME ?? join(root, '.nifty'))
const folder = resolve(positionals[0] ?? join(home, 'screens'))
const run: RunFile = JSON.parse(await readFile(join(home, 'run.json'), 'utf8'))

await mkdir(folder, { recursive: true })
const browser = await openBrowser()
const fixtures = await prepareFixtures(run)
const ofAuctions = auctionScreensOf(await prepareAuctions(run, fixtures))
const screens = [...screensOf(fixtures), ...ofAuctions].filter(({ name }) => name.includes(values.only ?? ''))
for (const screen of screens) await Promise.all(sizes.map((size) => picture(browser, screen, size)))
await browser.close()
process.stdout.write(`${screens.length * sizes.length} pictures in ${folder}\n`)

async function picture(
  from: Browser,
  { name, path, as, unasked, expects, office: isOfOffice, prepare, show }: Screen,
  size: keyof typeof viewports,
) {
  const { page, context, consoleErrors } = await openContext(from, run, {
    as,
    viewport: viewports[size],
    expects,
    prepare,
    consent: unasked ? undefined : 'necessary',
  })
  // An address of the office opens one browser.
  const office = isOfOffice ? await startOffice(home) : undefined
  await page.goto(office?.url ?? path)
  await page.locator('main h1').waitFor()
  await show?.(page)
  await page.waitForLoadState('networkidle')
  await unfold(page)
  await page.screenshot({ path: join(folder, `${name}-${size}.png`), fullPage: true })
  for (const complaint of [...consoleErrors, ...(await findings(page))])
    process.stderr.write(`${name} at ${size}: ${complaint}\n`)
  // A request that a screen has replaced may be under way.
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
  office?.stop()
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
