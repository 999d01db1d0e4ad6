import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import {
  confirmAddress,
  givenMember,
  type Member,
  mailedToken,
  person,
  publishedEvents,
  startTestAuth,
} from '../testing/auth.ts'

const auth = await startTestAuth({}, afterAll)
const confirmation = (email: string) => mailedToken(auth.db, 'email-confirmation-requested', email)
const verify = (token: string) => auth.call('POST', '/api/auth/verify-email', { body: { token } })
const change = ({ id, token, stepUp }: Member, email: string) =>
  auth.call('PUT', `/api/users/${id}`, { body: { email }, token, stepUp })
const logIn = (email: string, { password }: Member) =>
  auth.call('POST', '/api/auth/login', { body: { email, password } })
const me = async ({ token }: Member) => (await auth.call('GET', '/api/auth/user', { token })).body.user
const notices = (member: Member) => publishedEvents(auth.db, 'security-notice-requested', member.id)

test('the link of the first mail confirms the address; following it again succeeds, another token is refused', async () => {
  const ada = await givenMember(auth)
  expect((await me(ada)).emailConfirmed).toBe(false)
  const token = await confirmation(ada.email)

  expect((await verify(token)).body).toMatchObject({ success: true })
  expect((await verify(token)).status).toBe(200)

  expect((await me(ada)).emailConfirmed).toBe(true)
  expect(await verify(`${token}x`)).toMatchObject({
    status: 400,
    body: { message: 'This confirmation link is invalid or has expired.' },
  })
  expect((await auth.call('POST', '/api/auth/verify-email', { body: { token: ['x'] } })).status).toBe(400)
})

test('the confirmation mail can be requested three times an hour; only its newest link is valid', async () => {
  const ada = await givenMember(auth)
  const first = await confirmation(ada.email)
  const resend = () => auth.call('POST', '/api/auth/resend-confirmation', { token: ada.token })

  expect((await resend()).status).toBe(200)
  const second = await confirmation(ada.email)
  expect((await verify(first)).status).toBe(400)
  await resend()
  await resend()
  expect(await resend()).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })

  expect((await verify(second)).status).toBe(400)
  expect((await verify(await confirmation(ada.email))).status).toBe(200)
  expect((await resend()).status).toBe(200)
  expect(await publishedEvents(auth.db, 'email-confirmation-requested', ada.id)).toHaveLength(4)
})

test('an expired link is refused', async () => {
  const ada = await givenMember(auth)
  const token = await confirmation(ada.email)
  await sql`update email_confirmation set expires_at = now() where account_id = ${ada.id}`.execute(auth.db)
  expect((await verify(token)).status).toBe(400)
  expect((await me(ada)).emailConfirmed).toBe(false)
})

test('a new address is pending until confirmed by mail, the old one is notified, and the confirmation ends sessions', async () => {
  const ada = await givenMember(auth)
  await confirmAddress(auth, ada)
  const { email } = person()

  expect((await change(ada, email)).body.user).toMatchObject({ email: ada.email, pendingEmail: email })
  expect((await logIn(email, ada)).status).toBe(401)
  expect(await notices(ada)).toMatchObject([
    { what: 'email_change_requested', email: ada.email, to: email, freezeToken: expect.any(String) },
  ])

  const token = await confirmation(email)
  expect((await verify(token)).status).toBe(200)
  expect((await notices(ada)).at(-1)).toMatchObject({ what: 'email_changed', email: ada.email, to: email })
  expect((await auth.call('GET', '/api/auth/user', { token: ada.token })).status).toBe(401)
  expect((await logIn(ada.email, ada)).status).toBe(401)
  expect((await logIn(email, ada)).status).toBe(200)
  expect((await publishedEvents(auth.db, 'account-changed', ada.id)).at(-1)).toMatchObject({ email })
  expect((await verify(token)).status).toBe(200)
})

test('a confirmed new address revokes the reset link that was mailed to the former one', async () => {
  const ada = await givenMember(auth)
  const { email } = person()
  await change(ada, email)
  await auth.call('POST', '/api/password-reset/request', { body: { email: ada.email } })
  const token = await mailedToken(auth.db, 'password-reset-requested', ada.email)
  await verify(await confirmation(email))

  const body = { token, newPassword: 'a brand new secret phrase' }
  expect(await auth.call('POST', '/api/password-reset/reset', { body })).toMatchObject({
    status: 400,
    body: { code: 'invalid_token' },
  })
  expect((await logIn(email, ada)).status).toBe(200)
})

test('changing to the address of another account gets the same response; its owner is notified, and no link is sent', async () => {
  const [ada, grace] = [await givenMember(auth), await givenMember(auth)]

  const { status, body } = await change(ada, grace.email.toUpperCase())

  expect(status).toBe(200)
  const pendingEmail = grace.email.toUpperCase().replace('EXAMPLE.COM', 'example.com')
  expect(body.user).toMatchObject({ email: ada.email, pendingEmail })
  expect(await publishedEvents(auth.db, 'email-confirmation-requested', ada.id)).toHaveLength(1)
  expect(await publishedEvents(auth.db, 'sign-up-repeated', grace.id)).toMatchObject([{ email: grace.email }])
})

test('a pending address that another account has taken meanwhile cannot be confirmed', async () => {
  const ada = await givenMember(auth)
  const { email } = person()
  await change(ada, email)
  const token = await confirmation(email)
  await givenMember(auth, { email })

  expect(await verify(token)).toMatchObject({ status: 400, body: { code: 'email_taken' } })
  expect((await me(ada)).email).toBe(ada.email)
})

test('changing to the present address changes nothing and sends no mail', async () => {
  const ada = await givenMember(auth)
  expect((await change(ada, ada.email.toUpperCase())).body.user).toMatchObject({ email: ada.email, pendingEmail: null })
  expect(await notices(ada)).toEqual([])
})

test('a mail to an address that was never confirmed has no text of who entered it', async () => {
  const [stranger, ada] = [await givenMember(auth), await givenMember(auth)]
  await confirmAddress(auth, ada)
  for (const member of [stranger, ada]) {
    const dictated = `www.claim.example/prize-${member.id.slice(0, 8)}@example.com`
    expect((await change(member, dictated)).status).toBe(200)
    expect((await verify(await confirmation(dictated))).status).toBe(200)

    const to = member === ada ? dictated : null
    expect(await notices(member)).toMatchObject([
      { what: 'email_change_requested', to },
      { what: 'email_changed', to },
    ])
  }
})

test('only the newest pending address can be confirmed, and a new password revokes it', async () => {
  const ada = await givenMember(auth)
  const [one, two] = [person().email, person().email]
  await change(ada, one)
  const first = await confirmation(one)
  await change(ada, two)
  const second = await confirmation(two)
  expect((await verify(first)).status).toBe(400)

  const body = { oldPassword: ada.password, newPassword: 'a brand new secret phrase' }
  await auth.call('PUT', `/api/users/${ada.id}/change-password`, { body, token: ada.token })
  expect((await verify(second)).status).toBe(400)
})

test('the fourth change of address within an hour is a 429', async () => {
  const ada = await givenMember(auth)
  for (let time = 0; time < 3; time++) expect((await change(ada, person().email)).status).toBe(200)
  expect((await change(ada, person().email)).status).toBe(429)
})
