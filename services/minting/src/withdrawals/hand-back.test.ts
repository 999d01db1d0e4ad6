import { randomUUID } from 'node:crypto'
import { accountDeleted } from '@nifty/events/auth'
import { orderLineContested } from '@nifty/events/payments'
import { sha256 } from '@nifty/service-kit/base/secrets'
import { listOperatorActions } from '@nifty/service-kit/database/operator-audit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { authorise, custody, givenAccount, givenWork, orderOf, untilState } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'
import { handBackWorks } from './hand-back.ts'

const minting = await startTestMinting()
const { chain } = minting

/** An account that was deleted with works in custody. */
async function givenGivenUpWorks(count = 1) {
  const { userId, username, email, firstName, at } = await givenAccount(minting, { admin: true })
  const works = []
  for (let i = 0; i < count; i++) works.push(await givenWork(minting, { creatorId: userId }))
  const code = randomUUID()
  const handBack = { code: 'sealed', codeHash: sha256(code) }
  const shift = (hours: number) =>
    sql`update account set deleted_at = now() - make_interval(hours => ${hours}) where user_id = ${userId}`.execute(
      minting.db,
    )
  /** Deletes the account, as if 25 hours ago. */
  const remove = async () => {
    await minting.consume(accountDeleted, { userId, username, email, firstName, handBack, at })
    await shift(25)
  }
  return { userId, works, code, remove, shift }
}

const handBack = (code: string, wallet: string) =>
  minting.callInternal('/internal/ops/hand-back-works', { code, wallet, reason: 'asked by mail' })

test('the works of a deleted account are sent to a wallet, once', async () => {
  const { userId, works, code, remove } = await givenGivenUpWorks(2)
  await remove()
  const [wallet, other] = [(await chain.newWallet()).address, (await chain.newWallet()).address]
  const answers = await Promise.all([handBack(code, wallet), handBack(code, wallet), handBack(code, wallet)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(answers.flatMap(({ body }) => body.withdrawals.map(({ _id }: { _id: string }) => _id))).size).toBe(2)
  for (const { _id } of answers[0]!.body.withdrawals) await untilState(minting, _id, 'final')
  for (const { identifier } of works) expect(await chain.ownerOf(identifier)).toBe(wallet)

  const repeated = await handBack(code, other)
  expect(repeated.body.withdrawals).toMatchObject([
    { wallet, state: 'final', txHash: expect.stringMatching(/^0x/) },
    { wallet, state: 'final' },
  ])
  const actions = await listOperatorActions(minting.db, [userId])
  expect(actions[0]).toMatchObject({ action: 'hand-back', operator: 'ada', reason: 'asked by mail' })
})

test('works are handed back from 24 hours after the deletion on', async () => {
  const { userId, code, remove, shift } = await givenGivenUpWorks()
  await remove()
  await shift(23)
  const refused = await handBack(code, (await chain.newWallet()).address)
  expect(refused).toMatchObject({ status: 409, body: { code: 'hand_back_waits' } })
  const found = await minting.callInternal('/internal/ops/find-hand-back', { code })
  expect(found.body).toEqual({ userId, deletedAt: expect.any(String), from: refused.body.details.until })
  expect(await listOperatorActions(minting.db, [userId])).toEqual([])
})

test('a work that the wallet refused can be sent to another one', async () => {
  const { works, code, remove } = await givenGivenUpWorks()
  await remove()
  const refusing = (await chain.newWallet()).address
  // PUSH1 0 PUSH1 0 REVERT: a contract that takes no tokens.
  await chain.provider.send('anvil_setCode', [refusing, '0x60006000fd'])
  const first = await handBack(code, refusing)
  await untilState(minting, first.body.withdrawals[0]._id, 'failed')
  const wallet = (await chain.newWallet()).address
  const second = await handBack(code, wallet)
  expect(second.body.withdrawals).toMatchObject([{ state: 'failed' }, { state: 'accepted', wallet }])
  await untilState(minting, second.body.withdrawals[1]._id, 'final')
  expect(await chain.ownerOf(works[0]!.identifier)).toBe(wallet)
})

test('nothing is handed back without the code, after 30 days, or to an address of the store', async () => {
  const { userId, code, remove, shift } = await givenGivenUpWorks()
  const wallet = (await chain.newWallet()).address
  expect(await handBack(code, wallet)).toMatchObject({ status: 404, body: { code: 'hand_back_not_found' } })
  await remove()
  expect(await handBack(randomUUID(), wallet)).toMatchObject({ status: 404 })
  expect(await handBack('no code', wallet)).toMatchObject({ status: 400 })
  for (const address of ['0x12', `0x${'0'.repeat(40)}`, chain.delivery, chain.collection, chain.signer.address])
    expect(await handBack(code, address)).toMatchObject({ status: 400, body: { code: 'invalid_address' } })

  await shift(31 * 24)
  expect(await handBack(code, wallet)).toMatchObject({ status: 409, body: { code: 'hand_back_over' } })
  expect(await listOperatorActions(minting.db, [userId])).toEqual([])
})

test('works are handed back after a sale that was under way has ended', async () => {
  const { works, code, remove } = await givenGivenUpWorks(2)
  await chain.mineEachTransaction(false)
  const order = await authorise(minting, works[0]!, { wallet: (await chain.newWallet()).address })
  await untilState(minting, order.lineId, 'signed', { mining: false })
  await remove()
  const wallet = (await chain.newWallet()).address
  expect(await handBack(code, wallet)).toMatchObject({ status: 409, body: { code: 'being_delivered' } })

  await chain.mineEachTransaction(true)
  await untilState(minting, order.lineId, 'final')
  const { body } = await handBack(code, wallet)
  expect(body.withdrawals).toHaveLength(1)
  await untilState(minting, body.withdrawals[0]._id, 'final')
  expect(await chain.ownerOf(works[1]!.identifier)).toBe(wallet)
})

test('a work that was bought into custody a short time ago stays when the others are handed back', async () => {
  const { userId, works, code, remove } = await givenGivenUpWorks()
  const bought = await givenWork(minting)
  const { lineId } = await authorise(minting, bought, { ...custody, buyerId: userId })
  await untilState(minting, lineId, 'final')
  await remove()
  const request = { code, wallet: (await chain.newWallet()).address, operator: 'ada', reason: 'asked by mail' }
  const rules = { forbiddenRecipients: [], custodyHoldHours: 24 }
  const withdrawals = await handBackWorks(minting.db, request, rules)
  expect(withdrawals.map(({ token }) => token)).toEqual([works[0]!.token])
})

test('a work whose payment is contested stays when the others are handed back', async () => {
  const { userId, works, code, remove } = await givenGivenUpWorks(2)
  await remove()
  const { deliverBy: _deliverBy, ...line } = orderOf(works[0]!, { ...custody, buyerId: userId })
  await minting.consume(orderLineContested, line)
  const { body } = await handBack(code, (await chain.newWallet()).address)
  expect(body.withdrawals).toMatchObject([{ identifier: works[1]!.identifier }])
})
