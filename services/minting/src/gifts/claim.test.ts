import { randomUUID } from 'node:crypto'
import { keyOf } from '@nifty/contracts/keys'
import { accountDeleted } from '@nifty/events/auth'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  authorise,
  deliveryOf,
  givenAccount,
  untilCancelSigned,
  untilIndexed,
  untilState,
} from '../testing/fixtures.ts'
import { giftsOf } from '../testing/gifts.ts'
import { startTestMinting } from '../testing/minting.ts'
import { claimIdOf } from './gift-ids.ts'

const minting = await startTestMinting()
const { chain, until } = minting
const { claim, claimFailures, givenGift, open, ownerOf, read, readdress, takeBack, untilEnded, untilGift } =
  giftsOf(minting)

const custodyOf = (userId: string) =>
  minting.db.selectFrom('custodyAccount').select('account').where('userId', '=', userId).executeTakeFirstOrThrow()

test('of several who claim at once one gets the work', async () => {
  const { work, id, link } = await givenGift()
  const people = [randomUUID(), randomUUID(), randomUUID()]
  const answers = await Promise.all(people.map((userId) => claim(userId, link)))
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 404, 404])
  const winner = people[answers.findIndex(({ status }) => status === 202)]!
  await untilGift(winner, id, 'claimed')
  await until(() => ownerOf(work.token) === winner)
})

test('a claim that is stopped before it is signed leaves the gift, and a new claim has it', async () => {
  const { id, link } = await givenGift()
  const { userId: recipient } = await givenAccount(minting)
  chain.proxy.fail({ '*': 'before' })
  expect((await claim(recipient, link)).status).toBe(202)
  await givenAccount(minting, { userId: recipient, version: 2, suspended: true })
  chain.proxy.heal()
  await until(async () => (await open(link)).status === 200)
  await until(() => claimFailures(id)[0])
  expect(await read(recipient, id)).toMatchObject({ code: 'gift_not_found' })
  expect(await claim(recipient, link)).toMatchObject({ status: 403, body: { code: 'suspended' } })
  const other = randomUUID()
  expect((await claim(other, link)).status).toBe(202)
  await untilGift(other, id, 'claimed')
})

test('a process that is killed after the signature delivers the gift once, with the signed transaction', async () => {
  const { work, id, link } = await givenGift()
  const recipient = randomUUID()
  chain.proxy.fail({ eth_sendRawTransaction: 'before' })
  expect((await claim(recipient, link)).status).toBe(202)
  const lineId = claimIdOf({ giftId: id, recipientId: recipient, number: 0 })
  await untilState(minting, lineId, 'signed')
  const { transactionId } = await deliveryOf(minting, lineId)
  await minting.stop()
  chain.proxy.heal()
  await minting.start()
  await untilGift(recipient, id, 'claimed')
  expect((await deliveryOf(minting, lineId)).transactionId).toBe(transactionId)
  await until(() => ownerOf(work.token) === recipient)
})

test('a paid sale of the work replaces a claim that is not signed', async () => {
  const { userId, work, id, link } = await givenGift()
  chain.proxy.fail({ '*': 'before' })
  const recipient = randomUUID()
  expect((await claim(recipient, link)).status).toBe(202)
  const buyer = (await chain.newWallet()).address
  const order = await authorise(minting, work, { wallet: buyer })
  chain.proxy.heal()
  await untilState(minting, order.lineId, 'final')
  expect(await chain.ownerOf(work.identifier)).toBe(buyer)
  await untilEnded(id)
  expect(await read(userId, id)).toMatchObject({ state: 'ended' })
  // A gift has a recipient only while it is claimed or being claimed.
  expect(await read(recipient, id)).toMatchObject({ code: 'gift_not_found' })
  expect(claimFailures(id)).toMatchObject([{ recipientId: recipient, token: work.token }])
})

