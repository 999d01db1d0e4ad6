import { readFile } from 'node:fs/promises'
import { demoUser } from '@nifty/testkit/users'
import { expect, test } from 'vitest'
import { stepUpOn } from './step-up.ts'
import { useBrowser } from './use-browser.ts'

const { run, visit } = await useBrowser()

test('the settings download one file with the data of every service', async () => {
  const as = await demoUser(run, 'creator')
  const page = await visit(`/creator-profile-edit/${as.userId}`, { as, expects: [403] })
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download your data' }).press('Enter')
  await stepUpOn(page, as.password)
  const download = await waiting

  expect(download.suggestedFilename()).toBe('account-data.json')
  const data = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect(Object.keys(data)).toEqual(['exportedAt', 'auth', 'mints', 'works', 'orders', 'mails'])
  expect(data.auth[0]).toMatchObject({ kind: 'account', data: { username: as.username } })
  expect(data.mints.length).toBeGreaterThan(0)
  expect(data.works.length).toBeGreaterThan(0)
  expect(data.mails[0]).toMatchObject({ kind: 'mail_address' })
  await page.getByText('Your data was downloaded').waitFor()
})

test('when one service fails nothing is downloaded, and the page says so', async () => {
  const as = await demoUser(run, 'creator')
  const page = await visit(`/creator-profile-edit/${as.userId}`, {
    as,
    expects: [403, 500],
    prepare: (context) => context.route('**/api/subscribe/export', (route) => route.fulfill({ status: 500 })),
  })
  let downloads = 0
  page.on('download', () => downloads++)
  await page.getByRole('button', { name: 'Download your data' }).click()
  await stepUpOn(page, as.password)
  await page.getByText('Your data could not be put together.').waitFor()
  expect(downloads).toBe(0)
})
