import { listFailedLogIns, suspendAccount } from '@nifty/api/auth/ops'
import { listSecurityEvents } from '@nifty/api/security-events'
import { deleteOldSecurityEvents } from '@nifty/service-kit/http/security-event.store'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { asOperator, givenMember, mailedToken, person, prolongDelays, startTestAuth } from '../testing/auth.ts'

const auth = await startTestAuth({}, afterAll)
const from = '192.0.2.77'
const recorded = (filter: object) => auth.internal(listSecurityEvents, { query: filter })
const logIn = (body: object) => auth.call('POST', '/api/auth/login', { body, from })

test('log-ins are recorded with account, address, session and outcome, refused and delayed ones too', async () => {
  const ada = await givenMember(auth)
  const { email, password } = ada
  expect((await logIn({ email, password })).status).toBe(200)
  for (let time = 0; time < 5; time++) await logIn({ email, password: `wrong ${time}` })
  await prolongDelays(auth.db)
  await logIn({ email, password: 'wrong 5' })

  const { events } = await recorded({ user: ada.id, kind: 'log_in' })

  const route = 'POST /api/auth/login'
  expect(events.toReversed()).toMatchObject([
    { outcome: 'ok', userId: ada.id, sessionId: expect.any(String), route, address: '198.51.100.7' },
    { outcome: 'ok', userId: ada.id, sessionId: expect.any(String), route, address: from, operator: null },
    { outcome: 'invalid_credentials', userId: ada.id, sessionId: null, address: from, count: 5 },
    { outcome: 'too_many_requests', userId: ada.id, count: 1 },
  ])
})

test('failed log-ins are counted by address, with the accounts that were entered from there', async () => {
  const since = new Date().toISOString()
  const [ada, eve, kim] = [await givenMember(auth), await givenMember(auth), await givenMember(auth)]
  const tryFrom = (address: string, { email }: typeof ada, password: string) =>
    auth.call('POST', '/api/auth/login', { body: { email, password }, from: address })
  for (const account of [ada, eve, kim]) await tryFrom('192.0.2.90', account, 'Summer2026!')
  await tryFrom('192.0.2.90', eve, eve.password)
  for (let time = 0; time < 3; time++) await tryFrom('192.0.2.91', ada, 'Summer2026!')
  await tryFrom('192.0.2.92', kim, kim.password)

  expect(await auth.internal(listFailedLogIns, { query: { since } })).toEqual({
    addresses: [
      { address: '192.0.2.90', failed: 3, accounts: 3, entered: [eve.id] },
      { address: '192.0.2.91', failed: 3, accounts: 1, entered: [] },
    ],
    addressesInAll: 2,
    accountsInAll: 3,
  })
  const later = new Date(Date.now() + 60_000).toISOString()
  expect(await auth.internal(listFailedLogIns, { query: { since: later } })).toMatchObject({ addresses: [] })
})

test('changes of an account, log-outs, resets and refusals are recorded', async () => {
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  const newPassword = 'a brand new secret phrase'
  const put = (path: string, body: object, { token } = ada) => auth.call('PUT', path, { body, token, from })
  await put(`/api/users/${ada.id}/change-password`, { oldPassword: 'wrong', newPassword })
  await put(`/api/users/${ada.id}`, { firstName: 'Eve' }, eve)
  await auth.call('POST', '/api/password-reset/request', { body: { email: ada.email }, from })
  const token = await mailedToken(auth.db, 'password-reset-requested', ada.email)
  await auth.call('POST', '/api/password-reset/reset', { body: { token, newPassword }, from })
  await auth.call('POST', '/api/auth/logout', { token: eve.token, from })

  expect((await recorded({ user: ada.id })).events.toReversed().slice(1)).toMatchObject([
    { kind: 'password_changed', outcome: 'wrong_password', address: from, sessionId: expect.any(String) },
    { kind: 'password_reset', outcome: 'ok', address: from },
  ])
  expect((await recorded({ user: eve.id })).events.toReversed().slice(1)).toMatchObject([
    { kind: 'profile_changed', outcome: 'forbidden', userId: eve.id },
    { kind: 'log_out', outcome: 'ok' },
  ])
})

