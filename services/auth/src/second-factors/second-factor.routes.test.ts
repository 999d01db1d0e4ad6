import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import {
  confirmAddress,
  expireFreezeLinks,
  givenMember,
  type Member,
  mailedToken,
  publishedEvents,
  startTestAuth,
} from '../testing/auth.ts'
import { codeOf, givenSecondFactor, letStepsPass } from '../testing/second-factor.ts'

const auth = await startTestAuth({}, afterAll)

const path = '/api/auth/second-factor'
const start = ({ token, stepUp }: Member) => auth.call('POST', path, { token, stepUp })
const confirm = ({ token, stepUp }: Member, code: string) =>
  auth.call('POST', `${path}/confirm`, { body: { code }, token, stepUp })
const remove = ({ token, stepUp }: Member) => auth.call('DELETE', path, { token, stepUp })
const newCodes = ({ token, stepUp }: Member) => auth.call('POST', `${path}/recovery-codes`, { token, stepUp })
const state = async ({ token }: Member) => (await auth.call('GET', path, { token })).body
const stepUpBy = ({ token }: Member, body: object) => auth.call('POST', '/api/auth/step-up', { body, token })
const notices = async ({ id }: Member) =>
  (await publishedEvents(auth.db, 'security-notice-requested', id)).map(({ what }) => what)
const wrongCode = { status: 400, body: { code: 'wrong_code' } }
const off = { onSince: null, recoveryCodesLeft: 0 }

test('a second factor is on once a code of the app was confirmed; the owner gets a mail', async () => {
  const ada = await givenMember(auth)
  expect(await state(ada)).toEqual(off)

  const { secret, uri } = (await start(ada)).body
  expect(uri).toContain(`otpauth://totp/Nifty:${encodeURIComponent(ada.username)}?`)
  expect(await confirm(ada, '000000')).toMatchObject(wrongCode)
  expect(await state(ada)).toEqual(off)
  expect((await auth.call('POST', '/api/auth/login', { body: ada })).body.success).toBe(true)

  const { body } = await confirm(ada, codeOf(secret))

  expect(new Set(body.recoveryCodes).size).toBe(10)
  for (const code of body.recoveryCodes) expect(code).toMatch(/^([a-z2-9]{6}-){3}[a-z2-9]{6}$/)
  expect(await state(ada)).toEqual({ onSince: expect.any(String), recoveryCodesLeft: 10 })
  // The log-in came from another network than the sign-up.
  expect(await notices(ada)).toEqual(['new_device', 'second_factor_on'])
  const conflict = { status: 409, body: { code: 'second_factor_on' } }
  expect(await start(ada)).toMatchObject(conflict)
  expect(await confirm(ada, codeOf(secret))).toMatchObject(conflict)
})

test('the last secret that was started counts', async () => {
  const ada = await givenMember(auth)
  const { secret: first } = (await start(ada)).body
  const { secret: second } = (await start(ada)).body
  expect(await confirm(ada, codeOf(first))).toMatchObject(wrongCode)
  expect((await confirm(ada, codeOf(second))).status).toBe(200)
})

test.each([
  ['its start', 'POST', ''],
  ['its confirmation', 'POST', '/confirm'],
  ['new recovery codes', 'POST', '/recovery-codes'],
  ['its removal', 'DELETE', ''],
] as const)('%s needs a step-up', async (_, method, rest) => {
  const ada = await givenMember(auth)
  await givenSecondFactor(auth, ada)
  const { token } = ada
  const sent = rest === '/confirm' ? { body: { code: '123456' }, token } : { token }
  const refused = { status: 403, body: { code: 'step_up_required' } }
  expect(await auth.call(method, path + rest, sent)).toMatchObject(refused)
  expect((await state(ada)).recoveryCodesLeft).toBe(10)
})

test('without a second factor nothing is confirmed, replaced or removed', async () => {
  const ada = await givenMember(auth)
  const none = { status: 409, body: { code: 'no_second_factor' } }
  expect(await confirm(ada, '123456')).toMatchObject(none)
  expect(await newCodes(ada)).toMatchObject(none)
  expect(await remove(ada)).toMatchObject(none)
  await start(ada)
  expect(await newCodes(ada)).toMatchObject(none)
  expect(await remove(ada)).toMatchObject(none)
  expect(await stepUpBy(ada, { passwordAndCode: { password: ada.password, code: '123456' } })).toMatchObject(none)
  expect(await notices(ada)).toEqual([])
})

test('the database has neither the secret nor the recovery codes', async () => {
  const ada = await givenMember(auth)
  const { secret, recoveryCodes } = await givenSecondFactor(auth, ada)
  const { rows } = await sql`select totp.*, recovery_code.* from totp join recovery_code using (account_id)`.execute(
    auth.db,
  )
  const stored = JSON.stringify(rows)
  for (const text of [secret, ...recoveryCodes]) {
    expect(stored).not.toContain(text)
    expect(stored).not.toContain(text.replaceAll('-', ''))
  }
})

