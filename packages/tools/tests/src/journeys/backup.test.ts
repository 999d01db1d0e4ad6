import { copyFile, cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ledgerOf, logIn, untilOrder } from '@nifty/testkit/api-client'
import { quickChain, type Store, startStore } from '@nifty/testkit/store'
import { createUser } from '@nifty/testkit/users'
import { waitUntil } from '@nifty/testkit/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { betweenCommands, operate, type StartedSale } from './restored-store.ts'

let store: Store
let backup: string
let world: string

beforeAll(async () => {
  store = await startStore({ works: 12, env: { ...quickChain, PAYMENTS_POLL_MS: '1000' } })
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

/** Deliveries wait unsigned while the signer is halted. */
const halt = (reason: string | null) =>
  `update signer set halted_reason = ${reason && `'${reason}'`}, halted_at = ${reason && 'now()'}`

/** Restores the backup while chain and processor stay as they are now. */
async function restoreDatabases() {
  const { ops } = operate(store)
  await store.stop()
  await cp(join(store.folder, 'processor'), join(world, 'processor'), { recursive: true })
  await copyFile(join(store.folder, 'chain.json'), join(world, 'chain.json'))
  expect((await ops('restore', backup, '--yes')).output).toContain('has a store')
  expect(await ops('restore', backup, 'overwrite', '--yes')).toMatchObject({ code: 0 })
  expect(await asideOf(store)).toHaveLength(1)
  await cp(world, store.folder, { recursive: true, force: true })
}

/**
 * Makes the restored backup one of yesterday: the deadlines of its deliveries have passed, except those of `recent`.
 */
async function ageDatabases(recent: StartedSale) {
  const { runSql, whileStopped } = operate(store)
  const past = `now() - interval '1 hour'`
  await whileStopped(async (url) => {
    await runSql(
      url,
      'minting',
      `update delivery set deliver_by = ${past} where state = 'waiting' and order_id <> '${recent.orderId}'`,
    )
    await runSql(
      url,
      'payments',
      `update orders set deliver_by = ${past} where deliver_by is not null and id <> '${recent.orderId}'`,
    )
  })
}

test('a restore of yesterday’s backup ends as the chain and the processor have it, and says what is lost', async () => {
  const { buyOne, differences, expectOwned, logIn: logInCollector, mintOne, ops, payFor, ...shop } = operate(store)
  const { runSql, startSale } = shop
  const visitor = await logInCollector()
  const bought = await buyOne(visitor)
  const postgres = await shop.postgresUrl()
  const [late, cancelled, unpaid] = [await startSale(visitor), await startSale(visitor), await startSale(visitor)]
  await runSql(postgres, 'minting', halt('a test'))
  for (const sale of [late, cancelled]) {
    await payFor(sale)
    await untilOrder(visitor, sale.orderId, 'authorised')
  }
  await waitUntil(async () => {
    const { output } = await ops('status')
    return output.includes('2 waiting') || undefined
  }, betweenCommands)
  expect(await ops('backup', backup)).toMatchObject({ code: 0 })
  expect((await ops('backup', backup)).output).toContain('is not empty')
  expect((await ops('restore', backup, '--yes')).output).toContain('A store already runs')

  // The lost day. A real chain and a real processor are not restored with a backup.
  await visitor.cancel(cancelled.orderId)
  await untilOrder(visitor, cancelled.orderId, 'released')
  await runSql(postgres, 'minting', halt(null))
  await payFor(unpaid)
  for (const { orderId } of [late, unpaid]) await untilOrder(visitor, orderId, 'completed')
  const sold = await buyOne(visitor)
  const minted = await mintOne(sold.work, 'Lost and minted')
  const stranger = await createUser(store.run)
  const [held, open] = [await startSale(visitor), await startSale(visitor)]
  await runSql(postgres, 'minting', halt('a test'))
  await payFor(held)
  await untilOrder(visitor, held.orderId, 'authorised')

  await restoreDatabases()
  await ageDatabases(cancelled)
  await store.restart()

  const again = await logInCollector()
  for (const { orderId } of [bought, late, unpaid, sold]) await untilOrder(again, orderId, 'completed')
  for (const { orderId } of [cancelled, held, open]) await untilOrder(again, orderId, 'released')
  for (const { work } of [bought, late, unpaid, sold]) await expectOwned(work)
  await waitUntil(async () => (await ledgerOf(store.run)).totals.inFlight === 0 || undefined)
  const { totals } = await ledgerOf(store.run)
  const cents = (sales: StartedSale[]) => sales.reduce((sum, { work }) => sum + Math.round(work.price! * 100), 0)
  expect(totals.captured).toBe(cents([bought, late, unpaid, sold]))
  expect(totals.released).toBe(cents([cancelled, held]))

  const status = await waitUntil(async () => {
    const { output } = await ops('status')
    return /signer 0x\w+ is halted/.test(output) && output
  }, betweenCommands)
  expect(status).toContain('the database was restored from a backup')
  expect((await ops('resume-signer', '--yes')).code).toBe(2)
  expect(await ops('resume-signer', '--yes', '--reason', 'restored')).toMatchObject({ code: 0 })
  const lostToken = `${minted.contract.toLowerCase()}/${minted.identifier}`
  await waitUntil(async () => (await differences()).length === 1 || undefined, betweenCommands)
  expect(await differences()).toEqual([expect.stringContaining(`${lostToken}: is on the chain, but not in catalog`)])

  const shown = await ops('acknowledge-lost-work', lostToken)
  expect(shown.output).toContain('minting has no mint of it')
  expect(shown.output).toContain('Nothing was changed')
  const reason = ['--yes', '--reason', 'minted after the backup']
  expect(await ops('acknowledge-lost-work', lostToken, ...reason)).toMatchObject({ code: 0 })
  const balanced = await ops('reconcile', 'all')
  expect(balanced).toMatchObject({ code: 0, output: expect.stringContaining('Balanced.') })
  expect(balanced.output).toContain(
    `ACKNOWLEDGED TOKEN ${lostToken}: is on the chain, but not in catalog (acknowledged by local at`,
  )

  const report = (await ops('restored')).output
  for (const { orderId, work } of [sold, held, open]) {
    expect(report).toContain(`REBUILT order ${orderId}`)
    expect(report).toContain(work.name)
  }
  expect(report).not.toContain(`REBUILT order ${late.orderId}`)
  expect(report).toContain(`LOST work ${lostToken}`)
  expect(report).toContain('CHECK payouts')
  expect(report).toContain('3 orders rebuilt, 0 accounts and 1 work lost')
  await expect(logIn(store.run, stranger)).rejects.toThrow('invalid_credentials')

  const { work } = await buyOne(again)
  await expectOwned(work)
  expect([bought, late, unpaid, sold].map((sale) => sale.work.identifier)).not.toContain(work.identifier)
}, 600_000)

test('a backup that was damaged is refused before anything is touched', async () => {
  const { ops } = operate(store)
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
