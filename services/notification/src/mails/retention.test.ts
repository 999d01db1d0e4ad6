import { accountChanged, accountDeleted, passwordResetRequested } from '@nifty/events/auth'
import { messageOf } from '@nifty/service-kit/testing/events'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { eraseDeletedRecipients } from '../recipients/recipient.store.ts'
import { account, sealed, startNotificationWithMails } from '../testing/notification.ts'
import { eraseOldAddresses } from './retention.ts'

const { db, consume } = await startNotificationWithMails()

test('addresses in sent mails are erased an hour after the account, and otherwise after 30 days', async () => {
  const [ben, ada] = [account(), account()]
  const recipients = async () =>
    (await db.selectFrom('mail').select('recipient').execute()).map(({ recipient }) => recipient)
  for (const person of [ben, ada]) {
    await consume(messageOf(accountChanged, person))
    await consume(messageOf(passwordResetRequested, { ...person, token: sealed('secret') }))
  }
  await consume(messageOf(accountDeleted, ben))
  await vi.waitUntil(
    async () => (await db.selectFrom('mail').select('id').where('sentAt', 'is', null).execute()).length === 0,
    30_000,
  )
  await eraseDeletedRecipients(db)
  expect(await recipients()).toContain(ben.email)

  await sql`update recipient set deleted_at = deleted_at - interval '61 minutes'`.execute(db)
  await eraseDeletedRecipients(db)
  expect(await recipients()).not.toContain(ben.email)
  expect(await recipients()).toContain(ada.email)

  await sql`update mail set sent_at = now() - interval '31 days'`.execute(db)
  await eraseOldAddresses(db)
  expect(await recipients()).not.toContain(ada.email)
})
