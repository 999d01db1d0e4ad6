import { suspendAccount } from '@nifty/api/auth/ops'
import { sha256 } from '@nifty/service-kit/base/secrets'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { givenMember, type Member, mailedToken, person, publishedEvents, startTestAuth } from '../testing/auth.ts'

const auth = await startTestAuth({}, afterAll)
const fresh = 'a brand new secret phrase'
const sent = { message: 'If an account exists for this email, a reset link has been sent.' }
const invalid = { success: false, message: 'This reset link is invalid or has expired.' }

const request = (email: unknown, from?: string) =>
  auth.call('POST', '/api/password-reset/request', { body: { email }, from })
const reset = (token: string, newPassword = fresh) =>
  auth.call('POST', '/api/password-reset/reset', { body: { token, newPassword } })
const logIn = ({ email }: Member, password: string) =>
  auth.call('POST', '/api/auth/login', { body: { email, password } })
const mails = (member: Member) => publishedEvents(auth.db, 'password-reset-requested', member.id)

async function requestLink(member: Member, from?: string) {
  const before = (await mails(member)).length
  await request(member.email.toUpperCase(), from)
  await vi.waitUntil(async () => (await mails(member)).length > before, 30_000)
  return mailedToken(auth.db, 'password-reset-requested', member.email)
}

/** Resolves when every queued request is processed. */
const untilQueueIsEmpty = () =>
  vi.waitUntil(async () => {
    const waiting = await auth.db.selectFrom('passwordResetRequest').select('id').execute()
    return waiting.length === 0
  }, 30_000)

test('a reset by mail sets a new password, ends all sessions without opening one, and notifies the owner', async () => {
  const ada = await givenMember(auth)
  const token = await requestLink(ada)

  const { status, body } = await reset(token)

  expect(status).toBe(200)
  expect(Object.keys(body)).toEqual(['message'])
  expect((await auth.call('GET', '/api/auth/user', { token: ada.token })).status).toBe(401)
  expect((await logIn(ada, ada.password)).status).toBe(401)
  expect((await logIn(ada, fresh)).body.success).toBe(true)
  expect(await publishedEvents(auth.db, 'security-notice-requested', ada.id)).toMatchObject([
    { what: 'password_changed' },
    { what: 'new_device' },
  ])
  expect(await publishedEvents(auth.db, 'password-reset', ada.id)).toMatchObject([{ userId: ada.id }])
})

test('an unknown address gets the same response as a known one, and no mail', async () => {
  const stranger = person()
  const [known, unknown] = [await request((await givenMember(auth)).email), await request(stranger.email)]
  expect([known.body, unknown.body]).toEqual([sent, sent])
  await untilQueueIsEmpty()
  expect(await publishedEvents(auth.db, 'password-reset-requested')).not.toContainEqual(
    expect.objectContaining({ email: stranger.email }),
  )
})

test('an unknown address, a suspended account and a fourth request cause the event of a known address, for no recipient', async () => {
  const auth = await startTestAuth()
  const [ada, ben] = [await givenMember(auth), await givenMember(auth)]
  await auth.internal(suspendAccount, { body: { email: ben.email, reason: 'spam' } })

  for (const email of [person().email, ben.email, ada.email, ada.email, ada.email, ada.email])
    await auth.call('POST', '/api/password-reset/request', { body: { email } })

  await vi.waitUntil(async () => (await publishedEvents(auth.db, 'password-reset-requested')).length === 6, 30_000)
  const events = await publishedEvents(auth.db, 'password-reset-requested')
  expect(events.map(({ email }) => email)).toEqual(['', '', ada.email, ada.email, ada.email, ''])
  const links = await auth.db.selectFrom('passwordReset').select('accountId').execute()
  expect(links).toEqual(Array(3).fill({ accountId: ada.id }))
})

test.each([[['a@b.cd']], [{ $gt: '' }], ['a@b.cd,e@f.gh'], ['nonsense'], [''], [undefined]])(
  '%j is refused as an address',
  async (email) => {
    expect((await request(email)).status).toBe(400)
  },
)

test('the fourth request within an hour gets the same response, and no mail', async () => {
  const ada = await givenMember(auth)
  for (let time = 0; time < 5; time++) expect((await request(ada.email)).body).toEqual(sent)
  await untilQueueIsEmpty()
  expect(await mails(ada)).toHaveLength(3)

  await sql`update quota_use set at = now() - interval '61 minutes' where account_id = ${ada.id}`.execute(auth.db)
  await request(ada.email)
  await untilQueueIsEmpty()
  expect(await mails(ada)).toHaveLength(4)
})

test('a suspended account gets no reset link', async () => {
  const ada = await givenMember(auth)
  await auth.internal(suspendAccount, { body: { email: ada.email, reason: 'spam' } })
  await request(ada.email)
  await untilQueueIsEmpty()
  expect(await mails(ada)).toHaveLength(0)
})

test('a link works once and ends with the reset, a newer one keeps it, and only its hash is stored', async () => {
  const ada = await givenMember(auth)
  const [older, newer] = [await requestLink(ada), await requestLink(ada)]
  for (const table of ['passwordReset', 'outbox'] as const)
    expect(JSON.stringify(await auth.db.selectFrom(table).selectAll().execute())).not.toContain(newer.slice(0, 43))
  expect(Buffer.from(newer.slice(0, 43), 'base64url')).toHaveLength(32)

  expect(await reset(older, 'short')).toMatchObject({ body: { code: 'weak_password' } })
  expect((await reset(older)).status).toBe(200)
  expect(await reset(older, 'yet another secret')).toMatchObject({ status: 400, body: invalid })
  expect(await reset(newer, 'yet another secret')).toMatchObject({ status: 400, body: invalid })
  expect(await reset('guessed')).toMatchObject({ status: 400, body: invalid })
})

