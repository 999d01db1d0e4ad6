import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServiceName } from '@nifty/api/services'
import { untilOrder } from '@nifty/testkit/api-client'
import { quickChain, type Store, startStore } from '@nifty/testkit/store'
import { waitUntil } from '@nifty/testkit/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operate, type StartedSale } from './restored-store.ts'

/** As in a cluster, the other databases, the events between the services, the chain and the processor have moved on. */
const restored: ServiceName[] = ['payments', 'catalog', 'minting']

let store: Store
let backupAt: string
let sales: StartedSale[]
let minted: { _id: string; contract: string; identifier: string }[]

beforeAll(async () => {
  store = await startStore({ works: 10, env: { ...quickChain, PAYMENTS_POLL_MS: '1000' } })
  await waitUntil(async () => JSON.parse(await readFile(join(store.folder, 'demo.json'), 'utf8')).done)
  const { buyOne, logIn, mintOne, runSql, whileStopped } = operate(store)
  const before = await buyOne(await logIn())
  backupAt = new Date().toISOString()
  await store.stop()
  await whileStopped(async (url) => {
    for (const name of restored) await runSql(url, 'postgres', `create database ${name}_backup template ${name}`)
  })
  await store.restart()
  sales = [before, await buyOne(await logIn())]
  minted = [await mintOne(before.work, 'Minted after the backup')]
})
afterAll(async () => {
  await store?.remove()
})

/** Replaces one database by its copy, and publishes the events of all other services since then again. */
async function restoreDatabase(name: ServiceName) {
  const { ops, runSql, whileStopped } = operate(store)
  await store.stop()
  await whileStopped(async (url) => {
    await runSql(url, 'postgres', `drop database ${name}`)
    await runSql(url, 'postgres', `alter database ${name}_backup rename to ${name}`)
  })
  await store.restart()
  for (const other of ['auth', 'catalog', 'payments', 'minting', 'notification'])
    if (other !== name) {
      const reason = `${name} restored`
      const republished = await ops('republish', other, '--since', backupAt, '--yes', '--reason', reason)
      expect(republished).toMatchObject({ code: 0 })
    }
}

test.each(restored)(
  'after a restore of the database of %s, orders, books, owners and works agree again',
  async (name) => {
    const { buyOne, differences, expectOwned, logIn, mintOne, offerFor, ops, startSale } = operate(store)
    const newest = minted.at(-1)!
    const open = await startSale(await logIn(), ({ _id }) => _id !== newest._id)
    const offer = await offerFor(await logIn(), ({ _id }) => _id !== newest._id && _id !== open.work._id)
    await restoreDatabase(name)

    const visitor = await logIn()
    for (const { orderId } of sales) await untilOrder(visitor, orderId, 'completed')
    for (const { work } of sales) await expectOwned(work)
    if (name === 'payments') await untilOrder(visitor, open.orderId, 'released')
    else await visitor.cancel(open.orderId)
    // The key has signed since, so its signer halts.
    if (name === 'minting') {
      const resumed = () => ops('resume-signer', '--yes', '--reason', 'minting restored')
      await waitUntil(async () => (await resumed()).code === 0 || undefined)
    }
    // Catalog lacks the offer: its hold is given back. Payments reads it at the processor again.
    if (name === 'catalog') await untilOrder(visitor, offer.orderId, 'released')
    else {
      await waitUntil(async () => (await offer.accept()).status === 200)
      await untilOrder(visitor, offer.orderId, 'completed')
      await expectOwned(offer.work)
    }
    await waitUntil(async () => (await differences()).length === 0 || undefined)
    expect(await differences()).toEqual([])

    // The work that was minted after the backup is sold like any other.
    const sold = await buyOne(visitor, ({ _id }) => _id === newest._id)
    await expectOwned(sold.work)
    sales.push(sold)
    minted.push(await mintOne(sold.work, `Minted after ${name}`))
  },
  600_000,
)
