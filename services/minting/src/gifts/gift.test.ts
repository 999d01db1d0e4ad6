import { randomUUID } from 'node:crypto'
import { accountDeleted } from '@nifty/events/auth'
import { itemListed } from '@nifty/events/catalog'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { givenAccount, givenWork } from '../testing/fixtures.ts'
import { type Answer, anAddress, giftsOf } from '../testing/gifts.ts'
import { startTestMinting } from '../testing/minting.ts'
import { eraseEndedGifts } from './gift.store.ts'

const minting = await startTestMinting()
const { chain, bearer } = minting
const { call, claim, give, givenGift, givenOwner, linkOf, offers, open, ownerOf, read, readdress, takeBack } =
  giftsOf(minting)
const { untilEnded, untilGift, withdraw } = giftsOf(minting)

test('until it is claimed a gift is neither withdrawn, listed nor given again, and taken back it is the giver’s', async () => {
  const { userId, work, id, link } = await givenGift()
  expect(await withdraw(userId, work)).toMatchObject({ status: 409, body: { code: 'gift_waits' } })
  expect(await give(userId, work)).toMatchObject({ status: 409, body: { code: 'gift_waits' } })
  const asked = await minting.callInternal('/internal/deliverable', {
    tokens: [{ token: work.token, ownerId: userId }],
  })
  expect(asked.body.tokens).toMatchObject([{ deliverable: false, code: 'gift_waits' }])

  expect(await takeBack(randomUUID(), id)).toMatchObject({ status: 404, body: { code: 'gift_not_found' } })
  expect(await takeBack(userId, id)).toMatchObject({ status: 200, body: { state: 'taken_back' } })
  expect(await takeBack(userId, id)).toMatchObject({ status: 200 })
  expect(await untilEnded(id)).toMatchObject({ why: 'taken_back', recipientId: null })
  expect(await claim(randomUUID(), link)).toMatchObject({ status: 404, body: { code: 'gift_taken_back' } })
  expect((await withdraw(userId, work)).status).toBe(202)
})

test('with a corrected address the former link is dead, and the new one works', async () => {
  const [first, next] = [anAddress(), anAddress()]
  const { userId, id, link } = await givenGift({ email: first })
  expect(await readdress(userId, id, next)).toMatchObject({ status: 200, body: { email: next } })
  const corrected = await linkOf(id, 2)
  expect(offers(id).map(({ number, email }) => [number, email])).toEqual([
    [1, first],
    [2, next],
  ])
  expect(await open(link)).toMatchObject({ status: 404, body: { code: 'gift_readdressed' } })
  expect(await claim(randomUUID(), link)).toMatchObject({ status: 404, body: { code: 'gift_readdressed' } })
  const recipient = randomUUID()
  expect((await claim(recipient, corrected)).status).toBe(202)
  await untilGift(recipient, id, 'claimed')
})

test('a gift with a corrected address that was taken back says so at its former link', async () => {
  const { userId, id, link } = await givenGift()
  await readdress(userId, id)
  await takeBack(userId, id)
  expect(await open(link)).toMatchObject({ status: 404, body: { code: 'gift_taken_back' } })
  expect(await claim(randomUUID(), link)).toMatchObject({ status: 404, body: { code: 'gift_taken_back' } })
})

test('a gift that nobody claims in 90 days stays with its giver, and its address is erased a month later', async () => {
  const { userId, work, id, link } = await givenGift()
  await sql`update gift set until = now() where id = ${id}`.execute(minting.db)
  await untilGift(userId, id, 'lapsed')
  expect(await untilEnded(id)).toMatchObject({ why: 'lapsed', recipientId: null })
  expect(await claim(randomUUID(), link)).toMatchObject({ status: 404, body: { code: 'gift_lapsed' } })
  await sql`update gift set changed_at = now() - interval '31 days' where id = ${id}`.execute(minting.db)
  await eraseEndedGifts(minting.db)
  expect(await read(userId, id)).toMatchObject({ email: null, text: '', name: 'Dusk' })
  expect((await give(userId, work)).status).toBe(200)
})

test('a gift whose handling always fails stops no other, and is handled once it can be', async () => {
  await sql`alter table gift add constraint unendable check (name <> 'Unendable' or state = 'offered')`.execute(
    minting.db,
  )
  await sql`
    insert into gift (id, giver_id, token, name, email, text, state, offered_at, until)
    select gen_random_uuid(), gen_random_uuid(), '0x' || repeat('1', 40) || '/' || n, case n when 1 then 'Unendable' else 'Endable' end,
      'ben@people.test', '', 'offered', now(), now()
    from generate_series(1, 20) n`.execute(minting.db)
  const named = (name: string) => minting.db.selectFrom('gift').selectAll().where('name', '=', name).execute()
  await minting.until(async () => (await named('Endable')).every(({ state }) => state === 'lapsed'))
  const postponed = await minting.until(async () =>
    (await named('Unendable')).find(({ offerFrom }) => offerFrom > new Date()),
  )
  expect(postponed).toMatchObject({ state: 'offered' })

  await sql`alter table gift drop constraint unendable`.execute(minting.db)
  await sql`update gift set offer_from = now() where name = 'Unendable'`.execute(minting.db)
  await minting.until(async () => (await named('Unendable'))[0]!.state === 'lapsed')
})

