import { randomUUID } from 'node:crypto'
import { suspendAccount } from '@nifty/api/auth/ops'
import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { limitsOf } from '../quotas/limits.ts'
import {
  asOperator,
  givenMember,
  type Member,
  mailedToken,
  person,
  prolongDelays,
  startTestAuth,
  type TestAuth,
} from '../testing/auth.ts'
import { clearFailures } from './login.store.ts'

const auth = await startTestAuth({}, afterAll)
const refusal = { success: false, code: 'invalid_credentials', message: 'Invalid email or password' }

const logIn = ({ call }: TestAuth, { email, password }: { email: string; password: string }, from?: string) =>
  call('POST', '/api/auth/login', { body: { email, password }, from })
const guess = (auth: TestAuth, { email }: Member, from?: string) =>
  logIn(auth, { email, password: 'not the password' }, from)
const letDelaysPass = ({ db }: TestAuth) => sql`update login_failure set blocked_until = now()`.execute(db)

test('log-in ignores the case of the address, and the token authenticates the account', async () => {
  const ada = await givenMember(auth)

  const { status, headers, body } = await logIn(auth, { ...ada, email: ada.email.toUpperCase() })

  expect({ status, body }).toMatchObject({
    status: 200,
    body: { success: true, message: 'Logged in successfully', userId: ada.id, username: ada.username },
  })
  expect(headers['cache-control']).toBe('no-store')
  expect((await auth.call('GET', '/api/auth/user', { token: body.token })).body.user._id).toBe(ada.id)
})

test('a wrong password, an unknown address, a suspended and a deleted account get the same response', async () => {
  const [ada, suspended, deleted] = [await givenMember(auth), await givenMember(auth), await givenMember(auth)]
  await auth.internal(suspendAccount, { body: asOperator(suspended.email) })
  await auth.call('DELETE', `/api/users/${deleted.id}`, deleted)

  for (const answer of [
    await guess(auth, ada),
    await logIn(auth, person()),
    await logIn(auth, suspended),
    await logIn(auth, deleted),
  ]) {
    expect(answer.status).toBe(401)
    expect(answer.body).toEqual({ ...refusal, requestId: expect.any(String) })
  }
})

test('where log-in requires a confirmed address, an unconfirmed account gets the response of an unknown one', async () => {
  const auth = await startTestAuth({ env: { CONFIRM_EMAIL_BEFORE_LOGIN: 'true' } })
  const ada = person()
  await auth.call('POST', '/api/auth/signup', { body: ada })
  expect((await logIn(auth, ada)).body).toMatchObject(refusal)
  expect((await auth.call('GET', `/api/users/profile/${ada.username}`)).status).toBe(404)

  const token = await mailedToken(auth.db, 'email-confirmation-requested', ada.email)
  await auth.call('POST', '/api/auth/verify-email', { body: { token } })

  expect((await logIn(auth, ada)).status).toBe(200)
  expect((await auth.call('GET', `/api/users/profile/${ada.username}`)).status).toBe(200)
})

test('after five failures each further attempt is delayed, from one second up to a minute', async () => {
  const ada = await givenMember(auth)
  const delays: number[] = []
  for (let time = 0; time < 12; time++) {
    await letDelaysPass(auth)
    expect((await guess(auth, ada)).status).toBe(401)
    const { rows } = await sql<{ s: number }>`select round(extract(epoch from blocked_until - failed_at))::int as s
      from login_failure where subject = ${ada.id}`.execute(auth.db)
    delays.push(rows[0]!.s)
  }
  expect(delays).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60])

  const slowed = await logIn(auth, ada)
  expect(slowed).toMatchObject({
    status: 429,
    body: { success: false, message: 'Too many requests, please try again later.' },
  })
  expect(Number(slowed.headers['retry-after'])).toBeGreaterThan(30)
  await letDelaysPass(auth)
  expect((await logIn(auth, ada)).status).toBe(200)
})

test('failures older than the window are not counted', async () => {
  const ada = await givenMember(auth)
  for (let time = 0; time < 5; time++) await guess(auth, ada)

  await sql`update login_failure set failed_at = now() - interval '1 hour', blocked_until = now() - interval '59 minutes'`.execute(
    auth.db,
  )

  for (let time = 0; time < 5; time++) expect((await guess(auth, ada)).status).toBe(401)
})

