import { afterAll, expect, test } from 'vitest'
import { announced, givenMember, person, startTestAuth } from '../testing/auth.ts'

const registered = { success: true, message: 'Registered successfully. Check your email.' }
const auth = await startTestAuth({}, afterAll)
const unavailable = { success: false, message: 'This username is not available' }

test('a newcomer signs up, is announced, and gets a mail that confirms the address', async () => {
  const auth = await startTestAuth()
  const ada = person()

  const answer = await auth.call('POST', '/api/auth/signup', { body: ada })

  expect(answer).toMatchObject({ status: 200, body: registered })
  const [account] = await announced(auth.db, 'account-changed')
  expect(account).toMatchObject({ username: ada.username, email: ada.email, version: 1, admin: false, wallet: null })
  expect(await announced(auth.db, 'email-confirmation-requested')).toMatchObject([
    { email: ada.email, purpose: 'sign_up', userId: account!.userId },
  ])
})

test('nobody gives themselves rights at sign-up', async () => {
  const auth = await startTestAuth()
  const wishes = {
    admin: true,
    _id: 'x',
    emailVerified: true,
    metamaskAddress: `0x${'1'.repeat(40)}`,
    suspended: false,
  }
  const ada = { ...person(), ...wishes }

  expect(await auth.call('POST', '/api/auth/signup', { body: ada })).toMatchObject({ status: 200, body: registered })

  const row = await auth.db.selectFrom('account').selectAll().executeTakeFirstOrThrow()
  expect(row).toMatchObject({ admin: false, wallet: null, emailConfirmedAt: null })
})

test('an address that has an account gets the same answer, and its owner a mail, a few times an hour', async () => {
  const auth = await startTestAuth()
  const ada = await givenMember(auth)

  for (let time = 0; time < 5; time++) {
    const again = person({ email: ada.email.toUpperCase() })
    expect((await auth.call('POST', '/api/auth/signup', { body: again })).body).toEqual(registered)
    // Neither a second try nor a look at the page tells that the address was known.
    expect((await auth.call('POST', '/api/auth/signup', { body: again })).body).toEqual(unavailable)
  }

  expect(await auth.db.selectFrom('account').selectAll().execute()).toHaveLength(1)
  expect(await announced(auth.db, 'sign-up-repeated')).toMatchObject(
    Array(3).fill({ userId: ada.id, email: ada.email }),
  )
})

test.each([
  ['taken in another case', '@ADA'],
  ['with a second @', '@@ada2'],
  ['reserved', '@admin'],
  ['reserved in another case', '@ApI'],
  ['with a letter that looks like another', '@аda'],
  ['with an invisible letter', '@a\u200bda'],
  ['too long', `@${'a'.repeat(31)}`],
  ['of signs only', '@...'],
  ['empty', '@'],
  ['with a path in it', '@a/../b'],
])('a username %s is not available', async (_, username) => {
  await auth.call('POST', '/api/auth/signup', { body: person({ username: '@ada' }) })

  const answer = await auth.call('POST', '/api/auth/signup', { body: person({ username }) })

  expect(answer).toMatchObject({ status: 200, body: unavailable })
})

test('a username without its @ is the same username', async () => {
  await givenMember(auth, { username: 'grace' })

  expect((await auth.call('GET', '/api/users/profile/@grace')).body).toMatchObject({ username: '@grace' })
  expect((await auth.call('POST', '/api/auth/signup', { body: person({ username: '@grace' }) })).body).toEqual(
    unavailable,
  )
})

test.each([
  ['seven characters', 'k8!xWq2', 'The password must have at least 8 characters'],
  ['one of the first that are tried', 'Password123!', 'This password is too common, please choose another one'],
  ['keys in a row', 'qwertyuiop', 'This password is too common, please choose another one'],
  ['one letter', 'aaaaaaaaaa', 'This password is too common, please choose another one'],
  ['the address', 'grace@example.com', 'The password must not be your e-mail address or username'],
  ['the username', 'grace-hopper', 'The password must not be your e-mail address or username'],
])('a password of %s is refused, and the rule is named', async (_, password, message) => {
  const grace = person({ username: '@grace-hopper', email: 'grace@example.com', password })

  const answer = await auth.call('POST', '/api/auth/signup', { body: grace })

  expect(answer).toMatchObject({ status: 400, body: { success: false, message } })
})

test.each([['x7'.repeat(1) + 'long words do no harm '.repeat(5)], ['пароль из слов'], ['        spaced out  ']])(
  'any other password will do: %s',
  async (password) => {
    expect((await givenMember(auth, { password })).token).toBeTypeOf('string')
  },
)

test.each(['', 'ada', 'a@b', 'a@b.c,d@e.f', '"a b"@example.com', 'a@example.com\u200b', 'a..b@example.com'])(
  'the address "%s" is none',
  async (email) => {
    const answer = await auth.call('POST', '/api/auth/signup', { body: person({ email }) })
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ msg: 'Please enter a valid email' }] } })
  },
)

test('two sign-ups at once with one address make one account', async () => {
  const auth = await startTestAuth()
  const [first, second] = [person(), person()]
  second.email = first.email.toUpperCase()

  const answers = await Promise.all([first, second].map((body) => auth.call('POST', '/api/auth/signup', { body })))

  expect(answers.map(({ body }) => body)).toEqual([registered, registered])
  expect(await auth.db.selectFrom('account').select('id').execute()).toHaveLength(1)
})
