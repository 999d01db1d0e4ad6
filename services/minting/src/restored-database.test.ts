import { keyOf } from '@nifty/contracts/keys'
import { deliveryFinal, tokenMoved } from '@nifty/events/minting'
import { openDatabase } from '@nifty/service-kit/database/database'
import { testServerUrl } from '@nifty/service-kit/testing/database'
import { testLog } from '@nifty/service-kit/testing/log'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { authorise, deliveryOf, givenWork, untilState } from './testing/fixtures.ts'
import { startTestMinting } from './testing/minting.ts'

const minting = await startTestMinting()
const { chain, db, callInternal } = minting
const server = openDatabase({ url: testServerUrl(), log: testLog, maxConnections: 1 })
const command = (text: string) => sql.raw(text).execute(server)
// Copying a database takes longer than the default timeout.
await command('set statement_timeout = 0')
const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
const name = rows[0]!.name
afterAll(async () => {
  await command(`drop database if exists ${name}_lost with (force)`)
  await server.destroy()
})

/** Copying or renaming a database requires that it has no connections. */
async function withoutConnections(text: string) {
  await command(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  await command(text)
}

const signer = async () => (await callInternal('/internal/ops/status')).body.signers[0]
const resume = () =>
  callInternal('/internal/ops/resume-signer', {
    address: chain.signer.address,
    reason: 'restored',
  })
const unexpected = async () => (await callInternal('/internal/unexpected-tokens')).body.deliveries

test('a restored backup delivers no line twice, lists unexpected deliveries, and resumes', async () => {
  const [first, second, third] = [await givenWork(minting), await givenWork(minting), await givenWork(minting)]
  const buyer = (await chain.newWallet()).address
  await chain.mineEachTransaction(false)
  const known = await authorise(minting, first, { wallet: buyer })
  await untilState(minting, known.lineId, 'signed', { mining: false })
  await minting.stop()
  await withoutConnections(`create database ${name}_backup template ${name}`)
  await chain.mineEachTransaction(true)
  await minting.start()
  await untilState(minting, known.lineId, 'final')
  const forgotten = await authorise(minting, second, { wallet: buyer })
  await untilState(minting, forgotten.lineId, 'final')
  const lostWork = await givenWork(minting)
  expect(await unexpected()).toEqual([])

  await minting.stop()
  minting.messages.length = 0
  await withoutConnections(`alter database ${name} rename to ${name}_lost`)
  await command(`alter database ${name}_backup rename to ${name}`)
  await minting.start()

  await untilState(minting, known.lineId, 'final')
  await minting.until(async () => (await signer()).haltedReason)
  expect((await signer()).haltedReason).toContain('transactions of the key, the database has')
  expect(minting.published(deliveryFinal).map(({ lineId }) => lineId)).toEqual([known.lineId])
  await minting.until(async () => (await unexpected()).length > 0)
  expect(await unexpected()).toMatchObject([
    { lineKey: keyOf(forgotten.lineId), token: second.token, recipient: buyer },
  ])
  // Its mint is lost, but its owners are known, for a catalog that has the item.
  await minting.until(() => minting.published(tokenMoved).some(({ token }) => token === lostWork.token))
  expect((await callInternal('/internal/unexpected-tokens')).body.tokens).toEqual([lostWork.token])
  const onChain = expect.objectContaining({ token: lostWork.token })
  const found = await callInternal('/internal/token-owners', { tokens: [lostWork.token] })
  expect(found.body.tokens).toEqual([onChain])
  const changed = await callInternal('/internal/token-owners?since=2026-01-01T00:00:00.000Z')
  expect(changed.body.tokens).toContainEqual(onChain)

  // Payments rebuilds the order: its line becomes final by the delivery on the chain, while the signer is halted.
  const rebuilt = await authorise(minting, second, { wallet: buyer, lineId: forgotten.lineId })
  await untilState(minting, forgotten.lineId, 'final', { mining: false })
  expect(await unexpected()).toEqual([])
  await minting.until(() =>
    minting.published(tokenMoved).some(({ token, ownerId }) => token === second.token && ownerId === rebuilt.buyerId),
  )

  expect((await resume()).status).toBe(200)
  const next = await authorise(minting, third, { wallet: buyer })
  await untilState(minting, next.lineId, 'final')
  expect(await chain.ownerOf(third.identifier)).toBe(buyer)
  expect((await deliveryOf(minting, known.lineId)).state).toBe('final')
})
