import { correctEmail, deleteAccountOf, removeFromProfile } from '@nifty/api/auth/corrections'
import { confirmEmail, describeAccount, suspendAccount } from '@nifty/api/auth/ops'
import { exportOwnData } from '@nifty/api/own-data'
import { listOperatorActions } from '@nifty/service-kit/database/operator-audit'
import { afterAll, expect, test } from 'vitest'
import {
  asOperator,
  expireFreezeLinks,
  freezeTokenOf,
  givenMember,
  type Member,
  mailedToken,
  person,
  publishedEvents,
  startTestAuth,
} from '../testing/auth.ts'

const auth = await startTestAuth({}, afterAll)
const { db, internal } = auth
const signed = { reason: 'a letter with a copy of the passport' }
const latest = async ({ id }: Member) => (await publishedEvents(db, 'account-changed', id)).at(-1)
const logIn = (email: string, { password }: Member) =>
  auth.call('POST', '/api/auth/login', { body: { email, password } })
const rowOf = ({ id }: Member) => db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const describe = (account: string) => internal(describeAccount, { body: { account } })

test('a corrected address is confirmed by its owner, and the former one can freeze the account', async () => {
  const ada = await givenMember(auth)
  await internal(confirmEmail, { body: asOperator(ada.email) })
  const newEmail = person().email

  await internal(correctEmail, { body: { email: ada.email, newEmail: newEmail.toUpperCase(), ...signed } })

  expect((await auth.call('GET', '/api/auth/user', { token: ada.token })).status).toBe(401)
  expect((await logIn(newEmail, ada)).body.success).toBe(true)
  expect((await logIn(ada.email, ada)).status).toBe(401)
  expect(await describe(ada.id)).toMatchObject({ emailConfirmed: false, pendingEmail: null })
  const email = (await describe(ada.id)).email
  const token = await mailedToken(db, 'email-confirmation-requested', email)
  expect((await auth.call('POST', '/api/auth/verify-email', { body: { token } })).body.success).toBe(true)
  expect(await describe(ada.id)).toMatchObject({ emailConfirmed: true })
  expect(await freezeTokenOf(db, ada, ada.email)).toEqual(expect.any(String))
  expect(await listOperatorActions(db, [ada.id])).toMatchObject([
    { action: 'confirm-email' },
    { action: 'correct-email', operator: 'ada', ...signed },
  ])
})

test('a corrected address ends links that were mailed to the former one, and withdrawals wait', async () => {
  const ada = await givenMember(auth)
  const confirmation = await mailedToken(db, 'email-confirmation-requested', ada.email)
  await auth.call('POST', '/api/password-reset/request', { body: { email: ada.email } })
  const reset = await mailedToken(db, 'password-reset-requested', ada.email)
  const newEmail = person().email
  await internal(correctEmail, { body: { email: ada.email, newEmail, ...signed } })

  await auth.call('POST', '/api/auth/verify-email', { body: { token: confirmation } })
  const newPassword = 'another correct horse battery'
  await auth.call('POST', '/api/password-reset/reset', { body: { token: reset, newPassword } })

  expect(await describe(ada.id)).toMatchObject({ emailConfirmed: false, email: newEmail })
  expect((await logIn(newEmail, { ...ada, password: newPassword })).status).toBe(401)
  expect(await rowOf(ada)).toMatchObject({ withdrawalsWaitSince: expect.any(Date) })
})

test('an address that its account has already changes nothing, and the former one of another account is taken', async () => {
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  await internal(correctEmail, { body: { email: ada.email, newEmail: ada.email.toUpperCase(), ...signed } })
  expect((await auth.call('GET', '/api/auth/user', { token: ada.token })).status).toBe(200)

  await internal(confirmEmail, { body: asOperator(eve.email) })
  await internal(correctEmail, { body: { email: eve.email, newEmail: person().email, ...signed } })
  const taking = internal(correctEmail, { body: { email: ada.email, newEmail: eve.email, ...signed } })
  await expect(taking).rejects.toMatchObject({ code: 'email_taken' })
})

