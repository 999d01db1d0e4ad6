import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { givenMember, type Member, prolongDelays, publishedEvents, startTestAuth } from '../testing/auth.ts'
import { codeOf, givenSecondFactor, letStepsPass } from '../testing/second-factor.ts'

const auth = await startTestAuth({}, afterAll)

const logIn = ({ email, password }: Member) => auth.call('POST', '/api/auth/login', { body: { email, password } })
const enter = (challenge: string, code: string, from?: string) =>
  auth.call('POST', '/api/auth/login/second-factor', { body: { challenge, code }, from })
const isSession = async (token: string) => (await auth.call('GET', '/api/auth/user', { token })).status === 200
const wrongCode = { status: 400, body: { code: 'wrong_code' } }
const invalidChallenge = { status: 400, body: { code: 'invalid_challenge' } }

async function given() {
  const member = await givenMember(auth)
  return { member, ...(await givenSecondFactor(auth, member)) }
}

test('a log-in with a second factor answers a challenge, and a session for challenge and code', async () => {
  const { member, secret } = await given()

  const { status, body } = await logIn(member)
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      success: false,
      code: 'second_factor_required',
      message: 'Please enter a code of your second factor.',
      challenge: expect.any(String),
    },
  })
  expect(await isSession(body.challenge)).toBe(false)

  const done = await enter(body.challenge, codeOf(secret))
  expect(done).toMatchObject({ status: 200, body: { success: true, userId: member.id, username: member.username } })
  expect(await isSession(done.body.token)).toBe(true)
})

test('the lock screen asks for the second factor too', async () => {
  const { member, secret } = await given()
  const body = { userId: member.id, password: member.password }
  const locked = await auth.call('POST', '/api/auth/lockscreen-login', { body })
  expect(locked.body).toMatchObject({ success: false, code: 'second_factor_required' })
  expect((await enter(locked.body.challenge, codeOf(secret))).status).toBe(200)
})

test('the step-up token of such a log-in counts', async () => {
  const { member, secret } = await given()
  const { body } = await enter((await logIn(member)).body.challenge, codeOf(secret))
  expect((await auth.call('DELETE', '/api/auth/second-factor', body)).status).toBe(200)
})

test('a wrong password gets no challenge', async () => {
  const { member } = await given()
  expect(await logIn({ ...member, password: 'not the password' })).toMatchObject({ status: 401 })
})

test('a code counts once, and no older one after it', async () => {
  const { member, secret } = await given()
  const code = codeOf(secret)
  expect((await enter((await logIn(member)).body.challenge, code)).status).toBe(200)
  expect(await enter((await logIn(member)).body.challenge, code)).toMatchObject(wrongCode)
})

