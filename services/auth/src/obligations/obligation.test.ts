import { giftClaimed, giftClaimFailed, giftEnded, giftOffered, tokenMoved } from '@nifty/events/minting'
import { orderLineAuthorised, orderLineCompleted, orderLineReleased, orderLineWrittenOff } from '@nifty/events/payments'
import { sha256, unseal } from '@nifty/service-kit/base/secrets'
import { messageOf } from '@nifty/service-kit/testing/events'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { givenMember, type Member, publishedEvents, startTestAuth } from '../testing/auth.ts'
import { deleteEndedGifts } from './obligation.store.ts'

const auth = await startTestAuth({}, afterAll)
const { consume } = auth.service
const contract = '0x8a61D08b99ecbAA36dC642d9BA8ef5B02fb5Dc49'
const txHash = `0x${'ab'.repeat(32)}`
const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const at = new Date().toISOString()

const remove = ({ id, token, stepUp }: Member, query = '') =>
  auth.call('DELETE', `/api/users/${id}${query}`, { token, stepUp })

const moved = (identifier: string, ownerId: string | null, { to = null as string | null, position = 1 } = {}) => {
  const token = `${contract.toLowerCase()}/${identifier}`
  return messageOf(tokenMoved, { token, contract, identifier, ownerId, wallet: to, position, txHash, at })
}

const lineOf = (people: { buyerId?: string; sellerId?: string }) => ({
  orderId: crypto.randomUUID(),
  lineId: crypto.randomUUID(),
  itemId: crypto.randomUUID(),
  token: `${contract.toLowerCase()}/7`,
  name: 'Dusk',
  priceCents: 5_000,
  at,
  buyerId: crypto.randomUUID(),
  sellerId: crypto.randomUUID(),
  ...people,
})
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
type Custody = { custody?: true }
const authorised = (line: ReturnType<typeof lineOf> & Custody, deliverBy = inAnHour()) =>
  messageOf(orderLineAuthorised, { ...line, wallet, deliverBy })
const released = (line: ReturnType<typeof lineOf>) =>
  messageOf(orderLineReleased, { ...line, reason: 'cancelled' as const, moneyWasHeld: true })
const completed = (line: ReturnType<typeof lineOf> & Custody) =>
  messageOf(orderLineCompleted, { ...line, sellerCents: 4_500, commissionCents: 500, royaltyCents: 0, txHash })
const writtenOff = (line: ReturnType<typeof lineOf>) =>
  messageOf(orderLineWrittenOff, { ...line, sellerCents: 4_500, txHash })

const deletionOf = async (id: string) => (await publishedEvents(auth.db, 'account-deleted', id))[0]!

test('an account whose works the store keeps is deleted only if it gives them up', async () => {
  const ada = await givenMember(auth)
  await consume(moved('1', ada.id))
  await consume(moved('2', ada.id, { to: wallet }))

  const refused = await remove(ada)
  expect(refused).toMatchObject({ status: 409, body: { code: 'works_in_custody' } })
  expect(refused.body.details).toEqual({ works: [{ contract, identifier: '1' }] })
  expect((await remove(ada, '?giveUpWorks=yes')).status).toBe(409)
  expect((await auth.call('GET', '/api/auth/user', { token: ada.token })).status).toBe(200)

  expect((await remove(ada, '?giveUpWorks=true')).status).toBe(200)
  const { handBack } = await deletionOf(ada.id)
  expect(sha256(unseal(handBack!.code, auth.config.mailTokenKeys))).toBe(handBack!.codeHash)
})

test('a deletion without works in custody has no code that hands them back', async () => {
  const ada = await givenMember(auth)
  expect((await remove(ada, '?giveUpWorks=true')).status).toBe(200)
  expect(await deletionOf(ada.id)).not.toHaveProperty('handBack')
})

test.each([
  ['withdrawn to a wallet', (id: string) => moved('3', id, { to: wallet, position: 2 })],
  ['sold', (_: string) => moved('3', crypto.randomUUID(), { position: 2 })],
])('a work that was %s keeps no account, also when an older event follows', async (_, next) => {
  const ada = await givenMember(auth)
  await sql`delete from custody_work`.execute(auth.db)
  await consume(moved('3', ada.id))
  expect((await remove(ada)).status).toBe(409)
  await consume(next(ada.id))
  await consume(moved('3', ada.id, { position: 1 }))
  expect((await remove(ada)).status).toBe(200)
})

