import { randomUUID } from 'node:crypto'
import { listSessions } from '@nifty/api/auth/internal'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { expireFreezeLinks, givenMember, type Member, startTestAuth } from '../testing/auth.ts'

const auth = await startTestAuth({}, afterAll)
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'

const isLoggedIn = async (token: string) => (await auth.call('GET', '/api/auth/user', { token })).status === 200
const sessionsOf = async (token: string) => (await auth.call('GET', '/api/auth/sessions', { token })).body.sessions
const end = (token: string, id: string) => auth.call('DELETE', `/api/auth/sessions/${id}`, { token })
const endOthers = (token: string) => auth.call('DELETE', '/api/auth/sessions', { token })

/** Logs in once more, from another browser and network. */
async function logInAgain({ email, password }: Member): Promise<string> {
  const body = { email, password }
  const options = { body, from: '2001:db8:7:8::9', userAgent: firefox }
  return (await auth.call('POST', '/api/auth/login', options)).body.token
}

test('owners see their sessions with browser, address prefix and time, newest first', async () => {
  const ada = await givenMember(auth)
  await givenMember(auth)
  const token = await logInAgain(ada)

  expect(await sessionsOf(token)).toEqual([
    {
      _id: expect.any(String),
      browser: 'Firefox on Windows',
      network: '2001:db8:7::/48',
      createdAt: expect.any(String),
      thisSession: true,
    },
    {
      _id: expect.any(String),
      browser: 'Unknown browser',
      network: '198.51.100.0/24',
      createdAt: expect.any(String),
      thisSession: false,
    },
  ])
})

test('a session that its owner ends is refused at once, in other services too, and leaves the list', async () => {
  const ada = await givenMember(auth)
  const token = await logInAgain(ada)
  const [, first] = await sessionsOf(token)

  expect((await end(token, first._id)).body).toEqual({ success: true })
  expect((await end(token, first._id)).status).toBe(200)

  expect(await isLoggedIn(ada.token)).toBe(false)
  expect(await isLoggedIn(token)).toBe(true)
  expect((await auth.internal(listSessions)).endedSessions).toContain(first._id)
  expect(await sessionsOf(token)).toMatchObject([{ thisSession: true }])
})

test('all other sessions end together; those of other accounts go on', async () => {
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  const [second, third] = [await logInAgain(ada), await logInAgain(ada)]

  expect((await endOthers(second)).body).toEqual({ success: true })

  expect(await Promise.all([ada.token, second, third, eve.token].map(isLoggedIn))).toEqual([false, true, false, true])
})

test('nobody ends or sees a session of another account', async () => {
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  const [session] = await sessionsOf(ada.token)

  expect(await end(eve.token, session._id)).toMatchObject({ status: 404, body: { code: 'session_not_found' } })
  expect((await end(eve.token, randomUUID())).status).toBe(404)
  expect((await end(eve.token, 'x')).status).toBe(400)

  expect(await isLoggedIn(ada.token)).toBe(true)
  expect(await sessionsOf(eve.token)).toHaveLength(1)
})

test('an expired session is not listed', async () => {
  const ada = await givenMember(auth)
  const token = await logInAgain(ada)
  await sql`update session set expires_at = now() where account_id = ${ada.id} and network like '198.%'`.execute(
    auth.db,
  )
  expect(await sessionsOf(token)).toMatchObject([{ thisSession: true }])
})

test('a changed password opens a session with the browser of its request', async () => {
  const ada = await givenMember(auth)
  const newPassword = 'a brand new secret phrase'
  const changed = await auth.call('PUT', `/api/users/${ada.id}/change-password`, {
    body: { oldPassword: ada.password, newPassword },
    token: ada.token,
    userAgent: firefox,
  })
  expect(await sessionsOf(changed.body.token)).toMatchObject([{ browser: 'Firefox on Windows', thisSession: true }])
})

test('an account that is deleted leaves no browser and no network', async () => {
  const ada = await givenMember(auth)
  await logInAgain(ada)
  await expireFreezeLinks(auth)
  await auth.call('DELETE', `/api/users/${ada.id}`, ada)
  const left = await auth.db
    .selectFrom('session')
    .select(['browser', 'network'])
    .where('accountId', '=', ada.id)
    .execute()
  expect(left).toEqual([
    { browser: '', network: '' },
    { browser: '', network: '' },
  ])
})

test('of more than 50 live sessions the oldest ends, and beyond 300 log-ins an hour the next is a 429', async () => {
  const ada = await givenMember(auth)
  await sql`
    insert into session (id, account_id, browser, network, created_at, expires_at)
    select uuidv7(), ${ada.id}::uuid, 'Old', '', now() - make_interval(mins => number), now() + interval '1 hour'
    from generate_series(1, 49) as number`.execute(auth.db)
  const token = await logInAgain(ada)
  expect(await sessionsOf(token)).toHaveLength(50)
  expect(await isLoggedIn(ada.token)).toBe(true)
  const { rows } = await sql<{ minutes: number }>`
    select round(extract(epoch from now() - created_at) / 60)::int as minutes from session
    where account_id = ${ada.id} and ended_at is not null`.execute(auth.db)
  expect(rows).toEqual([{ minutes: 49 }])

  await sql`insert into quota_use (account_id, action) select ${ada.id}::uuid, 'session' from generate_series(1, 298)`.execute(
    auth.db,
  )
  const { email, password } = ada
  const again = await auth.call('POST', '/api/auth/login', { body: { email, password } })
  expect(again).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
  expect(Number(again.headers['retry-after'])).toBeGreaterThan(3_000)
  await sql`update quota_use set at = at - interval '1 hour' where account_id = ${ada.id}`.execute(auth.db)
  await sql`delete from login_failure where subject = ${ada.id}`.execute(auth.db)
  expect((await auth.call('POST', '/api/auth/login', { body: { email, password } })).status).toBe(200)
})
