import { readFileSync } from 'node:fs'
import { type PageName, pages } from '@nifty/api/pages'
import { linkInMail } from '@nifty/testkit/mailbox'
import { createUser, demoUser } from '@nifty/testkit/users'
import { availableWork, itemPath } from '@nifty/testkit/works'
import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit, visitor } = await useBrowser()

const router = readFileSync(new URL('../../../../../web/src/app/app.tsx', import.meta.url), 'utf8')
/** The pages that the router loads lazily. The code of a page is in a file of its own or in that of its folder. */
const lazyPages = [
  ...router.matchAll(/(\w+)(?:: | = )lazyComponent\(\(\) => import\('\S+\/([\w-]+)\/([\w-]+)\.tsx'\)/g),
].map(([, name, folder, file]) => ({
  name: name as PageName,
  code: new RegExp(`/assets/(${folder}|${file})-[\\w-]{8}\\.js$`),
}))

/** The links of mails. Their tokens leave the address when the page is opened. */
const mailed: Partial<Record<PageName, string>> = {
  accept: '/accept?token=none',
  freeze: '/freeze-account#none',
  unsubscribe: '/unsubscribe#none',
  resetPassword: '/reset-password/none',
}

const error = 'Somthing went wrong!'

test('each page whose code is missing becomes an error page without endless reloads, and is shown once the code is there', async () => {
  const creator = await demoUser(run, 'creator')
  const parameters: typeof mailed = {
    ...mailed,
    item: itemPath(await availableWork(visitor)),
    creatorProfile: `/creator-profile/${creator.username}`,
    settings: `/creator-profile-edit/${creator.userId}`,
  }
  const context = (await visit('/error', { as: creator })).context()

  async function look({ name, code }: (typeof lazyPages)[number]) {
    const path = parameters[name] ?? pages[name].path.replace(/:\w+/g, 'none')
    const page = await context.newPage()
    const sent = { documents: 0, refused: 0 }
    page.on('request', (request) => {
      if (request.isNavigationRequest()) sent.documents++
    })
    await page.route(code, (route) => {
      sent.refused++
      return route.fulfill({ status: 404, body: 'not found' })
    })
    const title = page.getByRole('main').getByRole('heading', { level: 1 })
    await page.goto(path)
    await title.filter({ hasText: error }).waitFor()
    await page.waitForLoadState('networkidle')
    expect({ name, ...sent }).toMatchObject({ name, documents: 2 })
    expect(sent.refused, name).toBeGreaterThan(0)

    await page.unroute(code)
    await page.getByRole('button', { name: 'Try again' }).click()
    await title.filter({ hasNotText: error }).waitFor()
    await page.close()
  }

  expect(lazyPages.length).toBeGreaterThan(25)
  const left = lazyPages.values()
  const lookAtTheRest = async () => {
    for (const next of left) await look(next)
  }
  await Promise.all([lookAtTheRest(), lookAtTheRest(), lookAtTheRest()])
})

test('a mailed link whose code is missing at first still confirms the address', async () => {
  const person = await createUser(run)
  const link = new URL(await linkInMail(run, person.email, /https?:\/\/\S+\/accept\?token=\S+/))
  const code = /\/assets\/account-[\w-]{8}\.js$/
  const page = await visit(link.pathname + link.search, {
    expects: [404, 'no response'],
    prepare: (context) => context.route(code, (route) => route.fulfill({ status: 404, body: 'not found' })),
  })
  await page.getByRole('heading', { level: 1, name: error }).waitFor()
  await page.context().unroute(code)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name: 'Your email is confirmed!' }).waitFor()
})
