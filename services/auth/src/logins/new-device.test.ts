import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { freezeTokenOf, givenMember, type Member, publishedEvents, startTestAuth } from '../testing/auth.ts'

const auth = await startTestAuth({}, afterAll)
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'
const home = '198.51.100.7'

const notices = ({ id }: Member) => publishedEvents(auth.db, 'security-notice-requested', id)
const logIn = ({ email, password }: Member, options: { device?: string; from?: string } = {}) =>
  auth.call('POST', '/api/auth/login', { body: { email, password }, from: home, userAgent: firefox, ...options })

test('a log-in from a new device is mailed to the owner, with browser, network and a link that freezes the account', async () => {
  const ada = await givenMember(auth)
  expect(await notices(ada)).toEqual([])

  const { body } = await logIn(ada, { device: randomUUID(), from: '192.0.2.99' })

  const to = 'Firefox on Windows, network 192.0.2.0/24'
  expect(await notices(ada)).toMatchObject([{ what: 'new_device', email: ada.email, to }])
  const token = await freezeTokenOf(auth.db, ada, ada.email)
  expect((await auth.call('POST', '/api/auth/freeze', { body: { token } })).status).toBe(200)
  expect((await auth.call('GET', '/api/auth/user', { token: body.token })).status).toBe(401)
})

test('a device that logged in before is not mailed, in another network neither', async () => {
  const ada = await givenMember(auth)
  const device = randomUUID()
  await logIn(ada, { device })
  const before = (await notices(ada)).length

  await logIn(ada, { device })
  await logIn(ada, { device, from: '192.0.2.99' })
  const { id: userId, password } = ada
  await auth.call('POST', '/api/auth/lockscreen-login', { body: { userId, password }, device, from: '192.0.2.1' })

  expect(before).toBe(1)
  expect(await notices(ada)).toHaveLength(before)
})

test('without a device id the network decides while the account has none', async () => {
  const ada = await givenMember(auth)
  await logIn(ada)
  expect(await notices(ada)).toEqual([])
  await logIn(ada, { from: '192.0.2.99' })
  expect(await notices(ada)).toHaveLength(1)
})

test('once the account has devices, a log-in without a device id is mailed, from a known network too', async () => {
  const ada = await givenMember(auth)
  await logIn(ada, { device: randomUUID() })
  const before = (await notices(ada)).length
  await logIn(ada)
  await logIn(ada, { device: 'short' })
  expect(await notices(ada)).toHaveLength(before + 2)
})

test('a refused log-in is not mailed and makes no device known', async () => {
  const ada = await givenMember(auth)
  const device = randomUUID()
  expect((await logIn({ ...ada, password: 'wrong' }, { device })).status).toBe(401)
  expect(await notices(ada)).toEqual([])
  await logIn(ada, { device })
  expect(await notices(ada)).toHaveLength(1)
})

test('at most three such mails an hour are sent', async () => {
  const ada = await givenMember(auth)
  for (let time = 0; time < 5; time++) expect((await logIn(ada, { device: randomUUID() })).status).toBe(200)
  expect(await notices(ada)).toHaveLength(3)
})

test('an account that did not log in for longer than devices are remembered gets the mail', async () => {
  const ada = await givenMember(auth)
  await sql`delete from known_origin where account_id = ${ada.id}`.execute(auth.db)
  await sql`update account set created_at = now() - interval '181 days' where id = ${ada.id}`.execute(auth.db)
  await logIn(ada)
  expect(await notices(ada)).toHaveLength(1)
})
