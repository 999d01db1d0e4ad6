import { randomUUID } from 'node:crypto'
import { grantAdmin } from '@nifty/api/auth/ops'
import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { asOperator, freezeTokenOf, givenMember, type Member, publishedEvents, startTestAuth } from '../testing/auth.ts'
import { changeProfile } from './profile.actions.ts'
import { parseProfileChange } from './profile.ts'

const auth = await startTestAuth({}, afterAll)
const change = (member: Member, body: object | string) =>
  auth.call('PUT', `/api/users/${member.id}`, { body, token: member.token })
const own = async ({ id, token }: Member) => (await auth.call('GET', `/api/users/change/${id}`, { token })).body

test('a public profile shows the public fields, for a username with or without the @ and in any case', async () => {
  const ada = await givenMember(auth)
  await change(ada, { occupation: 'Analyst', websiteURL: 'https://ada.example/notes?a=1', phonenum: '+44 1' })

  for (const name of [ada.username, ada.username.slice(1).toUpperCase()]) {
    const { status, body } = await auth.call('GET', `/api/users/profile/${encodeURIComponent(name)}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      _id: ada.id,
      username: ada.username,
      firstName: 'Ada',
      lastName: 'Lovelace',
      formerName: null,
      avatar: null,
      cover: null,
      occupation: 'Analyst',
      description: '',
      twitterURL: '',
      facebookURL: '',
      instagramURL: '',
      linkedinURL: '',
      youtubeURL: '',
      websiteURL: 'https://ada.example/notes?a=1',
    })
  }
})

test.each(['@unknown-user', "'; drop table account; --", '%F0%9F%8E%A8'])(
  'GET of the profile %s is a 404',
  async (name) => {
    const { status, body } = await auth.call('GET', `/api/users/profile/${name}`)
    expect({ status, message: body.message }).toEqual({ status: 404, message: 'User not Found' })
  },
)

test('a username with a NUL, of more than 300 characters or with dot segments is a 400', async () => {
  expect((await auth.call('GET', '/api/users/profile/..%2f..%2fetc')).status).toBe(400)
  expect((await auth.call('GET', '/api/users/profile/a%00b')).status).toBe(400)
  expect((await auth.call('GET', `/api/users/profile/${'a'.repeat(301)}`)).status).toBe(400)
})

test('the lock screen and an expired or foreign token get four fields, the owner gets all', async () => {
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  const path = `/api/users/change/${ada.id}`
  const four = { _id: ada.id, avatar: null, firstName: 'Ada', lastName: 'Lovelace' }

  expect((await auth.call('GET', path)).body).toEqual(four)
  expect((await auth.call('GET', path, { token: eve.token })).body).toEqual(four)
  expect((await auth.call('GET', path, { token: 'expired' })).body).toEqual(four)
  expect(await own(ada)).toMatchObject({ ...four, email: ada.email, pendingEmail: null, admin: false, phonenum: '' })
  expect((await own(ada)).notifications).toMatchObject({ mention: true, companyNews: false })
})

test('an unknown account is a 404, a malformed id a 400', async () => {
  const unknown = await auth.call('GET', `/api/users/change/${randomUUID()}`)
  expect(unknown).toMatchObject({ status: 404, body: { message: 'User not Found' } })
  expect((await auth.call('GET', '/api/users/change/12')).status).toBe(400)
})

test('the whole profile may be sent back: read-only fields are ignored', async () => {
  const ada = await givenMember(auth)
  const before = await own(ada)
  const readOnly = {
    admin: true,
    _id: randomUUID(),
    username: '@root',
    metamaskAddress: `0x${'1'.repeat(40)}`,
    password: 'changed!',
    passwordHash: 'x',
    balance: 1e9,
    createdAt: 0,
    suspendedAt: null,
    emailConfirmed: true,
    version: 99,
    constructor2: {},
  }

  const answer = await change(ada, { ...before, ...readOnly, firstName: 'Augusta' })

  expect(answer).toMatchObject({ status: 200, body: { success: true, message: 'Profile updated successfully' } })
  expect(await own(ada)).toEqual({ ...before, firstName: 'Augusta' })
  expect((await change(ada, { admin: 'true' })).status).toBe(200)
  expect((await auth.call('GET', '/api/auth/user', { token: ada.token })).body.user.admin).toBe(false)
})

test('bodies with prototype keys are refused', async () => {
  const { id, token } = await givenMember(auth)
  for (const payload of ['{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"admin":true}}}']) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    expect((await auth.app.inject({ method: 'PUT', url: `/api/users/${id}`, headers, payload })).statusCode).toBe(400)
  }
})

test('the former name of a seller is shown for 90 days, also after a second change', async () => {
  const ada = await givenMember(auth)
  const shown = async () => (await auth.call('GET', `/api/users/profile/${ada.username}`)).body.formerName
  await change(ada, { firstName: 'Augusta' })
  expect(await shown()).toBeNull()

  await auth.internal(grantAdmin, { body: asOperator(ada.email) })
  const { token } = (await auth.call('POST', '/api/auth/login', { body: ada })).body
  const seller = { ...ada, token }
  await change(seller, { firstName: 'Augusta', description: 'Poetical science' })
  expect(await shown()).toBeNull()
  await change(seller, { firstName: 'Grace', lastName: 'Hopper' })
  expect(await shown()).toBe('Augusta Lovelace')
  await change(seller, { firstName: 'Alan', lastName: 'Turing' })
  expect(await shown()).toBe('Augusta Lovelace')

  await sql`update account set renamed_at = now() - interval '90 days' where id = ${ada.id}`.execute(auth.db)
  expect(await shown()).toBeNull()
  await change(seller, { firstName: 'Ada', lastName: 'Lovelace' })
  expect(await shown()).toBe('Alan Turing')
  await change(seller, { firstName: 'Alan', lastName: 'Turing' })
  expect(await shown()).toBeNull()
})

test('a first name that makes the name of the store with the present last name is refused', async () => {
  const ada = await givenMember(auth, { lastName: 'ty Support' })
  const rename = (firstName: string) =>
    auth.call('PUT', `/api/users/${ada.id}`, { body: { firstName }, token: ada.token })
  expect(await rename('Nif')).toMatchObject({ status: 400, body: { errors: [{ path: 'firstName' }] } })
  expect((await rename('Augusta')).status).toBe(200)
})

test('a line break of the description is one character, whichever form of it was sent', async () => {
  const ada = await givenMember(auth)
  const { body } = await change(ada, { description: `${'x'.repeat(1_998)}\r\ny` })
  expect(body.user.description).toBe(`${'x'.repeat(1_998)}\ny`)
})

test('markup is stored as text, unchanged', async () => {
  const ada = await givenMember(auth)
  const markup = '<img src=x onerror=alert(1)>\n<svg onload=alert(2)>'
  expect((await change(ada, { description: markup, firstName: '<b>' })).body.user).toMatchObject({
    description: markup,
    firstName: '<b>',
  })
})

test.each([
  ['a long first name', { firstName: 'x'.repeat(81) }],
  ['a long description', { description: 'x'.repeat(2001) }],
  ['a number for a name', { lastName: 5 }],
  ['a list for a name', { lastName: ['x'] }],
  ['a line break in a name', { firstName: 'a\nb' }],
  ['a direction-changing character in a name', { firstName: 'a\u202eb' }],
  ['a zero-width character in an occupation', { occupation: 'a\u200bb' }],
  ['a name of spaces', { lastName: '  ' }],
  ['the name of the store', { firstName: 'N1fty', lastName: 'Support' }],
  ['a name with a check mark', { lastName: 'Lovelace ✔' }],
  ['flags that are not booleans', { notifications: { mention: 'true' } }],
  ['a list of flags', { notifications: [true] }],
  ['null for the flags', { notifications: null }],
  ['two addresses', { email: 'a@b.cd,e@f.gh' }],
  ['an object for the address', { email: {} }],
  ['a list', []],
])('%s is a 400, and nothing changes', async (_, body) => {
  const ada = await givenMember(auth)
  const before = await own(ada)
  expect(await change(ada, body)).toMatchObject({ status: 400, body: { success: false } })
  expect(await own(ada)).toEqual(before)
})

test('a body of 100 KB is too large', async () => {
  const ada = await givenMember(auth)
  expect((await change(ada, { description: 'x'.repeat(110_000) })).status).toBe(413)
})

test('notification flags are merged, unknown ones are ignored, and each change is published', async () => {
  const ada = await givenMember(auth)

  await change(ada, { notifications: { companyNews: true, admin: true } })
  const answer = await change(ada, { notifications: { mention: false } })

  expect(answer.body.user).toMatchObject({ firstName: 'Ada', notifications: { companyNews: true, mention: false } })
  expect(Object.keys(answer.body.user.notifications)).toHaveLength(8)
  const changes = await publishedEvents(auth.db, 'account-changed', ada.id)
  expect(changes.map(({ version }) => version)).toEqual([1, 2, 3])
  expect(changes.at(-1)).toMatchObject({ notifications: { companyNews: true, mention: false } })
})

test('switching off the mails about own sales by a bearer token is mailed to the owner, with a link that freezes the account', async () => {
  const [ada, grace] = [await givenMember(auth), await givenMember(auth)]
  const mails = ({ id }: Member) => publishedEvents(auth.db, 'sale-mails-switched-off', id)
  await change(ada, { notifications: { message: true, follow: false } })
  await change(ada, { firstName: 'Eve' })
  expect(await mails(ada)).toEqual([])

  await change(ada, { notifications: { message: false } })
  await change(ada, { notifications: { message: false } })

  expect(await mails(ada)).toMatchObject([{ email: ada.email }])
  const token = await freezeTokenOf(auth.db, ada, ada.email)
  expect((await auth.call('POST', '/api/auth/freeze', { body: { token } })).status).toBe(200)
  expect((await auth.call('GET', '/api/auth/user', { token: ada.token })).status).toBe(401)

  for (const message of [false, true, false, true, false, true, false])
    expect((await change(grace, { notifications: { message } })).status).toBe(200)
  expect(await mails(grace)).toHaveLength(auth.config.limits.mailsPerHour)
})

test('two concurrent changes of different fields are both kept', async () => {
  const ada = await givenMember(auth)
  const first = await auth.db.startTransaction().execute()
  await changeProfile(first, ada.id, {
    change: parseProfileChange({ twitterURL: 'https://x.example' }, 'Nifty'),
    config: auth.config,
    steppedUp: false,
  })

  const second = change(ada, { websiteURL: 'https://ada.example' })
  await waitForBlockedQuery(auth.db)
  await first.commit().execute()

  expect((await second).status).toBe(200)
  expect(await own(ada)).toMatchObject({ twitterURL: 'https://x.example', websiteURL: 'https://ada.example' })
})

test('a wrong content type is a 415, an unknown path a 404, a wrong method a 405', async () => {
  const { id, token } = await givenMember(auth)
  const send = (contentType: string) =>
    auth.app.inject({
      method: 'PUT',
      url: `/api/users/${id}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': contentType },
      payload: JSON.stringify({ firstName: 'Eve' }),
    })
  for (const contentType of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
    expect((await send(contentType)).statusCode).toBe(415)
  expect((await auth.call('GET', '/api/users')).status).toBe(404)
  expect((await auth.call('GET', '/api/auth/login')).status).toBe(405)
})