test.each(['buyer', 'seller'] as const)('a sale under way keeps the account of its %s until it ends', async (role) => {
  for (const end of [completed, released, writtenOff]) {
    const ada = await givenMember(auth)
    const line = lineOf(role === 'buyer' ? { buyerId: ada.id } : { sellerId: ada.id })
    await consume(authorised(line))
    const refused = await remove(ada, '?giveUpWorks=true')
    expect(refused).toMatchObject({ status: 409, body: { code: 'money_owed' } })
    expect(refused.body.details).toEqual({ lines: [{ orderId: line.orderId, name: 'Dusk', role }] })
    await consume(end(line))
    await consume(authorised(line))
    expect((await remove(ada)).status).toBe(200)
  }
})

test('a line that ended before its authorisation was consumed, or whose deadline is long over, keeps no account', async () => {
  const [ada, ben] = [await givenMember(auth), await givenMember(auth)]
  const line = lineOf({ buyerId: ada.id })
  await consume(released(line))
  await consume(authorised(line))
  await consume(authorised(lineOf({ buyerId: ben.id }), new Date(Date.now() - 2 * 3_600_000).toISOString()))
  expect((await remove(ada)).status).toBe(200)
  expect((await remove(ben)).status).toBe(200)
})

/** A line whose work, the token `identifier`, the store keeps for the buyer. */
const custodyLineOf = (buyerId: string, identifier: string) => ({
  ...lineOf({ buyerId }),
  token: `${contract.toLowerCase()}/${identifier}`,
  custody: true as const,
})

test.each([
  ['after its authorisation', [authorised, completed]],
  ['before its authorisation', [completed, authorised]],
])(
  'a completed purchase into custody, consumed %s, keeps the account until its work is consumed',
  async (_, events) => {
    const ada = await givenMember(auth)
    const identifier = String(100 + events.indexOf(completed))
    const line = custodyLineOf(ada.id, identifier)
    await consume(moved(identifier, line.sellerId))
    for (const event of events) await consume(event(line))
    const early = await remove(ada, '?giveUpWorks=true')
    expect(early).toMatchObject({ status: 409, body: { code: 'money_owed' } })

    await consume(moved(identifier, ada.id, { position: 2 }))
    expect(await remove(ada)).toMatchObject({ status: 409, body: { code: 'works_in_custody' } })
    expect((await remove(ada, '?giveUpWorks=true')).status).toBe(200)
    expect(await deletionOf(ada.id)).toHaveProperty('handBack')
  },
)

test('a purchase into custody whose work was consumed before its end keeps no account once the work is withdrawn', async () => {
  const ada = await givenMember(auth)
  const line = custodyLineOf(ada.id, '110')
  await consume(authorised(line))
  await consume(moved('110', ada.id))
  await consume(moved('110', ada.id, { to: wallet, position: 2 }))
  await consume(completed(line))
  expect((await remove(ada)).status).toBe(200)
})

test('a purchase into custody that was released, and one of which the seller is deleted, keep no account', async () => {
  const [ada, ben] = [await givenMember(auth), await givenMember(auth)]
  const line = custodyLineOf(ada.id, '111')
  await consume(authorised(line))
  await consume(released(line))
  expect((await remove(ada)).status).toBe(200)

  const sold = { ...custodyLineOf(crypto.randomUUID(), '112'), sellerId: ben.id }
  await consume(authorised(sold))
  await consume(completed(sold))
  expect((await remove(ben)).status).toBe(200)
})

const giftOf = (giverId: string, changes: object = {}) => ({
  giftId: crypto.randomUUID(),
  giverId,
  token: `${contract.toLowerCase()}/7`,
  name: 'Dusk',
  image: null,
  number: 1,
  email: 'ben@people.test',
  text: '',
  link: 'sealed',
  until: inAnHour(),
  orderId: null,
  at,
  ...changes,
})
const ended = ({ giftId, giverId, token, name }: ReturnType<typeof giftOf>) =>
  messageOf(giftEnded, { giftId, giverId, token, name, why: 'claimed', recipientId: null, orderId: null, at })

test('a gift that waits for its recipient keeps the account of its giver', async () => {
  const ada = await givenMember(auth)
  const gift = giftOf(ada.id, { orderId: crypto.randomUUID() })
  await consume(messageOf(giftOffered, gift))
  const refused = await remove(ada, '?giveUpWorks=true')
  expect(refused).toMatchObject({ status: 409, body: { code: 'gift_waits' } })
  expect(refused.body.details).toEqual({ gifts: [{ _id: gift.giftId, name: 'Dusk' }] })
  await consume(ended(gift))
  await consume(messageOf(giftOffered, { ...gift, number: 2, orderId: gift.orderId }))
  expect((await publishedEvents(auth.db, 'security-warning-requested', ada.id)).map(({ what }) => what)).toEqual([
    'gift_corrected',
  ])
})

