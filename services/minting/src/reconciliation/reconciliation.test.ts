import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { authorise, givenWork, untilState } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'

const minting = await startTestMinting()
const { chain, db, callInternal } = minting
const list = async (path: string, since: string, after?: string) =>
  callInternal(`${path}?${new URLSearchParams({ since, ...(after === undefined ? {} : { after }) })}`)

test('a final delivery and the owner of its token are listed from their change on', async () => {
  const work = await givenWork(minting)
  const sold = await authorise(minting, work, { wallet: (await chain.newWallet()).address })
  await untilState(minting, sold.lineId, 'final')
  const open = randomUUID()

  const past = '2026-01-01T00:00:00.000Z'
  expect((await list('/internal/final-deliveries', past)).body).toEqual({ lineIds: [sold.lineId], next: null })
  expect((await list('/internal/final-deliveries', '2100-01-01T00:00:00.000Z')).body.lineIds).toEqual([])
  expect(
    (await callInternal('/internal/final-deliveries/check', { lineIds: [open, sold.lineId] })).body.lineIds,
  ).toEqual([sold.lineId])
  const owned = { token: work.token, ownerId: sold.buyerId }
  expect((await list('/internal/token-owners', past)).body.tokens).toContainEqual(owned)
  expect((await callInternal('/internal/token-owners', { tokens: [work.token, '0xno/1'] })).body.tokens).toEqual([
    { ...owned, hasMint: true },
  ])

  await sql`update token set changed_at = '2020-01-01'`.execute(db)
  const { rows } = await sql<{
    recent: boolean
  }>`select changed_at > now() - interval '1 minute' as recent from token`.execute(db)
  expect(rows[0]!.recent).toBe(true)
})

test('a reconciliation reads the holders of its tokens from the chain', async () => {
  const work = await givenWork(minting)
  const [buyer, friend] = [await chain.newWallet(), await chain.newWallet()]
  await untilState(minting, (await authorise(minting, work, { wallet: buyer.address })).lineId, 'final')
  await minting.stop()
  const collection = chain.collectionOf.connect(buyer) as typeof chain.collectionOf
  await (await collection.transferFrom!(buyer.address, friend.address, work.identifier)).wait()
  await chain.mine(20)
  // The index has passed the block of the move without its logs, and the daily comparison was a moment ago.
  const block = (await chain.provider.getBlockNumber()) - 5
  await db.updateTable('chainCursor').set({ block, blockHash: null }).execute()
  await sql`insert into token_check select token, now() from token on conflict (token) do update set checked_at = now()`.execute(
    db,
  )
  await minting.start()

  const { body } = await callInternal('/internal/token-owners', { tokens: [work.token] })
  expect(body.tokens).toEqual([{ token: work.token, ownerId: null, hasMint: true }])
})

test('pages of rows that changed at the same time contain each row once', async () => {
  await sql`insert into delivery (line_id, kind, state, order_id, item_id, token, from_id, buyer_id, wallet, deliver_by, block)
    select gen_random_uuid(), 'sale', 'final', gen_random_uuid(), gen_random_uuid(), 't', gen_random_uuid(),
      gen_random_uuid(), '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', now(), 1 from generate_series(1, 1100)`.execute(
    db,
  )
  const found: string[] = []
  const pages: number[] = []
  for (let after: string | undefined; ; ) {
    const { body } = await list('/internal/final-deliveries', '2026-01-01T00:00:00.000Z', after)
    found.push(...body.lineIds)
    pages.push(body.lineIds.length)
    if (body.next === null) break
    after = body.next
  }
  expect(pages.slice(0, 2)).toEqual([500, 500])
  expect(new Set(found).size).toBe(found.length)
  expect(found.length).toBeGreaterThanOrEqual(1100)
})

test('an invalid time or cursor is a 400', async () => {
  for (const [since, after] of [
    ['yesterday', undefined],
    ['1', undefined],
    ["' or 1=1", undefined],
    ['0000-01-01T00:00:00Z', undefined],
    ['2026-02-30T00:00:00Z', undefined],
    ['+275760-09-13T00:00:00.000Z', undefined],
    ['-271821-04-20T00:00:00Z', undefined],
    ['2026-01-01T00:00:00.000Z', '-1|'],
    ['2026-01-01T00:00:00.000Z', 'x|y'],
    ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z|no-uuid'],
  ] as const)
    for (const path of ['/internal/final-deliveries', ...(after?.startsWith('2026') ? [] : ['/internal/token-owners'])])
      expect(await list(path, since, after), `${path} ${since} ${after}`).toMatchObject({
        status: 400,
        body: { code: 'invalid_cursor' },
      })
})
