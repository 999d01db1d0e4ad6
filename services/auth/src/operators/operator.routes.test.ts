import { searchAccounts } from '@nifty/api/auth/account-search'
import { getBuyer } from '@nifty/api/auth/internal'
import {
  confirmEmail,
  countSellers,
  describeAccount,
  grantAdmin,
  reinstateAccount,
  removeSecondFactorOf,
  revokeAdmin,
  suspendAccount,
} from '@nifty/api/auth/ops'
import type { EndpointBody, OperatorRole } from '@nifty/api/endpoint'
import { listSecurityEvents } from '@nifty/api/security-events'
import { getAccountStatistics } from '@nifty/api/statistics'
import { listOperatorActions } from '@nifty/service-kit/database/operator-audit'
import { Wallet } from 'ethers'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { asOperator, givenMember, type Member, person, publishedEvents, startTestAuth } from '../testing/auth.ts'
import { codeOf, givenSecondFactor } from '../testing/second-factor.ts'

const auth = await startTestAuth({}, afterAll)
type AccountEndpoint =
  | typeof grantAdmin
  | typeof revokeAdmin
  | typeof suspendAccount
  | typeof reinstateAccount
  | typeof confirmEmail
  | typeof removeSecondFactorOf
const operate = (endpoint: AccountEndpoint, body: ReturnType<typeof asOperator>) => auth.internal(endpoint, { body })
const latest = async ({ id }: Member) => (await publishedEvents(auth.db, 'account-changed', id)).at(-1)
const logIn = ({ email, password }: Member) => auth.call('POST', '/api/auth/login', { body: { email, password } })

test('granting admin publishes the account, records operator and reason, and ends sessions', async () => {
  const ada = await givenMember(auth)

  expect(await operate(grantAdmin, asOperator(ada.email.toUpperCase()))).toEqual({ success: true, userId: ada.id })

  expect(await latest(ada)).toMatchObject({ admin: true, version: 2 })
  expect((await auth.call('GET', '/api/auth/user', { token: ada.token })).status).toBe(401)
  const { token } = (await logIn(ada)).body
  expect((await auth.call('GET', '/api/auth/user', { token })).body.user.admin).toBe(true)
  expect(await listOperatorActions(auth.db, [ada.id])).toMatchObject([
    { action: 'grant-admin', operator: 'ada', reason: 'A creator we know' },
  ])

  await operate(revokeAdmin, asOperator(ada.email))
  expect(await latest(ada)).toMatchObject({ admin: false, version: 3 })
  expect((await auth.call('GET', '/api/auth/user', { token })).status).toBe(401)
})

test('figures of today have accounts that were created and confirmed', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const read = async () =>
    (await auth.internal(getAccountStatistics, { query: { from: today, to: today } })).periods[0]!
  const before = await read()
  const ada = await givenMember(auth)
  await operate(confirmEmail, asOperator(ada.email))
  expect(await read()).toEqual({ ...before, created: before.created + 1, confirmed: before.confirmed + 1 })
})

test('operators read how many accounts may sell', async () => {
  const ada = await givenMember(auth)
  const count = async () => (await auth.internal(countSellers)).sellers
  const before = await count()

  await operate(grantAdmin, asOperator(ada.email))
  expect(await count()).toBe(before + 1)

  await operate(revokeAdmin, asOperator(ada.email))
  expect(await count()).toBe(before)
})

test('a suspended account cannot log in and has no profile, other services receive the flag; reinstating undoes it', async () => {
  const ada = await givenMember(auth)
  await operate(suspendAccount, asOperator(ada.email))

  expect((await logIn(ada)).status).toBe(401)
  expect(await latest(ada)).toMatchObject({ suspended: true })
  expect(await auth.internal(getBuyer, { params: { id: ada.id } })).toMatchObject({ suspended: true })
  expect((await auth.call('GET', `/api/users/profile/${ada.username}`)).status).toBe(404)

  await operate(reinstateAccount, asOperator(ada.email))
  expect((await logIn(ada)).status).toBe(200)
  expect(await latest(ada)).toMatchObject({ suspended: false })
})

test('confirm-email confirms an address without a mail', async () => {
  const ada = await givenMember(auth)
  await operate(confirmEmail, asOperator(ada.email))
  expect((await auth.call('GET', '/api/auth/user', { token: ada.token })).body.user.emailConfirmed).toBe(true)
})

