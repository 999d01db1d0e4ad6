import { randomUUID } from 'node:crypto'
import { openDatabase } from '@nifty/service-kit/database/database'
import { createTestDatabase } from '@nifty/service-kit/testing/database'
import { testLog } from '@nifty/service-kit/testing/log'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { Database } from '../db.ts'
import { notification } from '../service.ts'
import { insertMail } from './mail.actions.ts'
import { claimMail, dropWaitingMails, markFailed, releaseMail } from './mail.store.ts'

const { url } = await createTestDatabase(notification.migrations)
const db = openDatabase<Database>({ url, log: testLog })
afterAll(() => db.destroy())

const SECONDS = 720
const list = 'follow' as const

/** A queued mail about news of an artist, which `id` may switch off. */
async function given(id: string) {
  const texts = { subject: 'A new work', text: 'It is new.', html: null }
  const mail = { template: 'news', subjectId: id, recipient: 'ben@people.test', replyTo: null }
  await insertMail(db, { ...mail, ...texts, unsubscribe: `${list}.${id}` })
}
const rows = () => db.selectFrom('mail').select(['attempts', 'claimedAt', 'failedAt', 'error']).execute()
const drop = (id: string) => db.transaction().execute((trx) => dropWaitingMails(trx, [{ list, id }]))
const endClaim = () => sql`update mail set next_attempt_at = now()`.execute(db)

test('the result of an attempt whose claim has ended does not end the claim of another process', async () => {
  await given(randomUUID())
  const late = (await claimMail(db, SECONDS))!
  expect(await claimMail(db, SECONDS)).toBeUndefined()
  await endClaim()
  await claimMail(db, SECONDS)

  await releaseMail(db, late, { error: 'too late', seconds: 0 })
  await markFailed(db, late, { error: 'too late', failure: 'refused' })
  expect(await rows()).toEqual([{ attempts: 2, claimedAt: expect.any(Date), failedAt: null, error: null }])
  expect(await claimMail(db, SECONDS)).toBeUndefined()
  await sql`truncate mail`.execute(db)
})

test('a mail that is being sent is not dropped when its kind is switched off, and is once its claim has ended', async () => {
  const id = randomUUID()
  await given(id)
  await claimMail(db, SECONDS)
  await drop(id)
  expect(await rows()).toHaveLength(1)
  await endClaim()
  await drop(id)
  expect(await rows()).toEqual([])
})
