import { accountDeleted, passwordReset } from '@nifty/events/auth'
import { itemDelisted, itemListed } from '@nifty/events/catalog'
import { testLog } from '@nifty/service-kit/testing/log'
import type { Static } from 'typebox'
import { expect, test } from 'vitest'
import { lockCursor } from '../chain-index/cursor.store.ts'
import { createChainContext } from '../create-chain-context.ts'
import { givenAccount, givenWork, submitPermit, type Work } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'
import { createTypedData } from './permit.actions.ts'
import { savePermit } from './permit.store.ts'

const minting = await startTestMinting()
const { chain, bearer, until, db } = minting

async function givenWorkInWallet() {
  const wallet = await chain.newWallet()
  const { userId } = await givenAccount(minting, { wallet: wallet.address, walletProven: true, admin: true })
  return { wallet, userId, work: await givenWork(minting, { creatorId: userId, wallet: wallet.address }) }
}
const pathOf = (identifier: string) => `/api/permits/${chain.collection}/${identifier}`
const verdict = async (token: string, ownerId: string) =>
  (await minting.callInternal('/internal/deliverable', { tokens: [{ token, ownerId }] })).body.tokens[0]

test('one permit makes the work deliverable', async () => {
  const { work, userId, wallet } = await givenWorkInWallet()
  const before = await verdict(work.token, userId)
  expect(before).toMatchObject({ deliverable: false, code: 'permit_required', permit: { primaryType: 'Permit' } })

  expect((await submitPermit(minting, work, userId, wallet)).json()).toEqual({ success: true })
  expect((await submitPermit(minting, work, userId, wallet)).statusCode).toBe(200)
  expect(await verdict(work.token, userId)).toMatchObject({ deliverable: true, code: null })
})

const requested = async ({ work, userId }: { work: Work; userId: string }) =>
  (await minting.app.inject({ url: pathOf(work.identifier), headers: bearer(userId) })).json()

