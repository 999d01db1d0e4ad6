import { announceExport } from '@nifty/api/auth/internal'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { givenMember, type Member, publishedEvents, startTestAuth } from '../testing/auth.ts'
import { givenSecondFactor } from '../testing/second-factor.ts'

const auth = await startTestAuth({}, afterAll)
type Found = { kind: string; data: Record<string, any> }
const path = '/api/auth/export'

async function readAll({ token, stepUp }: Member) {
  const records: Found[] = []
  const pages: number[] = []
  for (let next: string | null = ''; next !== null; ) {
    const { status, body } = await auth.call('GET', next ? `${path}?after=${encodeURIComponent(next)}` : path, {
      token,
      stepUp,
    })
    expect(status).toBe(200)
    records.push(...body.records)
    pages.push(body.records.length)
    next = body.next
  }
  return { records, pages }
}
const of = (records: Found[], kind: string) => records.filter((record) => record.kind === kind).map(({ data }) => data)

test('an account exports its profile, sessions, second factor and security events, and those of no other', async () => {
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  await givenSecondFactor(auth, ada)
  const { records } = await readAll(ada)

  expect(of(records, 'account')).toMatchObject([{ email: ada.email, username: ada.username, firstName: 'Ada' }])
  expect(of(records, 'session')).toMatchObject([{ network: '198.51.100.0/24', endedAt: null }])
  expect(of(records, 'second_factor')).toMatchObject([{ recoveryCodesLeft: 10 }])
  expect(of(records, 'security_event').map(({ kind }) => kind)).toContain('second_factor_on')
  expect(JSON.stringify(records)).not.toContain(eve.email)
  const { records: others } = await readAll(eve)
  expect(JSON.stringify(others)).not.toContain(ada.email)
  expect(of(others, 'second_factor')).toEqual([])
})

test('the export has no password, token, code or secret, and no hash of one', async () => {
  const ada = await givenMember(auth)
  const { secret, recoveryCodes } = await givenSecondFactor(auth, ada)
  await auth.call('POST', '/api/password-reset/request', { body: { email: ada.email } })
  const text = JSON.stringify((await readAll(ada)).records)

  const { rows } = await sql<{ hidden: string }>`
    select password_hash as hidden from account where id = ${ada.id}
    union all select secret from totp where account_id = ${ada.id}
    union all select code_hash from recovery_code where account_id = ${ada.id}
    union all select origin_key from known_origin where account_id = ${ada.id}
    union all select token_hash from freeze_link where account_id = ${ada.id}
    union all select token_hash from email_confirmation where account_id = ${ada.id}
    union all select id::text from session where account_id = ${ada.id}`.execute(auth.db)
  expect(rows.length).toBeGreaterThan(14)
  const { hidden } = rows.find(({ hidden }) => hidden.startsWith('$argon2'))!
  expect(hidden).toBeTruthy()
  const all = [...rows.map((row) => row.hidden), secret, ...recoveryCodes, ada.password, ada.token, ada.stepUp]
  for (const each of all) expect(text).not.toContain(each)
  expect(text).not.toMatch(/"(?:\w*(?:[Hh]ash|[Tt]oken|[Ss]ecret|[Pp]assword)\w*)":/)
})

test('a large account is exported in pages, each record once', async () => {
  const ada = await givenMember(auth)
  await sql`
    insert into security_event (kind, outcome, user_id, route, address, request_id)
    select 'log_in', 'ok', ${ada.id}, 'POST /api/auth/login', '203.0.113.' || number, number::text
    from generate_series(1, 1200) as number`.execute(auth.db)

  const { records, pages } = await readAll(ada)

  expect(pages.slice(0, 2)).toEqual([500, 500])
  expect(Math.max(...pages)).toBe(500)
  const events = of(records, 'security_event').filter(({ address }) => address.startsWith('203.0.113.'))
  expect(new Set(events.map(({ address }) => address)).size).toBeGreaterThanOrEqual(1200)
})

test('an export is a security event', async () => {
  const ada = await givenMember(auth)
  await readAll(ada)
  const { events } = (await auth.call('GET', '/api/auth/security-events', ada)).body
  expect(events[0]).toMatchObject({ kind: 'data_exported', outcome: 'ok' })
})

test.each(['nothing', 'nothing:1', "account:' or true --", ':', '%00'])('the page %j is a 400', async (after) => {
  const ada = await givenMember(auth)
  const url = `${path}?after=${after === '%00' ? after : encodeURIComponent(after)}`
  const answer = await auth.call('GET', url, ada)
  expect(answer.status).toBe(400)
})

test('without a token an export is a 401, and history and export are not read with a bearer token alone', async () => {
  expect((await auth.call('GET', path)).status).toBe(401)
  const { token } = await givenMember(auth)
  for (const url of [path, '/api/auth/security-events'])
    expect(await auth.call('GET', url, { token })).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
})

test('exports of a day, of any service, are mailed to the owner once, with a link that freezes the account', async () => {
  const ada = await givenMember(auth)
  await auth.internal(announceExport, { params: { id: ada.id } })
  await readAll(ada)
  const warnings = await publishedEvents(auth.db, 'security-warning-requested', ada.id)
  expect(warnings).toMatchObject([{ what: 'data_exported', email: ada.email, freezeToken: expect.any(String) }])
})
