import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { Wallet } from 'ethers'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { givenMember, mailedToken, person, publishedEvents, startTestAuth } from '../testing/auth.ts'
import { givenPasskey } from '../testing/authenticator.ts'
import { givenSecondFactor } from '../testing/second-factor.ts'
import { signUp } from './sign-up.actions.ts'

const registered = { success: true, message: 'Registered successfully. Check your email.' }
const auth = await startTestAuth({}, afterAll)
const message = 'This username is not available'
const unavailable = { success: false, message, errors: [{ msg: message, path: 'username' }] }

test('sign-up creates an account, publishes it, and requests the confirmation mail', async () => {
  const ada = person()

  const answer = await auth.call('POST', '/api/auth/signup', { body: ada })

  expect(answer).toMatchObject({ status: 200, body: registered })
  const account = (await publishedEvents(auth.db, 'account-changed')).find(({ email }) => email === ada.email)
  expect(account).toMatchObject({ username: ada.username, email: ada.email, version: 1, admin: false, wallet: null })
  expect(await publishedEvents(auth.db, 'email-confirmation-requested', account!.userId)).toMatchObject([
    { email: ada.email, purpose: 'sign_up', userId: account!.userId },
  ])
})

test('sign-up ignores fields that would grant rights', async () => {
  const rights = {
    admin: true,
    _id: 'x',
    emailVerified: true,
    metamaskAddress: `0x${'1'.repeat(40)}`,
    suspended: false,
  }
  const ada = { ...person(), ...rights }

  expect(await auth.call('POST', '/api/auth/signup', { body: ada })).toMatchObject({ status: 200, body: registered })

  const rows = auth.db.selectFrom('account').selectAll().where('email', '=', ada.email)
  const row = await rows.executeTakeFirstOrThrow()
  expect(row).toMatchObject({ admin: false, wallet: null, emailConfirmedAt: null })
})

test('an address is one in both spellings of its domain: for sign-up, log-in, a reset and a change, and is shown as people write it', async () => {
  const [ada, grace] = [person(), await givenMember(auth)]
  const name = ada.username.slice(1)
  const [typed, stored] = [`${name}@müller.example`, `${name}@xn--mller-kva.example`]
  await auth.call('POST', '/api/auth/signup', { body: { ...ada, email: typed } })

  const confirmation = await mailedToken(auth.db, 'email-confirmation-requested', stored)
  await auth.call('POST', '/api/auth/verify-email', { body: { token: confirmation } })
  for (const email of [typed, stored, typed.toUpperCase()]) {
    const { status, body } = await auth.call('POST', '/api/auth/login', { body: { email, password: ada.password } })
    expect(status, email).toBe(200)
    const { user } = (await auth.call('GET', '/api/auth/user', { token: body.token })).body
    expect(user).toMatchObject({ email: typed, emailConfirmed: true })
  }
  for (const email of [typed, stored])
    expect((await auth.call('POST', '/api/password-reset/request', { body: { email } })).status).toBe(200)
  await mailedToken(auth.db, 'password-reset-requested', stored)

  const again = person({ email: stored })
  expect((await auth.call('POST', '/api/auth/signup', { body: again })).body).toEqual(registered)
  expect(await auth.db.selectFrom('account').select('id').where('email', '=', stored).execute()).toHaveLength(1)

  const { id, token, stepUp } = grace
  const body = { email: `${name}@ñandú.example` }
  const { user } = (await auth.call('PUT', `/api/users/${id}`, { body, token, stepUp })).body
  expect(user).toMatchObject({ pendingEmail: body.email })
  await mailedToken(auth.db, 'email-confirmation-requested', `${name}@xn--and-6ma2c.example`)
})

test('signing up with the address of an account gets the same response, and its owner at most three mails an hour', async () => {
  const auth = await startTestAuth()
  const ada = await givenMember(auth)
  await auth.db.updateTable('account').set({ emailConfirmedAt: new Date() }).execute()

  for (let time = 0; time < 5; time++) {
    const again = person({ email: ada.email.toUpperCase() })
    expect((await auth.call('POST', '/api/auth/signup', { body: again })).body).toEqual(registered)
    // A second sign-up does not reveal that the address exists.
    expect((await auth.call('POST', '/api/auth/signup', { body: again })).body).toMatchObject(unavailable)
  }

  expect(await auth.db.selectFrom('account').selectAll().execute()).toHaveLength(1)
  expect(await publishedEvents(auth.db, 'sign-up-repeated', ada.id)).toMatchObject(
    Array(3).fill({ userId: ada.id, email: ada.email }),
  )
  // Beyond the limit the event has no recipient: the load of the store is the same.
  const repeated = await publishedEvents(auth.db, 'sign-up-repeated')
  expect(repeated.slice(3)).toMatchObject(Array(2).fill({ email: '' }))
})