test('a gift is given by the owner alone, out of custody, not for sale, and with the guards of a withdrawal', async () => {
  const { userId, work } = await givenOwner()
  const code = async (answer: Promise<Answer>) => (await answer).body.code
  expect(await code(give(randomUUID(), work))).toBe('user_not_found')
  expect(await code(give((await givenAccount(minting)).userId, work))).toBe('not_owner')
  const payload = { contract: chain.collection, identifier: work.identifier, email: anAddress() }
  expect(await call('POST', '/api/gifts', bearer(userId), payload)).toMatchObject({
    status: 403,
    body: { code: 'step_up_required' },
  })
  expect((await give(userId, { identifier: '424242' })).status).toBe(404)
  const waitsUntil = new Date(Date.now() + 3_600_000).toISOString()
  for (const [state, expected] of [
    [{ emailConfirmed: false }, 'email_not_confirmed'],
    [{ emailConfirmed: true, waitsUntil }, 'withdrawal_waits'],
  ] as const) {
    Object.assign(minting.withdrawer, state)
    expect(await code(give(userId, work))).toBe(expected)
  }
  Object.assign(minting.withdrawer, { waitsUntil: null })
  const listing = { itemId: work.itemId, token: work.token, sellerId: userId, priceCents: 500, listingVersion: 1 }
  await minting.consume(itemListed, { ...listing, at: new Date().toISOString() })
  expect(await code(give(userId, work))).toBe('listed')

  const inWallet = await givenWork(minting, { creatorId: userId, wallet: (await chain.newWallet()).address })
  expect(await code(give(userId, inWallet))).toBe('not_in_custody')
})

test.each([
  ['email', { email: 'nobody' }],
  ['email', { email: 'a@b.test, c@d.test' }],
  ['email', { email: `${'a'.repeat(300)}@b.test` }],
  ['text', { text: 'x'.repeat(301) }],
  ['text', { text: 'see www.evil.test' }],
])('a wrong %s is a 400 beside the field', async (path, fields) => {
  const { status, body } = await give(randomUUID(), { identifier: '1' }, fields)
  expect([status, body.code, body.errors]).toMatchObject([400, 'invalid_gift', [{ path }]])
})

test.each([[''], ['nonsense'], ['x'.repeat(101)], ['\u0000']])('the link %j is none', async (token) => {
  for (const answer of [await open(token), await claim(randomUUID(), token)])
    expect([400, 404]).toContain(answer.status)
  expect(await open('nonsense')).toMatchObject({ status: 404, body: { code: 'gift_not_found' } })
})

test('the giver does not claim an own gift, and ten links a day are mailed', async () => {
  const { userId, work, id, link } = await givenGift()
  expect(await claim(userId, link)).toMatchObject({ status: 409, body: { code: 'own_gift' } })
  for (let i = 0; i < 9; i++) expect((await readdress(userId, id)).status).toBe(200)
  expect(await readdress(userId, id)).toMatchObject({ status: 429, body: { code: 'too_many_gifts' } })
  await takeBack(userId, id)
  expect(await give(userId, work)).toMatchObject({ status: 429, body: { code: 'too_many_gifts' } })
  await sql`update gift_link set created_at = created_at - interval '25 hours' where gift_id = ${id}`.execute(
    minting.db,
  )
  expect((await give(userId, work)).status).toBe(200)
})

test('five links a day are mailed to one mailbox, whoever gives, and the answer is that of too many gifts', async () => {
  const email = anAddress()
  const [local, domain] = email.split('@')
  const { userId, id } = await givenGift({ email })
  for (const alias of ['a', 'b', 'c'])
    expect((await readdress(userId, id, `${local}+${alias}@${domain}`)).status).toBe(200)
  const { userId: other, work } = await givenOwner()
  expect((await give(other, work, { email: email.toUpperCase() })).status).toBe(200)

  const third = await givenGift()
  const another = await givenWork(minting, { creatorId: third.userId })
  const refused = await give(third.userId, another, { email })
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_gifts' } })
  expect(JSON.stringify(refused.body)).not.toContain(local)
  expect(await readdress(third.userId, third.id, email)).toMatchObject({ status: 429 })

  // The mailbox is needed for a day only.
  const stored = () => minting.db.selectFrom('giftLink').select('recipient').where('giftId', '=', id).execute()
  await eraseEndedGifts(minting.db)
  expect((await stored()).every(({ recipient }) => recipient !== '')).toBe(true)
  await sql`update gift_link set created_at = created_at - interval '25 hours' where gift_id = ${id}`.execute(
    minting.db,
  )
  await eraseEndedGifts(minting.db)
  expect((await stored()).every(({ recipient }) => recipient === '')).toBe(true)
})

test('an account that is frozen or deleted gives nothing: its gifts are taken back, also one that is being claimed', async () => {
  const { userId, id, link } = await givenGift()
  await givenAccount(minting, { userId, version: 2, suspended: true })
  expect(await claim(randomUUID(), link)).toMatchObject({ status: 404, body: { code: 'gift_taken_back' } })
  expect(await untilEnded(id)).toMatchObject({ why: 'taken_back' })

  const second = await givenGift()
  chain.proxy.fail({ '*': 'before' })
  expect((await claim(randomUUID(), second.link)).status).toBe(202)
  await givenAccount(minting, { userId: second.userId, version: 2, suspended: true })
  chain.proxy.heal()
  expect(await untilEnded(second.id)).toMatchObject({ why: 'taken_back' })
  expect(ownerOf(second.work.token)).toBe(second.userId)

  const third = await givenGift()
  const gone = { userId: third.userId, username: '@ada', email: 'ada@nifty.test', firstName: 'Ada' }
  await minting.consume(accountDeleted, { ...gone, at: new Date().toISOString() })
  expect(await untilEnded(third.id)).toMatchObject({ why: 'taken_back' })
})
