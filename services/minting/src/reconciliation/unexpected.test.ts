import { keyOf } from '@nifty/contracts/keys'
import { tokenMinted } from '@nifty/events/minting'
import { tokenOf } from '@nifty/events/shapes'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { givenAcceptedMint, givenWork, orderOf } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'
import { givenOtherSigner } from '../testing/other-signer.ts'

const minting = await startTestMinting()
const { chain, db, callInternal } = minting
const other = await givenOtherSigner(minting)

const unexpected = async (): Promise<{ lineKey: string; txHash: string }[]> =>
  (await callInternal('/internal/unexpected-tokens')).body.deliveries

test('a token that commits to another image or name than its mint is listed, and its mint fails', async () => {
  chain.proxy.fail({ eth_estimateGas: 'before' })
  const { id } = await givenAcceptedMint(minting)
  const to = (await chain.newWallet()).address
  await other.mint({ mintId: keyOf(id), to, imageSha256: `0x${'cd'.repeat(32)}`, name: 'Dusk' })
  const tokens = async (): Promise<string[]> => (await callInternal('/internal/unexpected-tokens')).body.tokens
  await minting.until(async () => (await tokens()).length > 0)
  const identifier = String(await chain.collectionOf.tokenOfMint!(keyOf(id)))
  expect(await tokens()).toEqual([tokenOf(chain.collection, identifier)])

  chain.proxy.heal()
  const state = async () =>
    (await db.selectFrom('mint').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state
  await minting.until(async () => (await state()) === 'failed')
  expect(minting.published(tokenMinted).some(({ itemId }) => itemId === id)).toBe(false)
})

test('an unexpected delivery is listed until an operator closes it', async () => {
  const work = await givenWork(minting)
  const wallet = (await chain.newWallet()).address
  const sent = await other.deliver(orderOf(work, { wallet }))
  await minting.until(async () => (await unexpected()).length > 0)
  expect(await unexpected()).toMatchObject([{ token: work.token, recipient: wallet, txHash: sent.hash }])

  const close = () => callInternal('/internal/ops/close-finding', { hash: sent.hash, reason: 'a lost withdrawal' })
  expect((await close()).status).toBe(200)
  expect(await unexpected()).toEqual([])
  expect(await close()).toMatchObject({ status: 404, body: { code: 'finding_not_found' } })

  // The index reads the block once more, as after a reorg.
  await minting.stop()
  await sql`update chain_cursor set block = block - 100, block_hash = null`.execute(db)
  await minting.start()
  await minting.untilPolled(30)
  expect(await unexpected()).toEqual([])
})

test('closed ones do not count among those that are listed at most', async () => {
  await sql`insert into unexpected_delivery (line_key, token, recipient, tx_hash, block, at, closed_at)
    select '0x' || lpad(n::text, 64, '0'), 't', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '0xaa', n, now(), case when n <= 1000 then now() end
    from generate_series(1, 1001) n`.execute(db)
  expect(await unexpected()).toMatchObject([{ lineKey: `0x${'1001'.padStart(64, '0')}` }])
})
