import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { givenMember, type Member, prolongDelays, publishedEvents, startTestAuth } from '../testing/auth.ts'

const auth = await startTestAuth({}, afterAll)
const fresh = 'a brand new secret phrase'
const change = ({ id, token, password }: Member, body: object = {}) =>
  auth.call('PUT', `/api/users/${id}/change-password`, {
    body: { oldPassword: password, newPassword: fresh, ...body },
    token,
  })
const logIn = ({ email }: Member, password: string) =>
  auth.call('POST', '/api/auth/login', { body: { email, password } })
const whoAmI = (token: string) => auth.call('GET', '/api/auth/user', { token })

test('a changed password ends all sessions, opens a new one, and notifies the owner', async () => {
  const ada = await givenMember(auth)
  const elsewhere = (await logIn(ada, ada.password)).body.token

  const { status, body } = await change(ada)

  expect({ status, body }).toMatchObject({ status: 200, body: { success: true, userId: ada.id } })
  expect((await whoAmI(elsewhere)).status).toBe(401)
  expect((await whoAmI(ada.token)).status).toBe(401)
  expect((await whoAmI(body.token)).status).toBe(200)
  expect((await logIn(ada, ada.password)).status).toBe(401)
  expect((await logIn(ada, fresh)).status).toBe(200)
  expect(await publishedEvents(auth.db, 'security-notice-requested', ada.id)).toMatchObject([
    { what: 'new_device' },
    { what: 'password_changed', email: ada.email },
  ])
})

test.each([
  ['a wrong old password', { oldPassword: 'wrong' }, 'Failed to update password'],
  [
    'the same password again',
    { newPassword: 'correct horse battery staple' },
    'The new password must differ from the present one',
  ],
  ['a short one', { newPassword: 'short' }, 'The password must have at least 8 characters'],
  ['a common one', { newPassword: 'iloveyou123' }, 'This password is too common, please choose another one'],
])('%s is refused and ends no session', async (_, body, message) => {
  const ada = await givenMember(auth)
  expect(await change(ada, body)).toMatchObject({ status: 400, body: { message } })
  expect((await whoAmI(ada.token)).status).toBe(200)
})

test('a wrong old password is named beside its field', async () => {
  const ada = await givenMember(auth)
  const { body } = await change(ada, { oldPassword: 'wrong' })
  expect(body).toMatchObject({ errors: [{ msg: 'This is not your present password', path: 'oldPassword' }] })
})

test('the address of the account is refused as a password', async () => {
  const ada = await givenMember(auth)
  expect((await change(ada, { newPassword: ada.email })).status).toBe(400)
})

test('wrong old passwords are counted and delayed like failed log-ins', async () => {
  const ada = await givenMember(auth)
  for (let time = 0; time < 5; time++) expect((await change(ada, { oldPassword: `guess ${time}` })).status).toBe(400)
  await prolongDelays(auth.db)
  expect((await change(ada)).status).toBe(429)
  expect((await logIn(ada, ada.password)).status).toBe(429)
})

test('whoever used up the log-ins of an hour keeps the owner neither from a new password nor from a log-in with it', async () => {
  const ada = await givenMember(auth)
  await sql`insert into quota_use (account_id, action)
    select ${ada.id}::uuid, 'session' from generate_series(1, ${auth.config.limits.sessionsPerHour})`.execute(auth.db)
  expect((await logIn(ada, ada.password)).status).toBe(429)
  expect((await change(ada)).status).toBe(200)
  expect((await logIn(ada, fresh)).status).toBe(200)
})

test('of two concurrent changes the second is refused, because its old password is outdated', async () => {
  const ada = await givenMember(auth)
  const lock = await auth.db.startTransaction().execute()
  await lock.selectFrom('account').select('id').where('id', '=', ada.id).forUpdate().execute()

  const both = [change(ada), change(ada, { newPassword: 'another new secret phrase' })]
  await waitForBlockedQuery(auth.db)
  await lock.commit().execute()

  const statuses = (await Promise.all(both)).map(({ status }) => status).sort()
  expect(statuses).toEqual([200, 400])
})