test('an unknown address, and a command without operator or reason, are refused', async () => {
  await expect(operate(grantAdmin, asOperator(person().email))).rejects.toMatchObject({ statusCode: 404 })
  const { email } = await givenMember(auth)
  await expect(operate(grantAdmin, { email, reason: '' })).rejects.toMatchObject({
    statusCode: 400,
  })
})

test('the database refuses a change of rights without an audit entry on this account about its rights', async () => {
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  await operate(grantAdmin, asOperator(ada.email))
  const [entry] = await listOperatorActions(auth.db, [ada.id])

  for (const rights of [{ admin: true }, { suspendedAt: new Date() }]) {
    const change = auth.db.transaction().execute(async (trx) => {
      await sql`select set_config('auth.audit_entry', ${entry!.id}, true)`.execute(trx)
      await trx.updateTable('account').set(rights).where('id', '=', eve.id).execute()
    })
    await expect(change).rejects.toThrow('admin and suspended_at change by an operator only')
  }
  await operate(confirmEmail, asOperator(eve.email))
  const [confirmation] = await listOperatorActions(auth.db, [eve.id])
  const escalation = auth.db.transaction().execute(async (trx) => {
    await sql`select set_config('auth.audit_entry', ${confirmation!.id}, true)`.execute(trx)
    await trx.updateTable('account').set({ admin: true }).where('id', '=', eve.id).execute()
  })
  await expect(escalation).rejects.toThrow('by an operator only')
  const revoke = auth.db.updateTable('account').set({ admin: false }).where('id', '=', ada.id).execute()
  await expect(revoke).rejects.toThrow('by an operator only')
})

test('internal routes are a 404 on the public port, and a 403 without the secret on the internal one', async () => {
  const path = '/internal/ops/grant-admin'
  expect((await auth.call('POST', path, { body: asOperator('a@b.cd') })).status).toBe(404)
  expect((await auth.call('GET', '/internal/sessions')).status).toBe(404)
  for (const open of ['/internal/sessions', `/internal/buyers/${crypto.randomUUID()}`])
    expect((await fetch(`${auth.service.internalUrl}${open}`)).status).toBe(403)
})

test('GET of a buyer returns wallet, suspension and age; a malformed id is a 400', async () => {
  const ada = await givenMember(auth)
  expect(await auth.internal(getBuyer, { params: { id: ada.id } })).toEqual({
    userId: ada.id,
    username: ada.username,
    email: ada.email,
    emailConfirmed: false,
    wallet: null,
    suspended: false,
    createdAt: expect.stringMatching(/^\d{4}-/),
  })
  await expect(auth.internal(getBuyer, { params: { id: 'no-uuid' } })).rejects.toMatchObject({ statusCode: 400 })
})

test('an operator turns off a second factor, which ends sessions and is mailed; without one it is refused', async () => {
  const ada = await givenMember(auth)
  const refused = { statusCode: 409, code: 'no_second_factor' }
  await expect(operate(removeSecondFactorOf, asOperator(ada.email))).rejects.toMatchObject(refused)
  expect(await listOperatorActions(auth.db, [ada.id])).toEqual([])
  const { secret } = await givenSecondFactor(auth, ada)
  const { challenge } = (await logIn(ada)).body

  expect(await operate(removeSecondFactorOf, asOperator(ada.email))).toEqual({ success: true, userId: ada.id })

  expect((await auth.call('GET', '/api/auth/user', { token: ada.token })).status).toBe(401)
  const body = { challenge, code: codeOf(secret) }
  expect((await auth.call('POST', '/api/auth/login/second-factor', { body })).status).toBe(400)
  expect((await publishedEvents(auth.db, 'security-notice-requested', ada.id)).at(-1)).toMatchObject({
    what: 'second_factor_off',
    email: ada.email,
  })
  expect((await logIn(ada)).body.success).toBe(true)
  expect(await listOperatorActions(auth.db, [ada.id])).toMatchObject([
    { action: 'remove-second-factor', operator: 'ada', reason: 'A creator we know' },
  ])
})

test('an account is described by its id or its address, and the look-up is recorded of the operator only', async () => {
  const ada = await givenMember(auth)
  await givenSecondFactor(auth, ada)
  await operate(suspendAccount, asOperator(ada.email))

  const byId = await auth.internal(describeAccount, { body: { account: ada.id } })
  expect(await auth.internal(describeAccount, { body: { account: ada.email.toUpperCase() } })).toEqual(byId)

  const state = { admin: false, suspended: true, frozen: false, hasSecondFactor: true, pendingEmail: null }
  expect(byId).toMatchObject({ userId: ada.id, email: ada.email, username: ada.username, ...state })
  const { events } = await auth.internal(listSecurityEvents, { query: { user: ada.id, kind: 'operator' } })
  expect(events.map(({ route }) => route)).toEqual(['POST /internal/ops/suspend-account'])
  const unknown = { body: { account: person().email } }
  await expect(auth.internal(describeAccount, unknown)).rejects.toMatchObject({ statusCode: 404 })
})

