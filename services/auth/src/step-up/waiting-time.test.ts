import { getWithdrawer } from '@nifty/api/auth/internal'
import { type HDNodeWallet, Wallet } from 'ethers'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { expireFreezeLinks, givenMember, type Member, mailedToken, person, startTestAuth } from '../testing/auth.ts'
import { linkWallet } from '../testing/wallets.ts'

const auth = await startTestAuth({}, afterAll)
const newPassword = 'a brand new secret phrase'
const waits = async ({ id }: Member) => (await auth.internal(getWithdrawer, { params: { id } })).waitsUntil !== null

type Tokens = Partial<Pick<Member, 'token' | 'stepUp'>>
const changeEmail = ({ id }: Member, tokens: Tokens, email = person().email) =>
  auth.call('PUT', `/api/users/${id}`, { body: { email }, ...tokens })
const changePassword = ({ id, token, password }: Member) =>
  auth.call('PUT', `/api/users/${id}/change-password`, { body: { oldPassword: password, newPassword }, token })

const link = (member: Member, wallet: HDNodeWallet, tokens: Tokens, options?: { signed: boolean }) =>
  linkWallet(auth, member, wallet, tokens, options)

test('withdrawals wait for 24 hours after a change of wallet, address or password', async () => {
  const changes: Record<string, (member: Member) => Promise<unknown>> = {
    wallet: (member) => link(member, Wallet.createRandom(), member),
    password: changePassword,
    address: async (member) => {
      const { email } = person()
      await changeEmail(member, member, email)
      expect(await waits(member)).toBe(false)
      const token = await mailedToken(auth.db, 'email-confirmation-requested', email)
      await auth.call('POST', '/api/auth/verify-email', { body: { token } })
    },
    'password by mail': async ({ email }) => {
      await auth.call('POST', '/api/password-reset/request', { body: { email } })
      const token = await mailedToken(auth.db, 'password-reset-requested', email)
      await auth.call('POST', '/api/password-reset/reset', { body: { token, newPassword } })
    },
  }
  for (const [what, change] of Object.entries(changes)) {
    const ada = await givenMember(auth)
    await link(ada, Wallet.createRandom(), ada)
    expect(await waits(ada), what).toBe(false)
    await change(ada)
    expect(await waits(ada), what).toBe(true)
    await sql`update account set withdrawals_wait_since = withdrawals_wait_since - interval '24 hours'
      where id = ${ada.id}`.execute(auth.db)
    expect(await waits(ada), what).toBe(false)
  }
})

test('withdrawals wait for as many hours as WITHDRAWAL_WAIT_HOURS', async () => {
  const auth = await startTestAuth({ env: { WITHDRAWAL_WAIT_HOURS: '2' } })
  const ada = await givenMember(auth)
  for (const wallet of [Wallet.createRandom(), Wallet.createRandom()]) await linkWallet(auth, ada, wallet, ada)
  const { waitsUntil } = await auth.internal(getWithdrawer, { params: { id: ada.id } })
  const { withdrawalsWaitSince } = await auth.db.selectFrom('account').selectAll().executeTakeFirstOrThrow()
  expect(Date.parse(waitsUntil!) - withdrawalsWaitSince!.getTime()).toBe(2 * 3_600_000)
})

test('a first wallet starts no waiting time, and a later proof of it neither', async () => {
  const eve = await givenMember(auth)
  const wallet = Wallet.createRandom()
  await link(eve, wallet, eve, { signed: false })
  await link(eve, wallet, eve)
  expect(await waits(eve)).toBe(false)
})

test('auth answers wallet and confirmation of an account that withdraws, and 404 for an unknown one', async () => {
  const ada = await givenMember(auth)
  const wallet = Wallet.createRandom()
  await link(ada, wallet, ada)
  const read = () => auth.internal(getWithdrawer, { params: { id: ada.id } })
  expect(await read()).toEqual({
    wallet: wallet.address,
    emailConfirmed: false,
    suspended: false,
    waitsUntil: null,
  })
  const token = await mailedToken(auth.db, 'email-confirmation-requested', ada.email)
  await auth.call('POST', '/api/auth/verify-email', { body: { token } })
  expect(await read()).toMatchObject({ emailConfirmed: true })
  await expireFreezeLinks(auth)
  await auth.call('DELETE', `/api/users/${ada.id}`, ada)
  await expect(read()).rejects.toMatchObject({ statusCode: 404 })
})