test('a gift whose signed claim a freeze of its giver ends is taken back, although the freeze has ended before', async () => {
  const { userId, work, id, link } = await givenGift()
  const recipient = randomUUID()
  chain.proxy.fail({ eth_sendRawTransaction: 'before' })
  expect((await claim(recipient, link)).status).toBe(202)
  await untilState(minting, claimIdOf({ giftId: id, recipientId: recipient, number: 0 }), 'signed')

  await givenAccount(minting, { userId, version: 2, suspended: true })
  await givenAccount(minting, { userId, version: 3, suspended: false })
  await untilCancelSigned(minting, claimIdOf({ giftId: id, recipientId: recipient, number: 0 }))
  chain.proxy.heal()

  expect(await untilEnded(id)).toMatchObject({ why: 'taken_back' })
  expect(await claim(recipient, link)).toMatchObject({ status: 404, body: { code: 'gift_taken_back' } })
  expect(await read(userId, id)).toMatchObject({ state: 'taken_back' })
  expect(ownerOf(work.token)).toBe(userId)
})

test('a gift ends when its signed claim fails while a sale of the work is under way', async () => {
  const { userId, work, id, link } = await givenGift()
  const { userId: recipient } = await givenAccount(minting)
  chain.proxy.fail({ eth_sendRawTransaction: 'before' })
  expect((await claim(recipient, link)).status).toBe(202)
  await untilState(minting, claimIdOf({ giftId: id, recipientId: recipient, number: 0 }), 'signed')
  const order = await authorise(minting, work, { wallet: (await chain.newWallet()).address })
  await givenAccount(minting, { userId: recipient, version: 2, suspended: true })
  await untilCancelSigned(minting, claimIdOf({ giftId: id, recipientId: recipient, number: 0 }))
  chain.proxy.heal()
  await untilState(minting, order.lineId, 'final')
  expect(await untilEnded(id)).toMatchObject({ why: 'ended', recipientId: null })
  expect(await read(userId, id)).toMatchObject({ state: 'ended' })
})

test('a claim that follows a failed one at once leaves no claim without an outcome', async () => {
  const { id, link } = await givenGift()
  const { userId: first } = await givenAccount(minting)
  chain.proxy.fail({ '*': 'before' })
  expect((await claim(first, link)).status).toBe(202)
  // The job does not handle it.
  await sql`update gift set offer_from = now() + interval '1 hour' where id = ${id}`.execute(minting.db)
  await givenAccount(minting, { userId: first, version: 2, suspended: true })
  expect((await claim(randomUUID(), link)).status).toBe(202)
  await until(() => claimFailures(id).length > 0)
  expect(claimFailures(id)).toMatchObject([{ recipientId: first }])
  chain.proxy.heal()
})

test('an open gift of a suspended giver is not claimed, and the answer does not say why', async () => {
  const { userId, id, link } = await givenGift()
  const suspend = (suspended: boolean) =>
    sql`update account set suspended = ${suspended} where user_id = ${userId}`.execute(minting.db)
  await suspend(true)
  const { status, body } = await claim(randomUUID(), link)
  expect([status, body.code]).toEqual([409, 'being_delivered'])
  expect(JSON.stringify(body)).not.toContain('suspend')
  await suspend(false)
  const recipient = randomUUID()
  expect((await claim(recipient, link)).status).toBe(202)
  await untilGift(recipient, id, 'claimed')
})

test('a recipient who is deleted before the claim is signed gets nothing, and the gift can be claimed again', async () => {
  const { userId, work, id, link } = await givenGift()
  const { userId: recipient } = await givenAccount(minting)
  chain.proxy.fail({ '*': 'before' })
  expect((await claim(recipient, link)).status).toBe(202)
  const gone = { userId: recipient, username: '@ada', email: 'ada@nifty.test', firstName: 'Ada' }
  await minting.consume(accountDeleted, { ...gone, at: new Date().toISOString() })
  expect((await deliveryOf(minting, claimIdOf({ giftId: id, recipientId: recipient, number: 0 }))).state).toBe(
    'stopped',
  )
  chain.proxy.heal()
  await untilGift(userId, id, 'offered')
  expect(ownerOf(work.token)).toBe(userId)
  expect((await claim(recipient, link)).status).toBe(403)
  const other = randomUUID()
  expect((await claim(other, link)).status).toBe(202)
  await untilGift(other, id, 'claimed')
})

