import { randomUUID } from 'node:crypto'
import { giftOffered } from '@nifty/events/minting'
import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { sql, type Transaction } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../db.ts'
import { givenAccount, untilState } from '../testing/fixtures.ts'
import { type Answer, anAddress, giftsOf } from '../testing/gifts.ts'
import { startTestMinting } from '../testing/minting.ts'
import { eraseEndedGifts } from './gift.store.ts'
import { recipientOf } from './link-limit.ts'

const minting = await startTestMinting()
const { chain, db, published } = minting
const { claim, give, givenBoughtGift, givenGift, givenOwner, offers, open, read, readdress, takeBack, withdraw } =
  giftsOf(minting)

/** The answer to a request that waits for `lock`, in whose transaction `change` is made before it ends. */
async function answerAfter(
  request: () => Promise<Answer>,
  lock: (trx: Transaction<Database>) => Promise<unknown>,
  change: (trx: Transaction<Database>) => Promise<unknown>,
) {
  const trx = await db.startTransaction().execute()
  await lock(trx)
  const answer = request()
  try {
    await waitForBlockedQuery(db)
    await change(trx)
  } finally {
    await trx.commit().execute()
  }
  const { status, body } = await answer
  return [status, body.code]
}

const suspend = (userId: string) => sql`update account set suspended = true where user_id = ${userId}`.execute(db)

test('nobody but its giver takes a gift back or sends it to another address', async () => {
  const gift = await givenGift()
  const bought = await givenBoughtGift()
  await bought.authorise()
  const [{ _id: boughtId }] = await bought.gifts()
  const { userId: stranger } = await givenAccount(minting)
  for (const { id, giver } of [
    { id: gift.id, giver: gift.userId },
    { id: boughtId, giver: bought.buyerId },
  ]) {
    const before = await read(giver, id)
    expect(await takeBack(stranger, id)).toMatchObject({ status: 404, body: { code: 'gift_not_found' } })
    expect(await readdress(stranger, id)).toMatchObject({ status: 404, body: { code: 'gift_not_found' } })
    expect(await read(giver, id)).toEqual(before)
  }
  expect(offers(gift.id)).toHaveLength(1)
  expect((await open(gift.link)).status).toBe(200)
})

test('a claim waits for a change of its work, and of the gift', async () => {
  const { userId, id, link, work } = await givenGift()
  const claimed = () => claim(randomUUID(), link)
  const moved = await answerAfter(
    claimed,
    (trx) => sql`select from token where token = ${work.token} for update`.execute(trx),
    (trx) => sql`update token set owner_id = ${randomUUID()} where token = ${work.token}`.execute(trx),
  )
  expect(moved).toEqual([409, 'being_delivered'])
  await sql`update token set owner_id = ${userId} where token = ${work.token}`.execute(db)
  const takenBack = await answerAfter(
    claimed,
    (trx) => sql`select from gift where id = ${id} for update`.execute(trx),
    (trx) => sql`update gift set state = 'taken_back' where id = ${id}`.execute(trx),
  )
  expect(takenBack).toEqual([404, 'gift_taken_back'])
})

test('links to one mailbox wait for each other', async () => {
  const email = anAddress()
  const { userId, work } = await givenOwner()
  const other = await givenGift()
  const linked = await answerAfter(
    () => give(userId, work, { email }),
    (trx) => sql`select pg_advisory_xact_lock(hashtextextended(${recipientOf(email)}, 4715))`.execute(trx),
    (trx) =>
      sql`insert into gift_link (token_hash, gift_id, recipient, number)
        select gen_random_uuid()::text, ${other.id}::uuid, ${recipientOf(email)}, n from generate_series(2, 6) n`.execute(
        trx,
      ),
  )
  expect(linked).toEqual([429, 'too_many_gifts'])
})

test('a work that is being withdrawn is not given', async () => {
  const { userId, work } = await givenOwner()
  chain.proxy.fail({ '*': 'before' })
  try {
    expect((await withdraw(userId, work)).status).toBe(202)
    expect(await give(userId, work)).toMatchObject({ status: 409, body: { code: 'being_delivered' } })
  } finally {
    chain.proxy.heal()
  }
})

test('a new address waits as a withdrawal does, and a suspended account neither gives nor corrects one', async () => {
  const { userId, id } = await givenGift()
  const { userId: owner, work } = await givenOwner()
  try {
    minting.withdrawer.waitsUntil = new Date(Date.now() + 3_600_000).toISOString()
    expect(await readdress(userId, id)).toMatchObject({ status: 409, body: { code: 'withdrawal_waits' } })
  } finally {
    minting.withdrawer.waitsUntil = null
  }
  await suspend(userId)
  await suspend(owner)
  expect(await readdress(userId, id)).toMatchObject({ status: 403, body: { code: 'suspended' } })
  expect(await give(owner, work)).toMatchObject({ status: 403, body: { code: 'suspended' } })
})

test('a link is of no use from the end of its days on, also before the gift is handled', async () => {
  const { userId, id, link } = await givenGift()
  await sql`update gift set until = now(), offer_from = now() + interval '1 hour' where id = ${id}`.execute(db)
  for (const answer of [await open(link), await claim(randomUUID(), link)])
    expect(answer).toMatchObject({ status: 404, body: { code: 'gift_lapsed' } })
  expect(await read(userId, id)).toMatchObject({ state: 'offered' })
})

test('a bought gift is not sent to a mailbox that has had the first links of a day', async () => {
  const email = anAddress()
  const { id } = await givenGift()
  await sql`
    with copies as (
      insert into gift select (jsonb_populate_record(gift, jsonb_build_object('id', gen_random_uuid(),
        'line_id', gen_random_uuid(), 'order_id', gen_random_uuid(), 'token', token || n))).* from gift, generate_series(1, 20) n where id = ${id}
      returning id)
    insert into gift_link (token_hash, gift_id, recipient, number)
    select gen_random_uuid()::text, id, ${recipientOf(email)}, 1 from copies`.execute(db)
  const bought = await givenBoughtGift()
  await bought.authorise()
  const [{ _id: boughtId }] = await bought.gifts()
  expect(await readdress(bought.buyerId, boughtId, email)).toMatchObject({
    status: 429,
    body: { code: 'too_many_gifts' },
  })
  expect(await bought.gifts()).toMatchObject([{ email: bought.email }])
})

test('the address of a gift is kept for 30 days after its end', async () => {
  const { userId, id } = await givenGift()
  const { email, text } = await read(userId, id)
  await takeBack(userId, id)
  await sql`update gift set changed_at = now() - interval '29 days' where id = ${id}`.execute(db)
  await eraseEndedGifts(db)
  expect(await read(userId, id)).toMatchObject({ email, text })
})

test('a bought work that is somebody else’s once it is paid is not given, and no link is mailed', async () => {
  const { work, line, authorise, complete, until } = await givenBoughtGift()
  await authorise()
  await untilState(minting, line.lineId, 'final')
  await minting.until(async () => {
    const token = await db.selectFrom('token').select('ownerId').where('token', '=', work.token).executeTakeFirst()
    return token?.ownerId === line.buyerId
  })
  await sql`update token set owner_id = ${randomUUID()} where token = ${work.token}`.execute(db)
  await complete()
  await until('ended')
  expect(published(giftOffered).filter(({ token }) => token === work.token)).toEqual([])
})