test('a link lives for an hour from the sending of its mail, at the latest twelve hours after its request', async () => {
  const ada = await givenMember(auth)
  await requestLink(ada)
  const sentAgo = (minutes: number) =>
    mailedToken(auth.db, 'password-reset-requested', ada.email, new Date(Date.now() - minutes * 60_000))
  const [mail] = await mails(ada)
  expect(Date.parse(mail!.sendBefore) - Date.parse(mail!.at)).toBeCloseTo(12 * 3_600_000, -4)

  expect(await reset(await sentAgo(61))).toMatchObject({ status: 400, body: invalid })
  const postponed = (await sentAgo(0)).replace(/[0-9a-f]{8}([\w-]{22})$/, 'ffffffff$1')
  expect(await reset(postponed)).toMatchObject({ status: 400, body: invalid })
  await sql`update password_reset set created_at = created_at - interval '11 hours',
    expires_at = expires_at - interval '11 hours' where account_id = ${ada.id}`.execute(auth.db)
  expect(await reset((await sentAgo(0)).slice(0, 43))).toMatchObject({ status: 400, body: invalid })
  expect((await reset(await sentAgo(59))).status).toBe(200)
})

test('a link that a former release mailed, without the time of its sending, lives for an hour from its request', async () => {
  const ada = await givenMember(auth)
  const [late, inTime] = [await requestLink(ada), await requestLink(ada)].map((token) => token.slice(0, 43))
  const age = (token: string, minutes: number) =>
    auth.db
      .updateTable('passwordReset')
      .set({ createdAt: sql`now() - make_interval(mins => ${minutes})` })
      .where('tokenHash', '=', sha256(token))
      .execute()
  await age(late!, 61)
  expect((await reset(late!)).body).toMatchObject(invalid)
  await age(inTime!, 59)
  expect((await reset(inTime!)).status).toBe(200)
  expect((await logIn(ada, fresh)).body.success).toBe(true)
})

test('strangers who request resets use up neither the mails nor the links of the owner', async () => {
  const ada = await givenMember(auth)
  const [stranger, others] = ['192.0.2.1', ['192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5', '2001:db8:5:1::1']]
  const sameHome = ['2001:db8:5:2::1', '2001:db8:5:3::1']
  for (let time = 0; time < 5; time++) await request(ada.email, stranger)
  await untilQueueIsEmpty()
  expect(await mails(ada)).toHaveLength(3)

  const own = await requestLink(ada, '203.0.113.9')
  for (const from of [stranger, ...others, ...sameHome, ...others]) await request(ada.email, from)
  await untilQueueIsEmpty()
  expect(await mails(ada)).toHaveLength(3 + 1 + others.length)
  expect((await reset(own)).status).toBe(200)
})

test('beyond thirty mails an hour only networks from which the account logged in get another', async () => {
  const ada = await givenMember(auth)
  await sql`insert into quota_use (account_id, action, origin_key)
    select ${ada.id}::uuid, 'reset_mail', number::text from generate_series(1, 30) as number`.execute(auth.db)
  await request(ada.email, '192.0.2.9')
  await untilQueueIsEmpty()
  expect(await mails(ada)).toEqual([])
  const home = '198.51.100.7'
  for (let time = 0; time < 4; time++) await request(ada.email, home)
  await untilQueueIsEmpty()
  expect(await mails(ada)).toHaveLength(3)
})

test('a weak password is refused and the link stays valid', async () => {
  const ada = await givenMember(auth)
  const token = await requestLink(ada)
  expect(await reset(token, 'short')).toMatchObject({ status: 400, body: { code: 'weak_password' } })
  expect((await reset(token, ada.email)).status).toBe(400)
  expect((await reset(token)).status).toBe(200)
})

test('of twenty concurrent resets with one link, one sets the password', async () => {
  const ada = await givenMember(auth)
  const token = await requestLink(ada)

  const passwords = Array.from({ length: 20 }, (_, index) => `secret phrase number ${index}`)
  const answers = await Promise.all(passwords.map((password) => reset(token, password)))

  const winners = passwords.filter((_, index) => answers[index]!.status === 200)
  expect(winners).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(19)
  expect((await logIn(ada, winners[0]!)).status).toBe(200)
})

test('a changed password revokes the link; a reset confirms the address and clears the delay of failed log-ins', async () => {
  const ada = await givenMember(auth)
  const revoked = await requestLink(ada)
  const body = { oldPassword: ada.password, newPassword: 'secret phrase in between' }
  await auth.call('PUT', `/api/users/${ada.id}/change-password`, { body, token: ada.token })
  expect((await reset(revoked)).status).toBe(400)

  for (let time = 0; time < 6; time++) await logIn(ada, 'wrong')
  expect((await reset(await requestLink(ada))).status).toBe(200)
  const { body: signedIn } = await logIn(ada, fresh)
  const { body: me } = await auth.call('GET', '/api/auth/user', { token: signedIn.token })
  expect(me.user.emailConfirmed).toBe(true)
})