test('failures from unknown networks do not delay log-ins from a network that logged in before', async () => {
  const ada = await givenMember(auth)
  const home = '2001:db8:1:2:aaaa::1'
  await logIn(auth, ada, home)
  for (let time = 0; time < 6; time++) await guess(auth, ada, `192.0.2.${time}`)
  await prolongDelays(auth.db)

  expect((await logIn(auth, ada, '192.0.2.99')).status).toBe(429)
  expect((await logIn(auth, ada, '2001:db8:1:2:bbbb::2')).status).toBe(200)
})

test('failures from a known network delay attempts from it', async () => {
  const ada = await givenMember(auth)
  await logIn(auth, ada, '192.0.2.1')
  for (let time = 0; time < 5; time++) await guess(auth, ada, '192.0.2.1')
  await prolongDelays(auth.db)
  expect((await guess(auth, ada, '192.0.2.1')).status).toBe(429)
})

test('of concurrent attempts on a delayed account one password is verified, the others are a 429', async () => {
  const ada = await givenMember(auth)
  await guess(auth, ada)
  await sql`update login_failure set failures = 10 where subject = ${ada.id}`.execute(auth.db)

  const answers = await Promise.all(Array.from({ length: 12 }, () => guess(auth, ada)))

  expect(answers.filter(({ status }) => status === 401)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(11)
})

test('a log-in concurrent with another successful one succeeds', async () => {
  const ada = await givenMember(auth)
  await guess(auth, ada)
  const first = await auth.db.startTransaction().execute()
  await clearFailures(first, { subject: ada.id, originKey: '' })

  const second = logIn(auth, ada)
  await waitForBlockedQuery(auth.db)
  await first.commit().execute()

  expect((await second).status).toBe(200)
})

test('attempts on an address without an account are delayed in the same way', async () => {
  const stranger = person()
  for (let time = 0; time < 5; time++) expect((await logIn(auth, stranger)).status).toBe(401)
  await prolongDelays(auth.db)
  expect((await logIn(auth, stranger)).status).toBe(429)
})

test('the rate limit factor multiplies the failures without delay', async () => {
  const auth = await startTestAuth({ limits: limitsOf(2) })
  const ada = await givenMember(auth)
  for (let time = 0; time < 10; time++) expect((await guess(auth, ada)).status).toBe(401)
  await prolongDelays(auth.db)
  expect((await guess(auth, ada)).status).toBe(429)
})

test('the lock screen responds to an unknown account as to a wrong password, and shares the counter of log-ins', async () => {
  const ada = await givenMember(auth)
  const unlock = (userId: string, password: string) =>
    auth.call('POST', '/api/auth/lockscreen-login', { body: { userId, password } })

  expect((await unlock(ada.id, ada.password)).body).toMatchObject({ success: true, userId: ada.id })
  const wrong = await unlock(ada.id, 'not the password')
  const unknown = await unlock(randomUUID(), ada.password)
  expect(wrong).toMatchObject({ status: 401, body: { message: 'Incorrect password.' } })
  expect({ ...unknown.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' })

  for (let time = 0; time < 4; time++) await guess(auth, ada)
  await prolongDelays(auth.db)
  expect((await unlock(ada.id, ada.password)).status).toBe(429)
  expect((await unlock('not-an-id', ada.password)).status).toBe(400)
})

test.each([
  ['an object for the address', { email: { $gt: '' }, password: 'x' }],
  ['a list', { email: ['a@b.cd'], password: 'x' }],
  ['a number for the password', { email: 'a@b.cd', password: 1 }],
  ['a password of 10 KB', { email: 'a@b.cd', password: 'x'.repeat(10_240) }],
  ['a NUL', { email: 'a@b.cd', password: 'x\u0000' }],
  ['no password', { email: 'a@b.cd' }],
  ['nothing', {}],
])('%s is a 400', async (_, body) => {
  expect(await auth.call('POST', '/api/auth/login', { body })).toMatchObject({ status: 400, body: { success: false } })
})

test('quotes in an address match no account', async () => {
  expect((await logIn(auth, { email: "' or 1=1 --", password: 'x' })).status).toBe(401)
})

test('a password is compared as typed: it is not trimmed, and composed and decomposed characters are one', async () => {
  const ada = await givenMember(auth, { password: ' café au lait ' })
  expect((await logIn(auth, { ...ada, password: 'café au lait' })).status).toBe(401)
  expect((await logIn(auth, { ...ada, password: ' cafe\u0301 au lait ' })).status).toBe(200)
  expect((await logIn(auth, ada)).status).toBe(200)
})