test('a refusal is recorded of an endpoint that is no security event, too', async () => {
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  await auth.call('PUT', `/api/users/${ada.id}/upload-avatar`, { token: eve.token })
  expect((await recorded({ user: eve.id })).events[0]).toMatchObject({
    kind: 'access_denied',
    outcome: 'forbidden',
    sessionId: expect.any(String),
    route: 'PUT /api/users/:id/upload-avatar',
  })
})

test('while events cannot be stored the request itself succeeds', async () => {
  const ada = await givenMember(auth)
  await sql`alter table security_event rename to unavailable`.execute(auth.db)
  const { status } = await logIn({ email: ada.email, password: ada.password })
  await sql`alter table unavailable rename to security_event`.execute(auth.db)
  expect(status).toBe(200)
})

test('commands of operators are recorded one by one with their names; invalid requests and those without a token are not', async () => {
  const ada = await givenMember(auth)
  for (let count = 0; count < 2; count++) await auth.internal(suspendAccount, { body: asOperator(ada.email) })
  const before = (await recorded({})).events.length
  await auth.call('GET', '/api/auth/user', { token: 'stolen' })
  await logIn({ email: ada.email })

  const { events } = await recorded({ kind: 'operator' })
  const command = {
    operator: 'ada',
    outcome: 'ok',
    route: 'POST /internal/ops/suspend-account',
    userId: ada.id,
    count: 1,
  }
  expect(events).toMatchObject([command, command])
  expect((await recorded({})).events).toHaveLength(before)
})

test('no record has a password, a token or a typed address', async () => {
  const ada = await givenMember(auth)
  await logIn({ email: ada.email, password: 'my-secret-guess' })
  const stored = JSON.stringify(await sql`select * from security_event`.execute(auth.db))
  for (const secret of ['my-secret-guess', ada.password, ada.email, ada.token]) expect(stored).not.toContain(secret)
})

test('users see their own events only', async () => {
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  await logIn({ email: ada.email, password: 'wrong' })
  await logIn({ email: eve.email, password: 'wrong' })

  const own = await auth.call('GET', '/api/auth/security-events', ada)

  expect(own.body.events).toEqual([
    {
      at: expect.any(String),
      kind: 'log_in',
      outcome: 'invalid_credentials',
      address: from,
      thisSession: false,
      count: 1,
    },
    { at: expect.any(String), kind: 'log_in', outcome: 'ok', address: '198.51.100.7', thisSession: true, count: 1 },
  ])
  expect((await auth.call('GET', '/api/auth/security-events')).status).toBe(401)
})

test('refused log-ins of a stranger are one line and hide no event of the account', async () => {
  const ada = await givenMember(auth)
  const { email, token } = ada
  await auth.call('PUT', `/api/users/${ada.id}`, { body: { firstName: 'A' }, token, from: '198.51.100.7' })
  for (let time = 0; time < 60; time++) await logIn({ email, password: `wrong ${time}` })
  const wrong = { oldPassword: 'wrong', newPassword: 'a brand new secret phrase' }
  await auth.call('PUT', `/api/users/${ada.id}/change-password`, { body: wrong, token, from: '198.51.100.7' })
  await logIn({ email, password: 'wrong again' })

  const { events } = (await auth.call('GET', '/api/auth/security-events', ada)).body

  const own = { address: '198.51.100.7', thisSession: true, count: 1 }
  expect(events).toMatchObject([
    { ...own, kind: 'password_changed' },
    { kind: 'log_in', outcome: expect.not.stringMatching('ok'), address: from, thisSession: false, count: 61 },
    { ...own, kind: 'profile_changed' },
    { ...own, kind: 'log_in', outcome: 'ok' },
  ])
  const [last] = (await recorded({ user: ada.id, address: from })).events
  expect(events[1]).toMatchObject({ at: last!.at, outcome: last!.outcome })
})

test('what names no account is counted by the metrics and not stored', async () => {
  const read = async () => (await recorded({})).events.length
  const before = await read()
  for (const path of ['/api/auth/verify-email', '/api/auth/freeze'])
    for (let time = 0; time < 3; time++)
      expect((await auth.call('POST', path, { body: { token: 'guessed' }, from })).status).toBe(400)
  await logIn({ email: person().email, password: 'wrong' })
  await auth.call('POST', '/api/password-reset/request', { body: { email: person().email }, from })
  expect(await read()).toBe(before)
  const metrics = await (await fetch(`${auth.service.internalUrl}/metrics`)).text()
  expect(metrics).toMatch(/nifty_security_events_total\{kind="account_frozen",outcome="invalid_token"\} \d/)
})

