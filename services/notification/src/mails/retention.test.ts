import { accountChanged, accountDeleted, passwordResetRequested, sellerApplicationChanged } from '@nifty/events/auth'
import { messageOf } from '@nifty/service-kit/testing/events'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { eraseDeletedRecipients } from '../recipients/recipient.store.ts'
import { account, operatorEmail, sealed, startNotificationWithMails } from '../testing/notification.ts'
import { insertMail } from './mail.actions.ts'
import { eraseOldMails } from './retention.ts'

const { db, post, consume, mailsTo } = await startNotificationWithMails()

const allSent = () =>
  vi.waitUntil(
    async () => (await db.selectFrom('mail').select('id').where('sentAt', 'is', null).execute()).length === 0,
    30_000,
  )

test('addresses in sent mails are erased an hour after the account, and otherwise after 30 days', async () => {
  const [ben, ada] = [account(), account()]
  const recipients = async () =>
    (await db.selectFrom('mail').select('recipient').execute()).map(({ recipient }) => recipient)
  for (const person of [ben, ada]) {
    await consume(messageOf(accountChanged, person))
    await consume(messageOf(passwordResetRequested, { ...person, token: sealed('secret') }))
  }
  await consume(messageOf(accountDeleted, ben))
  await allSent()
  await eraseDeletedRecipients(db)
  expect(await recipients()).toContain(ben.email)

  await sql`update recipient set deleted_at = deleted_at - interval '61 minutes'`.execute(db)
  await eraseDeletedRecipients(db)
  expect(await recipients()).not.toContain(ben.email)
  expect(await recipients()).toContain(ada.email)

  await sql`update mail set sent_at = now() - interval '31 days'`.execute(db)
  await eraseOldMails(db)
  expect(await recipients()).not.toContain(ada.email)
})

/** What is stored of mails whose row names this person. */
const storedAbout = async (text: string) =>
  (await db.selectFrom('mail').selectAll().execute()).filter((mail) => JSON.stringify(mail).includes(text))

test('mails to the operator about an account keep neither its name nor its address once it is erased', async () => {
  const eve = account({ username: '@eve.of.the.lake' })
  await consume(messageOf(accountChanged, eve))
  const application = {
    applicationId: crypto.randomUUID(),
    state: 'waiting',
    links: [],
    message: 'I paint',
    answer: '',
  }
  await consume(messageOf(sellerApplicationChanged, { ...eve, ...application }))
  await post('/api/contact', { name: 'Eve', email: eve.email, subject: `I am ${eve.username}`, message: 'Hello' })
  await allSent()
  expect(mailsTo(operatorEmail).map(({ subject }) => subject)).toContain('An application to sell')
  expect(await storedAbout(eve.email)).toHaveLength(3)

  await consume(messageOf(accountDeleted, eve))
  await allSent()
  await sql`update recipient set deleted_at = deleted_at - interval '61 minutes'`.execute(db)
  await eraseDeletedRecipients(db)
  expect(await storedAbout(eve.email)).toEqual([])
  expect(await storedAbout(eve.username)).toEqual([])
})

test('a mail that was given up is erased after 30 days, its text too, and a former subject with it', async () => {
  const mail = { template: 'test', recipient: 'fay@people.test', replyTo: null, html: null }
  await db.transaction().execute(async (trx) => {
    await insertMail(trx, { ...mail, subjectId: 'given up', subject: 'To Fay', text: 'Dear Fay' })
    // As the former version erases it.
    await insertMail(trx, { ...mail, subjectId: 'erased before', recipient: '', subject: 'To Fay', text: 'Dear Fay' })
    await sql`update mail set failed_at = now() - interval '31 days' where template = 'test'`.execute(trx)
  })
  expect(await eraseOldMails(db)).toBe(false)
  expect(await storedAbout('Fay')).toEqual([])
  expect(await storedAbout('fay@people.test')).toEqual([])
})