test('of concurrent requests with one code and two challenges one succeeds', async () => {
  const { member, secret } = await given()
  const challenges = [(await logIn(member)).body.challenge, (await logIn(member)).body.challenge]
  const code = codeOf(secret)
  const answers = await Promise.all(challenges.map((challenge) => enter(challenge, code)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
})

test('a recovery code counts once, however it is typed', async () => {
  const { member, recoveryCodes } = await given()
  const [code = ''] = recoveryCodes
  const typed = ` ${code.toUpperCase().replaceAll('-', ' ')} `
  expect((await enter((await logIn(member)).body.challenge, typed)).status).toBe(200)
  expect(await enter((await logIn(member)).body.challenge, code)).toMatchObject(wrongCode)
})

test('a challenge counts once, for five minutes, and for its account', async () => {
  const [{ member, secret }, other] = [await given(), await given()]
  const { challenge } = (await logIn(member)).body
  expect(await enter('x', codeOf(secret))).toMatchObject(invalidChallenge)
  expect(await enter(challenge, codeOf(other.secret))).toMatchObject(wrongCode)
  expect((await enter(challenge, codeOf(secret))).status).toBe(200)
  await letStepsPass(auth, member.id)
  expect(await enter(challenge, codeOf(secret))).toMatchObject(invalidChallenge)

  const late = (await logIn(member)).body.challenge
  await auth.db
    .updateTable('loginChallenge')
    .set({ expiresAt: new Date(0) })
    .execute()
  expect(await enter(late, codeOf(secret))).toMatchObject(invalidChallenge)
})

test('a challenge ends with the password that it was answered for', async () => {
  const { member, secret } = await given()
  const { challenge } = (await logIn(member)).body
  const body = { oldPassword: member.password, newPassword: 'a brand new secret phrase' }
  await auth.call('PUT', `/api/users/${member.id}/change-password`, { body, ...member })
  expect(await enter(challenge, codeOf(secret))).toMatchObject(invalidChallenge)
})

test('a challenge of an account that was frozen since opens no session', async () => {
  const { member, secret } = await given()
  const { challenge } = (await logIn(member)).body
  const frozen = { frozenAt: new Date(), frozenEmail: member.email, frozenLinkAt: new Date() }
  await auth.db.updateTable('account').set(frozen).where('id', '=', member.id).execute()
  expect(await enter(challenge, codeOf(secret))).toMatchObject(invalidChallenge)
})

test('wrong codes are delayed after five, for log-in and step-up together, and a known network counts apart', async () => {
  const { member, secret, recoveryCodes } = await given()
  const { challenge } = (await logIn(member)).body
  const { token, password } = member
  for (let time = 0; time < 4; time++) expect(await enter(challenge, '000000')).toMatchObject(wrongCode)
  const proof = { passwordAndCode: { password, code: '000000' } }
  expect(await auth.call('POST', '/api/auth/step-up', { body: proof, token })).toMatchObject(wrongCode)
  await prolongDelays(auth.db)

  expect((await enter(challenge, codeOf(secret))).status).toBe(429)
  expect((await enter(challenge, recoveryCodes[0]!, '192.0.2.1')).status).toBe(429)
  expect((await enter(challenge, codeOf(secret), '198.51.100.7')).status).toBe(200)
})

test('a recovery code of another account is refused and stays unused', async () => {
  const [ada, eve] = [await given(), await given()]
  const [code] = eve.recoveryCodes
  expect(await enter((await logIn(ada.member)).body.challenge, code!)).toMatchObject(wrongCode)
  expect((await enter((await logIn(eve.member)).body.challenge, code!)).status).toBe(200)
})

test('the log-ins of an account with a second factor are security events', async () => {
  const { member, secret } = await given()
  await enter((await logIn(member)).body.challenge, '000000')
  const { body } = await enter((await logIn(member)).body.challenge, codeOf(secret))

  const { events } = (await auth.call('GET', '/api/auth/security-events', body)).body
  const seen = events.map(({ kind, outcome }: Record<string, string>) => `${kind} ${outcome}`)
  expect(seen.slice(0, 4)).toEqual([
    'log_in ok',
    'log_in wrong_code',
    'second_factor_required ok',
    'second_factor_on ok',
  ])
})

test.each([
  ['no code', { challenge: 'x' }],
  ['a number', { challenge: 'x', code: 123456 }],
  ['a long code', { challenge: 'x', code: '1'.repeat(65) }],
  ['nothing', {}],
])('%s is a 400', async (_, body) => {
  expect((await auth.call('POST', '/api/auth/login/second-factor', { body })).status).toBe(400)
})

test('wrong codes after the right password are mailed to the owner, once a day', async () => {
  const { member, secret } = await given()
  const warnings = () => publishedEvents(auth.db, 'security-warning-requested', member.id)
  const { challenge } = (await logIn(member)).body
  await enter(challenge, codeOf(secret))
  expect(await warnings()).toEqual([])

  const from = '192.0.2.31'
  for (let time = 0; time < 4; time++) await enter((await logIn(member)).body.challenge, '000000', from)
  expect(await warnings()).toMatchObject([{ what: 'wrong_code', email: member.email }])

  await sql`update quota_use set at = at - interval '25 hours' where account_id = ${member.id}`.execute(auth.db)
  const stepUp = { passwordAndCode: { password: member.password, code: '000001' } }
  await auth.call('POST', '/api/auth/step-up', { body: stepUp, token: member.token })
  expect(await warnings()).toHaveLength(2)
})

test.each(['٠١٢٣٤٥', '１２３４５６', 'ééééé0', '12345\u{1f600}', '0x1234', '12 345'])(
  'the code %j is wrong, at log-in, step-up and set-up',
  async (code) => {
    const { member } = await given()
    expect(await enter((await logIn(member)).body.challenge, code)).toMatchObject(wrongCode)
    const stepUp = { passwordAndCode: { password: member.password, code } }
    expect(await auth.call('POST', '/api/auth/step-up', { body: stepUp, token: member.token })).toMatchObject(wrongCode)
    const other = await givenMember(auth)
    await auth.call('POST', '/api/auth/second-factor', other)
    expect(await auth.call('POST', '/api/auth/second-factor/confirm', { ...other, body: { code } })).toMatchObject(
      wrongCode,
    )
  },
)