const search = async (body: EndpointBody<typeof searchAccounts>) =>
  (await auth.internal(searchAccounts, { body })).accounts.map(({ userId }) => userId)

test('an account is found by id, address, user name, wallet and a part of its names, and by nothing of another', async () => {
  const part = crypto.randomUUID().slice(0, 8)
  const ada = await givenMember(auth, { firstName: 'Ada', lastName: `Love${part}` })
  const eve = await givenMember(auth)
  const wallet = Wallet.createRandom().address
  await auth.db
    .updateTable('account')
    .set({ wallet, walletKey: wallet.toLowerCase(), walletLinkedAt: new Date() })
    .where('id', '=', ada.id)
    .execute()

  for (const typed of [
    ada.id,
    ` ${ada.email.toUpperCase()} `,
    ada.username.toUpperCase(),
    wallet,
    wallet.toLowerCase(),
    `love${part.toUpperCase()}`,
    `ada love${part}`,
    ada.username.slice(1),
  ])
    expect([typed, await search({ search: typed })]).toEqual([typed, [ada.id]])
  expect(await search({ ids: [ada.id, eve.id] })).toEqual([eve.id, ada.id])
  for (const typed of [`ada.${part}@example.com`, `@${part}`, `${part}%`, '%', '_', Wallet.createRandom().address])
    expect([typed, await search({ search: typed })]).toEqual([typed, []])

  expect(await search({ search: part, state: 'suspended' })).toEqual([])
  await operate(suspendAccount, asOperator(ada.email))
  expect(await search({ search: part, state: 'suspended' })).toEqual([ada.id])
  expect((await auth.internal(searchAccounts, { body: { search: ada.id } })).accounts).toMatchObject([
    { username: ada.username, email: ada.email, wallet, suspended: true, admin: false, emailConfirmed: false },
  ])
})

test('an operator for money gets ids, user names and addresses of accounts, one for support or an owner all of them', async () => {
  const { id: userId, username, email } = await givenMember(auth)
  const searchWith = async (role: OperatorRole, body: EndpointBody<typeof searchAccounts>) =>
    (await auth.service.internalWith(role)(searchAccounts, { body })).accounts
  for (const body of [{ search: email }, { ids: [userId] }]) {
    expect(await searchWith('money', body)).toEqual([{ userId, username, email }])
    for (const role of ['support', 'owner'] as const)
      expect(await searchWith(role, body)).toMatchObject([{ userId, email, firstName: 'Ada', wallet: null }])
  }
})

test('a search of accounts has 50 a page, newest first, each of them once, and a wrong request names its field', async () => {
  const part = crypto.randomUUID().slice(0, 8)
  await sql`insert into account (id, username, username_key, email, email_key, password_hash, first_name, notifications, created_at)
    select gen_random_uuid(), '@' || name, name, name || '@x.test', name || '@x.test', '', ${part}, '{}',
      now() - make_interval(secs => (n / 2) * 0.0001)
    from generate_series(1, 60) n, lateral (select ${part} || n as name) as named`.execute(auth.db)

  const first = await auth.internal(searchAccounts, { body: { search: part } })
  const second = await auth.internal(searchAccounts, { body: { search: part, after: first.next! } })

  expect([first.accounts.length, second.accounts.length, second.next]).toEqual([50, 10, null])
  const read = [...first.accounts, ...second.accounts]
  expect(new Set(read.map(({ userId }) => userId)).size).toBe(60)
  expect(read.map(({ createdAt }) => createdAt)).toEqual(
    read
      .map(({ createdAt }) => createdAt)
      .sort()
      .reverse(),
  )
  const wrong = { search: ' ', state: 'rich', after: crypto.randomUUID(), ids: ['ada'] } as const
  for (const [path, value] of Object.entries(wrong))
    await expect(auth.internal(searchAccounts, { body: { [path]: value } as any })).rejects.toMatchObject({
      statusCode: 400,
      extras: { errors: [{ path: expect.stringContaining(path) }] },
    })
})
