import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { copyFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { getDocs } from '@nifty/api/gateway'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { createApiClient, pay } from '@nifty/testkit/api-client'
import { availableWork } from '@nifty/testkit/works'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { expect, test } from 'vitest'
import { sharedStore } from '../shared-store/shared-store.ts'

const tests = join(import.meta.dirname, '../..')
const compiler = join(tests, '../../../node_modules/typescript/bin/tsc')
const run = promisify(execFile)
const options = ['--strict', '--noEmit', '--allowImportingTsExtensions', '--exactOptionalPropertyTypes']

/** Made anew in each run: a stored copy would change with each endpoint. */
async function generateClient(url: string) {
  const folder = await temporaryFolder('generated-client')
  await symlink(join(tests, 'node_modules'), join(folder, 'node_modules'))
  await copyFile(join(tests, 'generated-client/buy.ts'), join(folder, 'buy.ts'))
  await writeFile(join(folder, 'paths.ts'), astToString(await openapiTypescript(new URL(getDocs.path, url))))
  return join(folder, 'buy.ts')
}

test('a client that is generated from the OpenAPI document compiles, and buys a work', async () => {
  const store = (await sharedStore()).run
  const client = await generateClient(store.url)
  const target = ['--target', 'es2024', '--module', 'nodenext', '--lib', 'es2024,dom,dom.iterable', '--types', '']
  await run(process.execPath, [compiler, ...options, ...target, client]).catch(({ stdout }) => expect(stdout).toBe(''))

  const { buy } = (await import(client)) as { buy: (...input: unknown[]) => Promise<unknown> }
  const work = await availableWork(createApiClient(store))
  const name = randomUUID().slice(0, 8)
  const account = {
    firstName: 'Pia',
    lastName: 'Partner',
    username: `@${name}`,
    email: `${name}@people.example`,
    password: 'a long enough password',
  }
  const order = await buy(store.url, work._id, {
    account,
    payAt: (url: string) => pay(store, url, store.cards.approved),
  })
  expect(order).toMatchObject({ state: 'completed', captured: work.price, lines: [{ itemId: work._id }] })
})
