import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { expect, onTestFinished, test, vi } from 'vitest'
import { changedPrograms, watchSources } from './watch.ts'

const all = ['auth', 'payments', 'gateway'] as const

test.each([
  ['services/payments/src/orders/order.ts', ['payments']],
  ['services/payments/migrations/004-refunds.sql', ['payments']],
  ['services/payments/src/page.html', ['payments']],
  ['gateway/src/gateway.ts', ['gateway']],
  ['web/site/src/documents/site.ts', ['gateway']],
  ['packages/contracts/src/abi.ts', ['auth']],
  ['packages/content/texts/terms.md', ['payments', 'gateway']],
  ['packages/content/src/head.ts', ['payments', 'gateway']],
  ['packages/content/README.md', []],
  ['packages/service-kit/src/base/errors.ts', ['auth', 'payments', 'gateway']],
  ['packages/api/src/endpoint.ts', ['auth', 'payments', 'gateway']],
  ['services/payments/src/orders/order.test.ts', []],
  ['services/payments/src/testing/sale.ts', []],
  ['services/payments/src/preview/samples.ts', []],
  ['services/payments/README.md', []],
  ['services/payments/node_modules/stripe/index.ts', []],
])('a change of %s restarts %j', (file, processes) => {
  expect(changedPrograms(file, all)).toEqual(processes)
})

test('a file that is saved by renaming is seen each time', async () => {
  const base = await temporaryFolder('watch')
  const file = 'services/payments/src/orders/order.ts'
  await mkdir(join(base, 'services/payments/src/orders'), { recursive: true })
  await writeFile(join(base, file), 'first')
  const seen = vi.fn()
  const watcher = watchSources((files) => files.includes(file) && seen(), base)
  onTestFinished(watcher.stop)
  await watcher.ready

  for (const [time, text] of ['second', 'third', 'fourth'].entries()) {
    await writeFile(join(base, `${file}.tmp`), text)
    await rename(join(base, `${file}.tmp`), join(base, file))
    await vi.waitFor(() => expect(seen).toHaveBeenCalledTimes(time + 1), 10_000)
  }
})