test('removing it needs a code, ends the recovery codes, and is mailed', async () => {
  const ada = await givenMember(auth)
  const { secret } = await givenSecondFactor(auth, ada)
  const required = { status: 409, body: { code: 'second_factor_required' } }
  expect(await stepUpBy(ada, { password: ada.password })).toMatchObject(required)
  const { body } = await stepUpBy(ada, { passwordAndCode: { password: ada.password, code: codeOf(secret) } })

  expect((await remove({ ...ada, stepUp: body.stepUp })).status).toBe(200)

  expect(await state(ada)).toEqual(off)
  expect(await notices(ada)).toEqual(['second_factor_on', 'second_factor_off'])
  expect((await auth.call('POST', '/api/auth/login', { body: ada })).body.success).toBe(true)
})

test('new recovery codes end the former ones, and are mailed', async () => {
  const ada = await givenMember(auth)
  const { recoveryCodes } = await givenSecondFactor(auth, ada)
  const { body } = await newCodes(ada)
  expect(body.recoveryCodes).toHaveLength(10)
  const stepUp = (code: string) => stepUpBy(ada, { passwordAndCode: { password: ada.password, code } })
  expect(await stepUp(recoveryCodes[0]!)).toMatchObject(wrongCode)
  expect((await stepUp(body.recoveryCodes[0])).status).toBe(200)
  expect(await notices(ada)).toEqual(['second_factor_on', 'recovery_codes_replaced'])
})

test('the method of step-up of an account with a second factor is password and code together', async () => {
  const ada = await givenMember(auth)
  const methods = async () => (await auth.call('GET', '/api/auth/step-up', { token: ada.token })).body.methods
  expect(await methods()).toEqual(['password'])
  const { secret } = await givenSecondFactor(auth, ada)
  expect(await methods()).toEqual(['passwordAndCode'])

  const wrong = { password: 'wrong', code: codeOf(secret) }
  expect(await stepUpBy(ada, { passwordAndCode: wrong })).toMatchObject({ body: { code: 'wrong_password' } })
  const right = { password: ada.password, code: codeOf(secret) }
  expect((await stepUpBy(ada, { passwordAndCode: right })).status).toBe(200)
  expect(await stepUpBy(ada, { passwordAndCode: right })).toMatchObject(wrongCode)
})

test('a changed password needs a step-up where there is a second factor, which stays', async () => {
  const ada = await givenMember(auth)
  const { secret } = await givenSecondFactor(auth, ada)
  const body = { oldPassword: ada.password, newPassword: 'a brand new secret phrase' }
  const change = (stepUp?: string) =>
    auth.call('PUT', `/api/users/${ada.id}/change-password`, { body, token: ada.token, stepUp })
  expect(await change()).toMatchObject({ status: 403, body: { code: 'step_up_required' } })

  const proof = { passwordAndCode: { password: ada.password, code: codeOf(secret) } }
  expect((await change((await stepUpBy(ada, proof)).body.stepUp)).status).toBe(200)

  await letStepsPass(auth, ada.id)
  const login = { body: { email: ada.email, password: body.newPassword } }
  expect((await auth.call('POST', '/api/auth/login', login)).body.success).toBe(false)
})

async function resetByMail({ email }: Member) {
  await auth.call('POST', '/api/password-reset/request', { body: { email } })
  const token = await mailedToken(auth.db, 'password-reset-requested', email)
  const body = { token, newPassword: 'a brand new secret phrase' }
  expect((await auth.call('POST', '/api/password-reset/reset', { body })).status).toBe(200)
}

test('an unfrozen account has no second factor of the time after the first mail of 72 hours, and keeps an older one', async () => {
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  const frozen = (member: Member, linkAt: string) =>
    sql`
    update account set frozen_at = now(), frozen_email = email, frozen_link_at = now() + ${linkAt}::interval
    where id = ${member.id}`.execute(auth.db)
  for (const member of [ada, eve]) {
    await confirmAddress(auth, member)
    await givenSecondFactor(auth, member)
  }
  await sql`delete from freeze_link where account_id = ${eve.id}`.execute(auth.db)
  await frozen(ada, '-1 hour')
  await frozen(eve, '1 hour')
  for (const member of [ada, eve]) await resetByMail(member)

  const left = await sql<{ accountId: string }>`
    select account_id from totp where account_id in (${ada.id}, ${eve.id})`.execute(auth.db)
  expect(left.rows).toEqual([{ accountId: eve.id }])
  const codes = await sql`select from recovery_code where account_id = ${ada.id}`.execute(auth.db)
  expect(codes.rows).toEqual([])
})

test('deleting an account deletes its second factor', async () => {
  const ada = await givenMember(auth)
  await givenSecondFactor(auth, ada)
  await auth.call('POST', '/api/auth/login', { body: ada })
  await expireFreezeLinks(auth)
  expect((await auth.call('DELETE', `/api/users/${ada.id}`, ada)).status).toBe(200)
  const { rows } = await sql`
    select from totp where account_id = ${ada.id} union all select from recovery_code where account_id = ${ada.id}
    union all select from login_challenge where account_id = ${ada.id}`.execute(auth.db)
  expect(rows).toEqual([])
})
