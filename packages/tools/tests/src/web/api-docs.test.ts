import { expect, test } from 'vitest'
import { useBrowser } from './use-browser.ts'

const { run, visit } = await useBrowser()

test('the page of the OpenAPI document shows each service, and requests nothing of other hosts', async () => {
  const hosts = new Set<string>()
  const page = await visit('/api/docs/', {
    withoutApp: true,
    prepare: async (context) => context.on('request', (request) => hosts.add(new URL(request.url()).origin)),
  })
  const operation = page.locator('#operations-catalog-getMarket')
  await operation.getByText('Searches the market').click()
  await operation.getByText('At most 1200 requests a minute').waitFor()
  await operation.getByRole('button', { name: 'Try it out' }).click()
  await operation.getByRole('button', { name: 'Execute' }).click()
  await operation.locator('.live-responses-table').getByText('200', { exact: true }).first().waitFor()
  for (const service of ['auth', 'minting', 'payments', 'notification'])
    await page.locator(`#operations-tag-${service}`).waitFor()
  expect([...hosts].filter((host) => host !== run.url && host !== 'null')).toEqual([])
})