test('the default deadline is a year ahead', async () => {
  const { deadline, typedData, validUntil } = await requested(await givenWorkInWallet())
  expect(validUntil).toBeNull()
  const days = (new Date(deadline).getTime() - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(365)
  expect(Number(typedData.message.deadline) * 1000).toBe(new Date(deadline).getTime())
})

test('the signature of a wallet that has the token since the last final block is no permit of the owner', async () => {
  const { work, userId, wallet } = await givenWorkInWallet()
  const friend = await chain.newWallet()
  const collection = chain.collectionOf.connect(wallet) as typeof chain.collectionOf
  await (await collection.transferFrom!(wallet.address, friend.address, BigInt(work.identifier))).wait()

  const signed = await submitPermit(minting, work, userId, friend)
  expect([signed.statusCode, signed.json().code]).toEqual([400, 'invalid_signature'])
  expect(await db.selectFrom('permit').selectAll().where('token', '=', work.token).execute()).toEqual([])
})

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

/** A permit that is valid for some hours. */
async function signFor({ work, userId, wallet }: Awaited<ReturnType<typeof givenWorkInWallet>>, hours: number) {
  const deadline = new Date(Math.floor(Date.now() / 1000 + hours * 3600) * 1000)
  const context = createChainContext({ db, log: testLog, config: minting.config })
  const { typedData, nonce } = await createTypedData(context, work.token, deadline)
  const { Permit } = typedData.types
  const signature = await wallet.signTypedData(typedData.domain, { Permit }, typedData.message)
  const permit = { token: work.token, ownerId: userId, wallet: wallet.address.toLowerCase(), signature }
  await savePermit(db, { ...permit, nonce: String(nonce), deadline })
}

test('the owner reads until when the permit of the work is valid, also after a shorter one', async () => {
  const owned = await givenWorkInWallet()
  for (const hours of [100, 50]) {
    await signFor(owned, hours)
    const stored = db.selectFrom('permit').select('deadline').where('token', '=', owned.work.token)
    const { deadline } = await stored.executeTakeFirstOrThrow()
    expect((await requested(owned)).validUntil).toBe(deadline.toISOString())
  }
  await db.updateTable('permit').set({ nonce: '7' }).where('token', '=', owned.work.token).execute()
  expect((await requested(owned)).validUntil).toBeNull()
})

test('a permit has to outlast the purchase', async () => {
  const owned = await givenWorkInWallet()
  const { address: to } = await chain.newWallet()
  const bought = async () => {
    const tokens = [{ token: owned.work.token, ownerId: owned.userId }]
    return (await minting.callInternal('/internal/deliverable', { to, tokens })).body.tokens[0]
  }
  await signFor(owned, 25)
  expect(await bought()).toMatchObject({ deliverable: false, code: 'permit_required' })
  await signFor(owned, 27)
  expect(await bought()).toMatchObject({ deliverable: true, code: null })
})

test('a permit that ends too early is refused to any recipient before the index has read the newest final block', async () => {
  const owned = await givenWorkInWallet()
  await signFor(owned, 100)
  const { address } = await chain.newWallet()
  const askedFor = async (hours: number) => {
    const tokens = [{ token: owned.work.token, ownerId: owned.userId, until: inHours(hours) }]
    const verdicts = [null, address].map((to) => minting.callInternal('/internal/deliverable', { to, tokens }))
    return (await Promise.all(verdicts)).map(({ body }) => body.tokens[0].code)
  }
  await db.transaction().execute(async (indexing) => {
    await lockCursor(indexing, chain.collection)
    await chain.provider.send('anvil_mine', ['0x40'])

    expect([await askedFor(99), await askedFor(101)]).toEqual([
      [null, null],
      ['permit_required', 'permit_required'],
    ])
    // What the newest block alone refuses waits for a final one.
    const collection = chain.collectionOf.connect(owned.wallet) as typeof chain.collectionOf
    await (await collection.transferFrom!(owned.wallet.address, address, BigInt(owned.work.identifier))).wait()
    expect([await askedFor(99), await askedFor(101)]).toEqual([
      ['not_final', 'not_final'],
      ['not_final', 'not_final'],
    ])
  })
})

test('a permit has to be valid until the time that is asked for, and custody needs none', async () => {
  const owned = await givenWorkInWallet()
  const kept = await givenWork(minting)
  const { address: to } = await chain.newWallet()
  const check = async (hours: number, recipient: { to?: string }) => {
    const until = inHours(hours)
    const tokens = [
      { token: owned.work.token, ownerId: owned.userId, until },
      { token: kept.token, ownerId: kept.creatorId, until },
    ]
    const { body } = await minting.callInternal('/internal/deliverable', { ...recipient, tokens })
    return body.tokens.map(({ code }: { code: string | null }) => code)
  }
  await signFor(owned, 100)
  for (const recipient of [{}, { to }]) {
    expect(await check(101, recipient)).toEqual(['permit_required', null])
    expect(await check(99, recipient)).toEqual([null, null])
  }
  await signFor(owned, 25)
  expect(await check(1, { to })).toEqual(['permit_required', null])
  expect(
    (
      await minting.callInternal('/internal/deliverable', {
        tokens: [{ token: kept.token, ownerId: kept.creatorId, until: 'soon' }],
      })
    ).status,
  ).toBe(400)
})

test('a transfer removes the permit, also when the token returns', async () => {
  const { work, userId, wallet } = await givenWorkInWallet()
  await submitPermit(minting, work, userId, wallet)
  const friend = await chain.newWallet()
  const move = async (from: typeof wallet, to: string) => {
    const collection = chain.collectionOf.connect(from) as typeof chain.collectionOf
    await (await collection.transferFrom!(from.address, to, BigInt(work.identifier))).wait()
  }
  await move(wallet, friend.address)
  expect(await verdict(work.token, userId)).toMatchObject({ deliverable: false, code: 'not_owner' })
  await move(friend, wallet.address)
  expect(await verdict(work.token, userId)).toMatchObject({ deliverable: false, code: 'permit_required' })
  await until(
    async () => !(await db.selectFrom('permit').selectAll().where('token', '=', work.token).executeTakeFirst()),
  )
})

test('a permit voided on the chain is removed', async () => {
  const { work, userId, wallet } = await givenWorkInWallet()
  await submitPermit(minting, work, userId, wallet)
  await (await (chain.collectionOf.connect(wallet) as typeof chain.collectionOf).voidPermits!(work.identifier)).wait()
  expect(await verdict(work.token, userId)).toMatchObject({ deliverable: false, code: 'permit_required' })
})

const delisted = (work: Work, reason: Static<typeof itemDelisted.data>['reason'], at = new Date()) =>
  minting.consume(itemDelisted, { itemId: work.itemId, token: work.token, reason, at: at.toISOString() })
const inFuture = () => new Date(Date.now() + 60_000)

test('a delisting by the owner ends the permit, and no other delisting does', async () => {
  const { work, userId, wallet } = await givenWorkInWallet()
  await submitPermit(minting, work, userId, wallet)
  for (const reason of ['account', 'operator', 'undeliverable'] as const) await delisted(work, reason, inFuture())
  expect(await verdict(work.token, userId)).toMatchObject({ deliverable: true })

  await delisted(work, 'owner', inFuture())
  expect(await verdict(work.token, userId)).toMatchObject({ deliverable: false, code: 'permit_required' })
  await submitPermit(minting, work, userId, wallet)
  expect(await verdict(work.token, userId)).toMatchObject({ deliverable: true })
})

test('a new price keeps the permit', async () => {
  const { work, userId, wallet } = await givenWorkInWallet()
  await submitPermit(minting, work, userId, wallet)
  for (const listingVersion of [1, 2]) {
    const listing = { itemId: work.itemId, token: work.token, sellerId: userId, priceCents: 5000, listingVersion }
    await minting.consume(itemListed, { ...listing, at: inFuture().toISOString() })
  }
  expect(await verdict(work.token, userId)).toMatchObject({ deliverable: true })
})

test('a work that its owner has delisted is listed again only under a permit that was submitted afterwards', async () => {
  const { work, userId, wallet } = await givenWorkInWallet()
  await submitPermit(minting, work, userId, wallet)
  const check = async (permittedSince: Date) => {
    const wanted = { token: work.token, ownerId: userId, permittedSince: permittedSince.toISOString() }
    return (await minting.callInternal('/internal/deliverable', { tokens: [wanted] })).body.tokens[0]
  }
  expect(await check(inFuture())).toMatchObject({ code: 'permit_required', permit: { primaryType: 'Permit' } })
  expect(await check(new Date(Date.now() - 60_000))).toMatchObject({ deliverable: true })
})

test('a delisting or a reset that is consumed late keeps a permit that was submitted after it', async () => {
  const { work, userId, wallet } = await givenWorkInWallet()
  const before = new Date(Date.now() - 60_000)
  await submitPermit(minting, work, userId, wallet)
  await delisted(work, 'owner', before)
  await minting.consume(passwordReset, { userId, at: before.toISOString() })
  expect(await verdict(work.token, userId)).toMatchObject({ deliverable: true })
})

test('a password reset ends the permits of the account, and of no other one', async () => {
  const [one, other] = [await givenWorkInWallet(), await givenWorkInWallet()]
  for (const { work, userId, wallet } of [one, other]) await submitPermit(minting, work, userId, wallet)

  await minting.consume(passwordReset, { userId: one.userId, at: inFuture().toISOString() })

  expect(await verdict(one.work.token, one.userId)).toMatchObject({ deliverable: false, code: 'permit_required' })
  expect(await verdict(other.work.token, other.userId)).toMatchObject({ deliverable: true })
})

test('a change of wallet ends the permits, also when the account links the former wallet again', async () => {
  const wallet = await chain.newWallet()
  const account = await givenAccount(minting, { wallet: wallet.address, walletProven: true, admin: true })
  const { userId } = account
  const work = await givenWork(minting, { creatorId: userId, wallet: wallet.address })
  await submitPermit(minting, work, userId, wallet)
  await givenAccount(minting, { ...account, version: 2, admin: false })
  expect(await verdict(work.token, userId)).toMatchObject({ deliverable: true })

  await givenAccount(minting, { ...account, version: 3, wallet: (await chain.newWallet()).address })
  await givenAccount(minting, { ...account, version: 4 })

  expect(await verdict(work.token, userId)).toMatchObject({ deliverable: false, code: 'permit_required' })
})

test('the deletion of an account removes its permits', async () => {
  const { work, userId, wallet } = await givenWorkInWallet()
  await submitPermit(minting, work, userId, wallet)
  const person = { username: '@ada', email: 'ada@nifty.test', firstName: 'Ada' }
  await minting.consume(accountDeleted, { ...person, userId, at: new Date().toISOString() })
  expect(await db.selectFrom('permit').selectAll().where('token', '=', work.token).execute()).toEqual([])
})

test('only the owner requests a permit, and only the holding wallet signs it', async () => {
  const { work, userId } = await givenWorkInWallet()
  const other = await givenAccount(minting)
  expect((await minting.app.inject(pathOf(work.identifier))).statusCode).toBe(401)
  const foreign = await minting.app.inject({ url: pathOf(work.identifier), headers: bearer(other.userId) })
  expect(foreign.statusCode).toBe(403)
  const forged = await submitPermit(minting, work, userId, await chain.newWallet())
  expect(forged.json()).toMatchObject({ code: 'invalid_signature' })
  expect(forged.statusCode).toBe(400)
})

test('a token that is unknown, foreign or in custody accepts no permit', async () => {
  const { userId } = await givenAccount(minting)
  const get = async (path: string) => (await minting.app.inject({ url: path, headers: bearer(userId) })).statusCode
  expect(await get(pathOf('999999'))).toBe(404)
  expect(await get(pathOf('1e3'))).toBe(404)
  expect(await get(pathOf('-1'))).toBe(404)
  expect(await get(pathOf(String(2n ** 256n)))).toBe(404)
  expect(await get(`/api/permits/${chain.delivery}/1`)).toBe(404)
  expect(await get('/api/permits/nope/1')).toBe(404)
  const inCustody = await givenWork(minting, { creatorId: userId })
  expect(await get(pathOf(inCustody.identifier))).toBe(409)
})

test.each([
  ['a deadline that is over', { deadline: '2001-01-01T00:00:00.000Z' }],
  ['a deadline of ten years', { deadline: '2040-01-01T00:00:00.000Z' }],
  ['a deadline that is none', { deadline: 'tomorrow' }],
  ['a number as deadline', { deadline: 12 }],
  ['no signature', { signature: '0x' }],
  ['a signature that is none', { signature: 'hello' }],
  ['an object as signature', { signature: {} }],
  ['an array as contract', { contract: [] }],
])('%s is refused', async (_what, wrong) => {
  const { work, userId } = await givenWorkInWallet()
  const deadline = new Date(Math.ceil(Date.now() / 1000) * 1000 + 200 * 86_400_000).toISOString()
  const right = { contract: chain.collection, identifier: work.identifier, deadline, signature: `0x${'11'.repeat(65)}` }
  const headers = bearer(userId)
  const answer = await minting.app.inject({
    method: 'POST',
    url: '/api/permits',
    headers,
    payload: { ...right, ...wrong },
  })
  expect(answer.statusCode).toBe(400)
})
