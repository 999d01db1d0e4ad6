import { accountChanged, accountDeleted, passwordResetRequested } from '@nifty/events/auth'
import { messageOf } from '@nifty/service-kit/testing/events'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { account, startMailServer, startTestNotification, until } from '../testing/notification.ts'
import { eraseOldAddresses } from './retention.ts'

const server = await startMailServer()
const { db, consume, stop } = await startTestNotification(`smtp://127.0.0.1:${server.smtp.getPort()}`)
afterAll(async () => {
  await stop()
  await server.stop()
})

test('addresses in sent mails are erased with the account, and otherwise after 30 days', async () => {
  const ben = account()
  const recipients = async () =>
    (await db.selectFrom('mail').select('recipient').execute()).map(({ recipient }) => recipient)
  await consume(messageOf(accountChanged, ben))
  await consume(messageOf(passwordResetRequested, { ...ben, token: 'secret' }))
  await vi.waitUntil(
    async () => (await db.selectFrom('mail').select('id').where('sentAt', 'is', null).execute()).length === 0,
    30_000,
  )
  expect(await recipients()).toContain(ben.email)

  await consume(messageOf(accountDeleted, ben))
  await until(() => server.mails.length === 2)
  expect((await recipients()).filter((recipient) => recipient === ben.email)).toHaveLength(1)

  await sql`update mail set sent_at = now() - interval '31 days'`.execute(db)
  await eraseOldAddresses(db)
  expect(await recipients()).not.toContain(ben.email)
})
