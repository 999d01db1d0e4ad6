import { expect, test } from 'vitest'
import { givenAcceptedMint, givenAccount } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'

const minting = await startTestMinting()
const { db, steppedUp } = minting
const read = async (userId: string) =>
  (await minting.app.inject({ url: '/api/mints/export', headers: steppedUp(userId) })).json()

test('an account exports its mints, withdrawals and permits without signatures, and those of no other', async () => {
  const [ada, eve] = [await givenAccount(minting, { admin: true }), await givenAccount(minting, { admin: true })]
  const { id } = await givenAcceptedMint(minting, { creatorId: ada.userId })
  const wallet = `0x${'2'.repeat(40)}`
  const signature = `0x${'ab'.repeat(65)}`
  const permit = { token: `${minting.chain.collection.toLowerCase()}/7`, ownerId: ada.userId, wallet, nonce: '0' }
  await db
    .insertInto('permit')
    .values({ ...permit, signature, deadline: new Date() })
    .execute()

  const { records, next } = await read(ada.userId)
  expect(minting.exports).toEqual([ada.userId])

  expect(next).toBeNull()
  expect(records).toMatchObject([
    { kind: 'mint', data: { id, state: 'accepted' } },
    { kind: 'permit', data: { token: permit.token, wallet } },
  ])
  expect(JSON.stringify(records)).not.toContain(signature)
  expect((await read(eve.userId)).records).toEqual([])
})

test('without a token the export is a 401', async () => {
  expect((await minting.app.inject('/api/mints/export')).statusCode).toBe(401)
})