test('the giver of an owned work gets a mail that freezes the account, the giver of a bought one none', async () => {
  const ada = await givenMember(auth)
  const warnings = () => publishedEvents(auth.db, 'security-warning-requested', ada.id)
  await consume(messageOf(giftOffered, giftOf(ada.id, { orderId: crypto.randomUUID() })))
  expect(await warnings()).toEqual([])
  await consume(messageOf(giftOffered, giftOf(ada.id)))
  expect(await warnings()).toMatchObject([{ what: 'gift_given', work: 'Dusk', freezeToken: expect.any(String) }])
})

const claimOf = (recipientId: string, identifier: string) => ({
  claimId: crypto.randomUUID(),
  giftId: crypto.randomUUID(),
  recipientId,
  token: `${contract.toLowerCase()}/${identifier}`,
  name: 'Dusk',
  at,
})
type Claim = ReturnType<typeof claimOf>
const claimed = (claim: Claim) => messageOf(giftClaimed, { ...claim, position: 1 })
const claimFailed = (claim: Claim) => messageOf(giftClaimFailed, claim)

test('a gift on its way keeps the account of its recipient until the work has arrived, which its deletion then hands back', async () => {
  const [ada, ben] = [await givenMember(auth), await givenMember(auth)]
  const claim = claimOf(ada.id, '201')
  await consume(moved('201', ben.id))
  await consume(claimed(claim))
  const refused = await remove(ada, '?giveUpWorks=true')
  expect(refused).toMatchObject({ status: 409, body: { code: 'gift_on_its_way' } })
  expect(refused.body.details).toEqual({ gifts: [{ _id: claim.giftId, name: 'Dusk' }] })

  await consume(moved('201', ada.id, { position: 2 }))
  expect(await remove(ada)).toMatchObject({ status: 409, body: { code: 'works_in_custody' } })
  expect((await remove(ada, '?giveUpWorks=true')).status).toBe(200)
  expect(await deletionOf(ada.id)).toHaveProperty('handBack')
})

test.each([
  ['failed', [claimed, claimFailed]],
  ['failed and was consumed afterwards', [claimFailed, claimed]],
])('a claim that %s keeps no account', async (_, events) => {
  const ada = await givenMember(auth)
  const claim = claimOf(ada.id, '202')
  for (const event of events) await consume(event(claim))
  expect((await remove(ada)).status).toBe(200)
})

test('a work that arrived and left before its claim was consumed keeps no account', async () => {
  const ada = await givenMember(auth)
  await consume(moved('203', ada.id, { position: 2 }))
  await consume(moved('203', ada.id, { to: wallet, position: 3 }))
  await consume(claimed(claimOf(ada.id, '203')))
  expect((await remove(ada)).status).toBe(200)
})

test('gifts that ended are deleted a month later, and with the account of their giver or recipient', async () => {
  const [ada, ben] = [await givenMember(auth), await givenMember(auth)]
  const stored = async () => [
    ...(await auth.db.selectFrom('openGift').select('giverId as of').execute()),
    ...(await auth.db.selectFrom('openClaim').select('recipientId as of').execute()),
  ]
  const ofBoth = async () => (await stored()).filter((row) => [ada.id, ben.id].includes(row.of)).length
  const give = async (id: string) => {
    const gift = giftOf(id)
    await consume(messageOf(giftOffered, gift))
    return gift
  }
  const [over, open] = [await give(ada.id), await give(ada.id)]
  await consume(ended(over))
  const [arrived, failed, waiting] = ['204', '205', '206'].map((identifier) => claimOf(ben.id, identifier))
  for (const claim of [arrived!, failed!, waiting!]) await consume(claimed(claim))
  await consume(moved('204', ben.id, { to: wallet, position: 2 }))
  await consume(claimFailed(failed!))
  await deleteEndedGifts(auth.db)
  expect(await ofBoth()).toBe(5)
  await sql`update open_gift set changed_at = now() - interval '31 days'`.execute(auth.db)
  await sql`update open_claim set changed_at = now() - interval '31 days'`.execute(auth.db)
  await deleteEndedGifts(auth.db)
  expect(await ofBoth()).toBe(2)

  await consume(ended(open))
  await consume(moved('206', ben.id, { to: wallet, position: 2 }))
  for (const member of [ada, ben])
    await sql`update freeze_link set expires_at = now() where account_id = ${member.id}`.execute(auth.db)
  expect((await remove(ada)).status).toBe(200)
  expect((await remove(ben)).status).toBe(200)
  expect(await ofBoth()).toBe(0)
})