test('signing up again with an unconfirmed address mails a link that resets the password, and none that confirms', async () => {
  const auth = await startTestAuth()
  const ada = await givenMember(auth)

  for (let time = 0; time < 5; time++)
    expect((await auth.call('POST', '/api/auth/signup', { body: person({ email: ada.email }) })).body).toEqual(
      registered,
    )
  await expect
    .poll(async () => (await auth.db.selectFrom('passwordResetRequest').select('id').execute()).length)
    .toBe(0)
  expect(await publishedEvents(auth.db, 'sign-up-repeated')).toEqual([])
  expect(await publishedEvents(auth.db, 'email-confirmation-requested', ada.id)).toHaveLength(1)
  expect(await publishedEvents(auth.db, 'password-reset-requested', ada.id)).toHaveLength(3)

  const token = await mailedToken(auth.db, 'password-reset-requested', ada.email)
  const newPassword = 'the password of who has the mailbox'
  expect((await auth.call('POST', '/api/password-reset/reset', { body: { token, newPassword } })).status).toBe(200)
  expect(
    (await auth.call('POST', '/api/auth/login', { body: { email: ada.email, password: newPassword } })).body,
  ).toMatchObject({ success: true })
  expect(
    (await auth.call('POST', '/api/auth/login', { body: { email: ada.email, password: ada.password } })).body,
  ).toMatchObject({ success: false })
})

test('whoever signed up first with an unconfirmed address keeps no passkey, second factor or wallet after that reset', async () => {
  const stranger = await givenMember(auth)
  const wallet = { userId: stranger.id, metamaskAddress: Wallet.createRandom().address }
  expect((await auth.call('POST', '/api/wallet/connect-metamask', { ...stranger, body: wallet })).status).toBe(200)
  await givenPasskey(auth, stranger)
  await givenSecondFactor(auth, stranger)

  await auth.call('POST', '/api/auth/signup', { body: person({ email: stranger.email }) })
  const token = await mailedToken(auth.db, 'password-reset-requested', stranger.email)
  const newPassword = 'the password of who has the mailbox'
  expect((await auth.call('POST', '/api/password-reset/reset', { body: { token, newPassword } })).status).toBe(200)

  const { body } = await auth.call('POST', '/api/auth/login', {
    body: { email: stranger.email, password: newPassword },
  })
  expect(body).toMatchObject({ success: true, token: expect.any(String) })
  expect((await auth.call('GET', '/api/auth/passkeys', { token: body.token })).body.passkeys).toEqual([])
  const { user } = (await auth.call('GET', '/api/auth/user', { token: body.token })).body
  expect(user.metamaskAddress).toBeNull()
  expect((await publishedEvents(auth.db, 'account-changed', stranger.id)).at(-1)).toMatchObject({ wallet: null })
  expect((await auth.call('GET', '/api/auth/user', { token: stranger.token })).status).toBe(401)
})

test.each([
  ['taken in another case', '@LIO'],
  ['with other separators than a taken one', '@l.i_o-'],
  ['with other digits than a taken one', '@1i0'],
  ['with the letters of another one', '@IL0'],
  ['reserved', '@admin'],
  ['reserved in another case', '@ApI'],
  ['like a reserved one', '@adm1n'],
  ['with a dot in a reserved one', '@a.d.m.i.n'],
  ['with the name of the store', '@Nifty.Art'],
  ['like the name of the store', '@the-n1fty'],
])('a username %s is not available', async (_, username) => {
  await auth.call('POST', '/api/auth/signup', { body: person({ username: '@lio' }) })

  const answer = await auth.call('POST', '/api/auth/signup', { body: person({ username }) })

  expect(answer).toMatchObject({ status: 400, body: unavailable })
})

test.each([
  ['with a space', '@Jane Doe'],
  ['with an umlaut', '@jürgen'],
  ['with an address', 'jane@example.com'],
  ['with a second @', '@@ada2'],
  ['with a Cyrillic letter', '@аda'],
  ['with a zero-width space', '@a\u200bda'],
  ['too long', `@${'a'.repeat(31)}`],
  ['without letter or digit', '@...'],
  ['empty', '@'],
  ['with a path in it', '@a/../b'],
])('a username %s is refused with the characters that it may have', async (_, username) => {
  const answer = await auth.call('POST', '/api/auth/signup', { body: person({ username }) })
  const msg = 'Letters a to z, digits, “_”, “.” and “-”, at most 30.'
  const body = { success: false, code: 'invalid_username', message: msg, errors: [{ msg, path: 'username' }] }
  expect(answer).toMatchObject({ status: 400, body })
})