test('an address of another account, an invalid one, and one of a suspended account are not corrected', async () => {
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  const correct = (newEmail: string) => internal(correctEmail, { body: { email: ada.email, newEmail, ...signed } })
  await expect(correct(eve.email.toUpperCase())).rejects.toMatchObject({ code: 'email_taken' })
  await expect(correct('nobody')).rejects.toMatchObject({ code: 'invalid_email' })
  await internal(suspendAccount, { body: asOperator(ada.email) })
  await expect(correct(person().email)).rejects.toMatchObject({ code: 'account_blocked' })
  expect((await describe(ada.id)).email).toBe(ada.email)
  expect((await listOperatorActions(db, [ada.id])).map(({ action }) => action)).toEqual(['suspend-account'])
})

test('name, former name, texts and pictures are removed from a profile, and the rest stays', async () => {
  const ada = await givenMember(auth)
  const body = {
    description: 'An insult',
    occupation: 'Painter',
    firstName: 'Rude',
    links: { twitterURL: 'https://x.com/ada' },
  }
  await auth.call('PUT', `/api/users/${ada.id}`, { body, token: ada.token })

  await db
    .updateTable('account')
    .set({
      cover: 'cover.webp',
      links: { twitterURL: 'https://x.com/ada' },
      formerName: 'Ruder',
      renamedAt: new Date(),
    })
    .where('id', '=', ada.id)
    .execute()

  const remove = (parts: ('avatar' | 'cover' | 'name' | 'description' | 'links')[]) =>
    internal(removeFromProfile, { body: { email: ada.email, parts, ...signed } })
  await remove(['name', 'description', 'avatar'])
  await remove(['name'])

  const mailed = await publishedEvents(db, 'profile-parts-removed', ada.id)
  expect(mailed).toMatchObject([{ email: ada.email, parts: ['name', 'description'], reason: expect.any(String) }])
  const firstName = ada.username.slice(1)
  expect(await latest(ada)).toMatchObject({ firstName, lastName: '', description: '', avatar: null })
  expect(await rowOf(ada)).toMatchObject({
    formerName: null,
    cover: 'cover.webp',
    links: { twitterURL: 'https://x.com/ada' },
  })
  await remove(['cover', 'links'])
  expect(await rowOf(ada)).toMatchObject({ cover: null, links: {}, occupation: 'Painter' })
})

test('an operator deletes an account as its owner does, also while a mailed link can undo it', async () => {
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  const remove = ({ email }: Member) => internal(deleteAccountOf, { body: { email, giveUpWorks: false, ...signed } })

  expect(await remove(ada)).toMatchObject({ userId: ada.id, erasedFrom: null })
  expect((await auth.call('GET', '/api/auth/user', { token: ada.token })).status).toBe(401)
  expect(await publishedEvents(db, 'account-deleted', ada.id)).toMatchObject([{ email: ada.email }])
  await expect(remove(ada)).rejects.toMatchObject({ code: 'account_not_found' })

  const newEmail = person().email
  await internal(correctEmail, { body: { email: eve.email, newEmail, ...signed } })
  const { erasedFrom } = await remove({ ...eve, email: newEmail })
  expect(Date.parse(erasedFrom!)).toBeGreaterThan(Date.now())
  await expect(remove({ ...eve, email: newEmail })).rejects.toMatchObject({ code: 'account_blocked' })
  await expireFreezeLinks(auth)
})

test('an operator exports what the service stores about an account, and nothing about another one', async () => {
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  const { records, next } = await internal(exportOwnData, { body: { userId: ada.id, ...signed } })
  expect(records[0]).toMatchObject({ kind: 'account', data: { email: ada.email } })
  expect(next).toBeNull()
  expect(JSON.stringify(records)).not.toContain(eve.email)
  expect(await listOperatorActions(db, [ada.id])).toMatchObject([{ action: 'export-own-data', operator: 'ada' }])
})
