import { answerSellerApplication, grantAdmin, listSellerApplications } from '@nifty/api/auth/ops'
import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import {
  asOperator,
  confirmAddress,
  givenMember,
  type Member,
  publishedEvents,
  startTestAuth,
} from '../testing/auth.ts'

const auth = await startTestAuth({}, afterAll)
const path = '/api/seller-application'
const form = { links: ['https://ada.example.com/works'], message: 'I paint engines, and have for thirty years.' }

const apply = ({ token }: Member, body: unknown = form) => auth.call('POST', path, { token, body })
const read = async ({ token }: Member) => (await auth.call('GET', path, { token })).body.application
const published = ({ id }: Member) => publishedEvents(auth.db, 'seller-application-changed', id)
const answer = async (member: Member, grant: boolean, text = '') => {
  const applicationId = (await waitingOf(member))[0]?.applicationId ?? crypto.randomUUID()
  return auth.internal(answerSellerApplication, {
    body: { ...asOperator(member.email), applicationId, grant, answer: text },
  })
}
const waitingOf = async ({ id }: Member) =>
  (await auth.internal(listSellerApplications)).applications.filter(({ userId }) => userId === id)

async function givenArtist() {
  const member = await givenMember(auth)
  await confirmAddress(auth, member)
  return member
}

test('an application waits, and operators find it; its receipt is mailed', async () => {
  const ada = await givenArtist()
  expect(await read(ada)).toBeNull()
  expect(await apply(ada)).toMatchObject({ status: 200, body: { application: { ...form, state: 'waiting' } } })
  expect(await read(ada)).toMatchObject({ ...form, state: 'waiting', answer: '', answeredAt: null, againFrom: null })
  expect(await waitingOf(ada)).toMatchObject([{ ...form, email: ada.email, name: 'Ada Lovelace', declinedBefore: 0 }])
  expect(await published(ada)).toMatchObject([{ state: 'waiting', email: ada.email, ...form }])
})

test('a granted application lets the account sell, ends its sessions and mails the answer', async () => {
  const ada = await givenArtist()
  await apply(ada)
  await answer(ada, true, ' Welcome! ')
  expect((await published(ada)).at(-1)).toMatchObject({ state: 'granted', answer: 'Welcome!' })
  expect((await publishedEvents(auth.db, 'account-changed', ada.id)).at(-1)).toMatchObject({ admin: true })
  expect((await auth.call('GET', path, { token: ada.token })).status).toBe(401)
  expect(await waitingOf(ada)).toEqual([])
})

test('grant-admin answers an application that waits', async () => {
  const ada = await givenArtist()
  await apply(ada)
  await auth.internal(grantAdmin, { body: asOperator(ada.email) })
  expect((await published(ada)).map(({ state }) => state)).toEqual(['waiting', 'granted'])
  const { token } = (await auth.call('POST', '/api/auth/login', { body: ada })).body
  expect(await apply({ ...ada, token })).toMatchObject({ status: 409, body: { code: 'may_sell_already' } })
})

test('grant-admin is mailed where no application waits, also after a declined one, and once', async () => {
  const ada = await givenArtist()
  await apply(ada)
  await answer(ada, false)
  for (const _ of [1, 2]) await auth.internal(grantAdmin, { body: asOperator(ada.email) })
  expect((await published(ada)).map(({ state }) => state)).toEqual(['waiting', 'declined', 'granted'])
  const ben = await givenMember(auth)
  await auth.internal(grantAdmin, { body: asOperator(ben.email) })
  expect(await published(ben)).toMatchObject([{ state: 'granted', email: ben.email, links: [], message: '' }])
})

test('a declined applicant reads the answer, and can apply again after 30 days', async () => {
  const ada = await givenArtist()
  await apply(ada)
  await answer(ada, false, 'Show us more of your works, please.')
  const declined = await read(ada)
  expect(declined).toMatchObject({ state: 'declined', answer: 'Show us more of your works, please.' })
  expect(Date.parse(declined.againFrom) - Date.parse(declined.answeredAt)).toBe(30 * 86_400_000)
  expect(await apply(ada)).toMatchObject({
    status: 409,
    body: { code: 'application_too_early', details: { againFrom: declined.againFrom } },
  })
  await sql`update seller_application set answered_at = answered_at - interval '30 days'
    where account_id = ${ada.id}`.execute(auth.db)
  expect((await apply(ada)).status).toBe(200)
  expect(await waitingOf(ada)).toMatchObject([{ declinedBefore: 1 }])
})

test('one application waits at a time, also when two are sent at once; taken back, another can be sent', async () => {
  const ada = await givenArtist()
  const [first, second] = await Promise.all([apply(ada), apply(ada)])
  expect([first.status, second.status].sort()).toEqual([200, 409])
  const { token } = ada
  for (const _ of [1, 2]) expect((await auth.call('DELETE', path, { token })).status).toBe(200)
  expect(await read(ada)).toBeNull()
  expect((await apply(ada)).status).toBe(200)
})