test('a sale to a recipient that minting refuses does not end a gift that is being claimed', async () => {
  const { work, id, link } = await givenGift()
  const recipient = randomUUID()
  chain.proxy.fail({ '*': 'before' })
  expect((await claim(recipient, link)).status).toBe(202)
  const order = await authorise(minting, work, { wallet: chain.delivery })
  expect((await deliveryOf(minting, order.lineId)).state).toBe('failed')
  expect(await read(recipient, id)).toMatchObject({ state: 'claiming' })
  chain.proxy.heal()
  await untilGift(recipient, id, 'claimed')
  expect(await untilEnded(id)).toMatchObject({ why: 'claimed', recipientId: recipient })
})

test('a database that lost the claim finds it on the chain when the recipient claims again, and gives it to nobody else', async () => {
  const { userId, work, id, link } = await givenGift()
  const recipient = randomUUID()
  await claim(recipient, link)
  await untilEnded(id)
  const untilOwned = () =>
    until(async () => {
      const token = await minting.db
        .selectFrom('token')
        .select('ownerId')
        .where('token', '=', work.token)
        .executeTakeFirstOrThrow()
      return token.ownerId === recipient
    })
  await untilOwned()
  // It would add what it finds to the rows below.
  await untilIndexed(minting, await chain.provider.getBlockNumber())
  const lineId = claimIdOf({ giftId: id, recipientId: recipient, number: 0 })
  const [{ account }, giver] = [await custodyOf(recipient), await custodyOf(userId)]
  // As a backup from before the claim has it, whose index has not passed the block again.
  await minting.db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx)
    await sql`update gift set state = 'offered', delivery_id = null, recipient_id = null where id = ${id}`.execute(trx)
    await sql`delete from delivery where line_id = ${lineId}`.execute(trx)
    await sql`delete from custody_account where user_id = ${recipient}`.execute(trx)
    await sql`
      update token set owner_id = ${userId}, custody_account = ${giver.account}, moved_at = null
      where token = ${work.token}`.execute(trx)
  })
  const other = randomUUID()
  expect((await claim(other, link)).status).toBe(202)
  await untilGift(userId, id, 'offered')
  expect((await custodyOf(other)).account).not.toBe(account)

  // The index has passed it.
  await sql`
    update token set owner_id = null, custody_account = ${account} where token = ${work.token}`.execute(minting.db)
  await minting.db
    .insertInto('unexpectedDelivery')
    .values({
      lineKey: keyOf(lineId),
      token: work.token,
      recipient: chain.delivery,
      account: keyOf(account),
      txHash: '0x1',
      block: 1,
      at: new Date(),
    })
    .execute()
  expect(await claim(other, link)).toMatchObject({ status: 409, body: { code: 'being_delivered' } })
  expect((await claim(recipient, link)).status).toBe(202)
  await untilGift(recipient, id, 'claimed')
  expect((await custodyOf(recipient)).account).toBe(account)
  await untilOwned()
})

test('a restored database that has another owner or none leaves the gift as it is until its owner is known', async () => {
  const { userId, work, id, link } = await givenGift()
  const own = (ownerId: string | null) =>
    sql`update token set owner_id = ${ownerId} where token = ${work.token}`.execute(minting.db)
  const onItsWay = { status: 409, body: { code: 'being_delivered' } }
  for (const ownerId of [randomUUID(), null]) {
    await own(ownerId)
    expect(await takeBack(userId, id)).toMatchObject(onItsWay)
    expect(await readdress(userId, id)).toMatchObject(onItsWay)
  }
  await own(randomUUID())
  expect(await claim(randomUUID(), link)).toMatchObject(onItsWay)
  // Nor has the chain a claim of this recipient.
  await own(null)
  expect(await claim(randomUUID(), link)).toMatchObject(onItsWay)
  await own(userId)
  expect(await takeBack(userId, id)).toMatchObject({ status: 200, body: { state: 'taken_back' } })
})