test('equal events of an address within a minute are one row; other addresses, outcomes and minutes are not', async () => {
  const ada = await givenMember(auth)
  const rename = (firstName: string, address = from) =>
    auth.call('PUT', `/api/users/${ada.id}`, { body: { firstName }, token: ada.token, from: address })
  for (let time = 0; time < 30; time++) await rename(`Ada ${time}`)
  await rename('Ada', '192.0.2.78')
  await rename('\u202e')
  const seen = async () => (await recorded({ user: ada.id, kind: 'profile_changed' })).events.map(({ count }) => count)
  expect(await seen()).toEqual([1, 1, 30])

  await auth.db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx)
    await sql`update security_event set id = uuidv7(interval '-2 minutes'), at = at - interval '2 minutes'
      where user_id = ${ada.id} and count = 30`.execute(trx)
  })
  await rename('Ada')
  expect((await seen()).toSorted((a, b) => a - b)).toEqual([1, 1, 1, 30])
})

test('equal events of all IPv6 addresses of a site are one row; those of another site and of IPv4 are not', async () => {
  const ada = await givenMember(auth)
  const rename = (address: string) =>
    auth.call('PUT', `/api/users/${ada.id}`, { body: { firstName: 'Ada' }, token: ada.token, from: address })
  for (let host = 1; host <= 20; host++) await rename(`2001:db8:7:${host}::${host}`)
  for (const address of ['2001:db8:8:1::1', '::ffff:192.0.2.79', '::ffff:192.0.2.80', 'fe80::1%eth0', 'fe80::2%eth0'])
    await rename(address)
  const { events } = await recorded({ user: ada.id, kind: 'profile_changed' })
  expect(events.map(({ address, count }) => [address, count]).reverse()).toEqual([
    ['2001:db8:7:1::1', 20],
    ['2001:db8:8:1::1', 1],
    ['::ffff:192.0.2.79', 1],
    ['::ffff:192.0.2.80', 1],
    ['fe80::1%eth0', 1],
    ['fe80::2%eth0', 1],
  ])
})

test('at most 1,000 refused attempts are counted', async () => {
  const ada = await givenMember(auth)
  await sql`insert into security_event (kind, outcome, user_id, route, address, request_id)
    select 'log_in', 'invalid_credentials', ${ada.id}::uuid, 'POST /api/auth/login', '::1', 'x'
    from generate_series(1, 1001)`.execute(auth.db)

  const { events } = (await auth.call('GET', '/api/auth/security-events', ada)).body

  expect(events.map(({ count }: { count: number }) => count).sort()).toEqual([1, 1000])
})

test('a record cannot be changed or deleted for a year, and is deleted after it', async () => {
  await givenMember(auth)
  await expect(sql`update security_event set kind = 'x'`.execute(auth.db)).rejects.toThrow('append-only')
  await expect(sql`update security_event set count = count - 1`.execute(auth.db)).rejects.toThrow('append-only')
  await expect(sql`update security_event set count = count + 1, kind = 'x'`.execute(auth.db)).rejects.toThrow(
    'append-only',
  )
  await expect(sql`delete from security_event`.execute(auth.db)).rejects.toThrow('append-only')
  await expect(sql`truncate security_event`.execute(auth.db)).rejects.toThrow('append-only')
  await sql`insert into security_event (at, kind, outcome, route, address, request_id)
    values (now() - interval '366 days', 'old', 'ok', 'GET /', '::1', 'x')`.execute(auth.db)

  await deleteOldSecurityEvents(auth.db)

  expect((await recorded({ kind: 'old' })).events).toEqual([])
  expect((await recorded({})).events.length).toBeGreaterThan(0)
})

test('events are counted by kind and outcome', async () => {
  await logIn({ email: (await givenMember(auth)).email, password: 'wrong' })
  const metrics = await (await fetch(`${auth.service.internalUrl}/metrics`)).text()
  expect(metrics).toMatch(/nifty_security_events_total\{kind="log_in",outcome="invalid_credentials"\} \d/)
})