test('usernames that were alike before stay, and no further one is like them', async () => {
  const auth = await startTestAuth()
  await givenMember(auth, { username: '@a.b' })
  const twin = await givenMember(auth, { username: '@other' })
  await sql`
    update account set username = '@a_b', username_skeleton = first.username_skeleton, username_twin = 1
    from (select username_skeleton from account where username = '@a.b') as first
    where id = ${twin.id}`.execute(auth.db)

  const third = await auth.call('POST', '/api/auth/signup', { body: person({ username: '@a-b' }) })

  expect(third).toMatchObject({ status: 400, body: unavailable })
})

test('of two usernames that look alike and are chosen at once, the second is refused', async () => {
  const auth = await startTestAuth()
  const first = await auth.db.startTransaction().execute()
  const { password: _, ...ada } = person({ username: '@a.da' })
  await signUp(first, { ...ada, passwordHash: 'x', network: '203.0.113.1' }, auth.config)

  const second = auth.call('POST', '/api/auth/signup', { body: person({ username: '@ada' }) })
  await waitForBlockedQuery(auth.db)
  await first.commit().execute()

  expect(await second).toMatchObject({ status: 400, body: unavailable })
})

test('a name like one that a sign-up with the address of an account chose is unavailable too', async () => {
  const ada = await givenMember(auth)
  const again = person({ email: ada.email, username: '@chosen-once' })
  expect((await auth.call('POST', '/api/auth/signup', { body: again })).body).toEqual(registered)
  const alike = await auth.call('POST', '/api/auth/signup', { body: person({ username: '@chosen.0nce' }) })
  expect(alike).toMatchObject({ status: 400, body: unavailable })
})

test('a username without its @ is the same username', async () => {
  await givenMember(auth, { username: 'grace' })

  expect((await auth.call('GET', '/api/users/profile/@grace')).body).toMatchObject({ username: '@grace' })
  const again = await auth.call('POST', '/api/auth/signup', { body: person({ username: '@grace' }) })
  expect(again).toMatchObject({ status: 400, body: unavailable })
})

test.each([
  ['firstName', 'Ada\u202E'],
  ['lastName', '\u200B'],
  ['lastName', '  '],
])('a %s with invisible characters is refused beside its field', async (field, name) => {
  const answer = await auth.call('POST', '/api/auth/signup', { body: { ...person(), [field]: name } })

  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'invalid_name', errors: [{ path: field, msg: expect.stringContaining('visible') }] },
  })
})

test('first and last name together are refused, too', async () => {
  const answer = await auth.call('POST', '/api/auth/signup', {
    body: person({ firstName: 'Nif', lastName: 'ty Support' }),
  })
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_name', errors: [{ path: 'lastName' }] } })
})

test.each([
  ['seven characters', 'k8!xWq2', 'The password must have at least 8 characters'],
  ['a common password', 'Password123!', 'This password is too common, please choose another one'],
  ['a keyboard run', 'qwertyuiop', 'This password is too common, please choose another one'],
  ['one repeated letter', 'aaaaaaaaaa', 'This password is too common, please choose another one'],
  ['the address', 'grace@example.com', 'The password must not be your e-mail address or username'],
  ['the username', 'grace-hopper', 'The password must not be your e-mail address or username'],
])('a password of %s is refused, and the rule is named', async (_, password, message) => {
  const grace = person({ username: '@grace-hopper', email: 'grace@example.com', password })

  const answer = await auth.call('POST', '/api/auth/signup', { body: grace })

  expect(answer).toMatchObject({ status: 400, body: { success: false, message } })
})

test.each([['x7'.repeat(1) + 'long words do no harm '.repeat(5)], ['пароль из слов'], ['        spaced out  ']])(
  'the password "%s" is accepted',
  async (password) => {
    expect((await givenMember(auth, { password })).token).toBeTypeOf('string')
  },
)

test.each(['', 'ada', 'a@b', 'a@b.c,d@e.f', '"a b"@example.com', 'a@example.com\u200b', 'a..b@example.com'])(
  'the address "%s" is refused',
  async (email) => {
    const answer = await auth.call('POST', '/api/auth/signup', { body: person({ email }) })
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ msg: 'Please enter a valid email' }] } })
  },
)

test('two concurrent sign-ups with one address create one account', async () => {
  const [first, second] = [person(), person()]
  second.email = first.email.toUpperCase()

  const answers = await Promise.all([first, second].map((body) => auth.call('POST', '/api/auth/signup', { body })))

  expect(answers.map(({ body }) => body)).toEqual([registered, registered])
  const accounts = auth.db.selectFrom('account').select('id').where(sql`lower(email)`, '=', first.email)
  expect(await accounts.execute()).toHaveLength(1)
})
