import { getBuyer, switchNotifications } from '@nifty/api/auth/internal'
import { deleteOldMessages } from '@nifty/service-kit/messaging/retention'
import { testLog } from '@nifty/service-kit/testing/log'
import { Wallet } from 'ethers'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import {
  expireFreezeLinks,
  givenMember,
  type Member,
  mailedToken,
  person,
  publishedEvents,
  startTestAuth,
} from '../testing/auth.ts'

const auth = await startTestAuth({}, afterAll)
const remove = ({ id, token, stepUp }: Member) => auth.call('DELETE', `/api/users/${id}`, { token, stepUp })
const connect = ({ id, ...tokens }: Member, metamaskAddress: string) =>
  auth.call('POST', '/api/wallet/connect-metamask', { ...tokens, body: { userId: id, metamaskAddress } })
const untilOutboxIsPublished = () =>
  expect
    .poll(() => auth.db.selectFrom('outbox').select('name').where('publishedAt', 'is', null).execute(), {
      timeout: 30_000,
    })
    .toEqual([])

test('deleting an account ends its sessions and erases its profile and personal data at once', async () => {
  const ada = await givenMember(auth, { firstName: 'Augusta', lastName: 'Byron' })
  await auth.call('PUT', `/api/users/${ada.id}`, {
    body: {
      description: 'Poetical science',
      phonenum: '+44 20',
      websiteURL: 'https://ada.example',
      email: person().email,
    },
    token: ada.token,
    stepUp: ada.stepUp,
  })
  await expireFreezeLinks(auth)
  await untilOutboxIsPublished()

  const deleted = { success: true, message: 'Account deleted successfully', erasedFrom: null }
  const logged = vi.spyOn(testLog, 'info')
  expect((await remove(ada)).body).toEqual(deleted)
  expect(logged.mock.calls).toEqual([[{ userId: ada.id, erasedFrom: null }, 'account: erased']])

  expect((await remove(ada)).status).toBe(401)
  expect((await auth.call('GET', '/api/auth/user', { token: ada.token })).status).toBe(401)
  expect((await auth.call('GET', `/api/users/profile/${ada.username}`)).status).toBe(404)
  expect((await auth.call('GET', `/api/users/change/${ada.id}`)).status).toBe(404)

  const events = await auth.db.selectFrom('outbox').select('name').where('key', '=', ada.id).execute()
  expect(events).toEqual([{ name: 'auth.account-deleted.v1' }])
  const { rows } = await sql<{
    name: string
  }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(auth.db)
  for (const { name } of rows.filter((table) => table.name !== 'outbox')) {
    const { rows: kept } = await sql`select t::text as text from ${sql.table(name)} t`.execute(auth.db)
    for (const trace of [ada.email, ada.username, 'Augusta', 'Byron', 'Poetical', '+44 20', 'ada.example'])
      expect(JSON.stringify(kept), `${trace} in ${name}`).not.toContain(trace)
  }
})

test('the account-deleted event contains what the goodbye mail needs', async () => {
  const ada = await givenMember(auth)
  await remove(ada)
  expect(await publishedEvents(auth.db, 'account-deleted', ada.id)).toMatchObject([
    { userId: ada.id, username: ada.username, email: ada.email, firstName: 'Ada' },
  ])
})

test('the username of a deleted account stays taken, its wallet and address are available again', async () => {
  const ada = await givenMember(auth)
  const { address } = Wallet.createRandom()
  await connect(ada, address)
  await expireFreezeLinks(auth)
  await remove(ada)

  const newcomer = person({ username: ada.username.toUpperCase() })
  const answer = await auth.call('POST', '/api/auth/signup', { body: newcomer })
  expect(answer).toMatchObject({ status: 400, body: { code: 'username_unavailable' } })

  const again = await givenMember(auth, { email: ada.email })
  expect(again.id).not.toBe(ada.id)
  expect((await connect(again, address)).status).toBe(200)
})

test('links mailed before the deletion are invalid afterwards', async () => {
  const ada = await givenMember(auth)
  const token = await mailedToken(auth.db, 'email-confirmation-requested', ada.email)
  await remove(ada)
  expect((await auth.call('POST', '/api/auth/verify-email', { body: { token } })).status).toBe(400)
  await expect(auth.internal(getBuyer, { params: { id: ada.id } })).rejects.toMatchObject({ statusCode: 404 })
})

test('the database refuses to restore a deleted account', async () => {
  const ada = await givenMember(auth)
  await remove(ada)
  const restore = auth.db
    .updateTable('account')
    .set({ firstName: 'Ada', deletedAt: null })
    .where('id', '=', ada.id)
    .execute()
  await expect(restore).rejects.toThrow('a deleted account does not change')
})

test('the account-deleted event, which contains personal data, is erased after 30 days', async () => {
  const ada = await givenMember(auth)
  await remove(ada)
  await untilOutboxIsPublished()
  await sql`update outbox set published_at = now() - interval '31 days' where key = ${ada.id}`.execute(auth.db)

  await deleteOldMessages(auth.db)

  expect(await auth.db.selectFrom('outbox').select('name').where('key', '=', ada.id).execute()).toEqual([])
})

test('an unsubscribe link switches flags of an account, keeps the others and publishes the account', async () => {
  const ada = await givenMember(auth)
  await auth.internal(switchNotifications, { params: { id: ada.id }, body: { message: false, unsubscribeNews: true } })

  const { body } = await auth.call('GET', '/api/auth/user', { token: ada.token })
  const { notifications } = body.user ?? body
  expect(notifications).toMatchObject({ message: false, unsubscribeNews: true, follow: true, companyNews: false })
  const published = await publishedEvents(auth.db, 'account-changed', ada.id)
  expect(published.at(-1)).toMatchObject({ notifications })

  await remove(ada)
  const again = auth.internal(switchNotifications, { params: { id: ada.id }, body: { message: true } })
  await expect(again).rejects.toMatchObject({ statusCode: 404 })
})
