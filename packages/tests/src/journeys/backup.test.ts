import { execFile } from 'node:child_process'
import { copyFile, cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ApiClient, accountsOf, createApiClient, logIn, pay, untilOrder } from '@nifty/testkit/api-client'
import { openChain } from '@nifty/testkit/chain'
import { type Store, startStore } from '@nifty/testkit/store'
import { waitUntil } from '@nifty/testkit/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'

const program = join(import.meta.dirname, '../../../../deploy/ops/src/main.ts')
let store: Store
let backup: string
let world: string

beforeAll(async () => {
  store = await startStore({ works: 6 })
  backup = `${store.folder}-backup`
  world = `${store.folder}-world`
  // Otherwise each start of the restored store would continue to seed the demo.
  await waitUntil(async () => JSON.parse(await readFile(join(store.folder, 'demo.json'), 'utf8')).done)
})
afterAll(async () => {
  await store?.remove()
  for (const folder of [backup, world, ...(await asideOf(store))]) await rm(folder, { recursive: true, force: true })
})

const asideOf = async ({ folder }: Store) =>
  (await readdir(join(folder, '..')))
    .map((name) => join(folder, '..', name))
    .filter((path) => path.startsWith(`${folder}.before-`))

/** Runs the operator's tool without a terminal, so that it cannot prompt. */
const ops = (...args: string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const env = { ...process.env, NIFTY_HOME: store.folder }
    const child = execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    )
    child.stdin?.end()
  })

const collector = () => accountsOf(store.run, 'collector')[0]!

async function buyOne(visitor: ApiClient) {
  const work = (await visitor.market()).find(({ forSale, reserved }) => forSale && !reserved)!
  const { body } = await visitor.buy(work)
  await pay(store.run, body.url, store.run.cards.approved)
  await untilOrder(visitor, body.orderId, 'completed')
  return { work, orderId: body.orderId }
}

async function expectOwned(work: { contract: string; identifier: string; image: string }) {
  const chain = openChain(store.run)
  expect(await chain.ownerOf(work)).toBe(collector().wallet.address)
  chain.close()
  expect((await createApiClient(store.run).item(work)).ownerUsername).toBe(collector().username)
  expect((await fetch(store.run.url + work.image)).status).toBe(200)
}

test('a backup of a running store restores, although chain and processor have moved on', async () => {
  const bought = await buyOne(await logIn(store.run, collector()))
  expect(await ops('backup', backup)).toMatchObject({ code: 0 })
  expect((await ops('backup', backup)).output).toContain('is not empty')
  expect((await ops('restore', backup, '--yes')).output).toContain('A store already runs')

  // A real chain and a real processor are not restored with a backup: they have one sale more than the restored store.
  const forgotten = await buyOne(await logIn(store.run, collector()))
  await store.stop()
  await cp(join(store.folder, 'processor'), join(world, 'processor'), { recursive: true })
  await copyFile(join(store.folder, 'chain.json'), join(world, 'chain.json'))
  expect((await ops('restore', backup, '--yes')).output).toContain('has a store')
  expect(await ops('restore', backup, 'overwrite', '--yes')).toMatchObject({ code: 0 })
  expect(await asideOf(store)).toHaveLength(1)
  await cp(world, store.folder, { recursive: true, force: true })
  await store.restart()

  const visitor = await logIn(store.run, collector())
  expect((await visitor.order(bought.orderId)).state).toBe('completed')
  expect((await visitor.call('GET', `/api/orders/${forgotten.orderId}`)).status).toBe(404)
  await expectOwned(bought.work)
  const status = await waitUntil(async () => {
    const { output } = await ops('status')
    return output.includes('the signer is halted') && output
  })
  expect(status).toContain('transactions of the key, the database has')
  const { output } = await waitUntil(async () => {
    const found = await ops('reconcile')
    return found.code === 1 && found.output.includes('\nTOKEN ') && found
  })
  expect(output).toMatch(new RegExp(`MONEY order ${forgotten.orderId}, .*not an order of ours`))
  const { contract, identifier } = forgotten.work
  expect(output.toLowerCase()).toContain(`\ntoken ${contract}/${identifier} `.toLowerCase())
  expect(output.match(/^(MONEY|TOKEN) /gm)).toHaveLength(2)

  expect((await ops('resume-signer', '--yes')).code).toBe(2)
  expect(await ops('resume-signer', '--yes', '--reason', 'restored')).toMatchObject({ code: 0 })
  const { work } = await buyOne(visitor)
  await expectOwned(work)
  expect([bought, forgotten].map((sale) => sale.work.identifier)).not.toContain(work.identifier)
}, 400_000)

test('a backup that was damaged is refused before anything is touched', async () => {
  await store.stop()
  const before = await readdir(store.folder)
  await writeFile(join(backup, 'contracts.json'), '{}')
  expect((await ops('restore', backup, 'overwrite', '--yes')).output).toContain(
    'damaged, nothing was restored: contracts.json',
  )
  await rm(join(backup, 'backup.json'))
  expect((await ops('restore', backup, 'overwrite', '--yes')).output).toContain('is no backup of a store')
  expect(await readdir(store.folder)).toEqual(before)
})