test('a declined application is not withdrawn, so that its 30 days hold', async () => {
  const ada = await givenArtist()
  await apply(ada)
  await answer(ada, false)
  await auth.call('DELETE', path, { token: ada.token })
  expect(await read(ada)).toMatchObject({ state: 'declined' })
  expect(await apply(ada)).toMatchObject({ status: 409, body: { code: 'application_too_early' } })
})

test('operators find no application of an account that is to be deleted', async () => {
  const ada = await givenArtist()
  await apply(ada)
  expect(await waitingOf(ada)).toHaveLength(1)
  await sql`update account set deletion_requested_at = now() where id = ${ada.id}`.execute(auth.db)
  expect(await waitingOf(ada)).toEqual([])
})

test('beyond three applications a day there is a 429, and no mail', async () => {
  const ada = await givenArtist()
  for (const _ of [1, 2, 3]) {
    await apply(ada)
    await auth.call('DELETE', path, { token: ada.token })
  }
  expect((await apply(ada)).status).toBe(429)
  expect(await published(ada)).toHaveLength(3)
})

test('an account without a confirmed address is told to confirm it first', async () => {
  expect(await apply(await givenMember(auth))).toMatchObject({ status: 403, body: { code: 'email_not_confirmed' } })
})

test('an answer without an application changes no rights, and an unknown account is a 404', async () => {
  const ada = await givenArtist()
  for (const grant of [true, false])
    await expect(answer(ada, grant)).rejects.toMatchObject({ statusCode: 409, code: 'no_application' })
  expect((await auth.call('GET', '/api/auth/user', { token: ada.token })).body.user.admin).toBe(false)
  await expect(answer({ ...ada, email: 'nobody@example.com' }, true)).rejects.toMatchObject({ statusCode: 404 })
})

test('an application is exported, and erased with its account', async () => {
  const ada = await givenArtist()
  await apply(ada)
  const { records } = (await auth.call('GET', '/api/auth/export', ada)).body
  expect(records.find(({ kind }: { kind: string }) => kind === 'seller_application').data).toMatchObject(form)
  await sql`update freeze_link set expires_at = now() where account_id = ${ada.id}`.execute(auth.db)
  expect((await auth.call('DELETE', `/api/users/${ada.id}`, ada)).status).toBe(200)
  const { rows } = await sql`select from seller_application where account_id = ${ada.id}`.execute(auth.db)
  expect(rows).toEqual([])
})

test('an application that was sent after the operator read the former one is not granted', async () => {
  const ada = await givenArtist()
  await apply(ada)
  const [read] = await waitingOf(ada)
  await auth.call('DELETE', path, { token: ada.token })
  await apply(ada, { ...form, message: 'Something else that no operator has read.' })
  const body = { ...asOperator(ada.email), applicationId: read!.applicationId, grant: true, answer: '' }
  await expect(auth.internal(answerSellerApplication, { body })).rejects.toMatchObject({ code: 'no_application' })
  expect((await auth.call('GET', '/api/auth/user', { token: ada.token })).body.user.admin).toBe(false)
  expect(await waitingOf(ada)).toMatchObject([{ message: 'Something else that no operator has read.' }])
})

describe('refused with an error beside the field', () => {
  test.each<[string, unknown, string[]]>([
    ['no link', { ...form, links: [] }, ['links']],
    ['an empty link', { ...form, links: [' '] }, ['links']],
    ['a link to another scheme', { ...form, links: ['javascript:alert(1)'] }, ['links']],
    ['a link with credentials', { ...form, links: ['https://a@example.com'] }, ['links']],
    ['a message that is too short', { ...form, message: `  ${'x'.repeat(19)}  ` }, ['message']],
    ['a message that is too long', { ...form, message: 'x'.repeat(2_001) }, ['message']],
    ['both', { links: ['http://example.com'], message: '' }, ['links', 'message']],
  ])('%s', async (_name, body, fields) => {
    const { status, body: refused } = await apply(await givenArtist(), body)
    expect(status).toBe(400)
    expect(refused.errors.map(({ path }: { path: string }) => path)).toEqual(fields)
  })

  test.each<[string, unknown]>([
    ['six links', { ...form, links: Array(6).fill('https://example.com') }],
    ['links that are no list', { ...form, links: 'https://example.com' }],
    ['no message', { links: form.links }],
  ])('%s', async (_name, body) => {
    expect((await apply(await givenArtist(), body)).status).toBe(400)
  })

  test('no token', async () => {
    expect((await auth.call('POST', path, { body: form })).status).toBe(401)
  })
})
