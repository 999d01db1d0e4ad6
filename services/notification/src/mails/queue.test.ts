import { acknowledgeMails, getMailQueue } from '@nifty/api/notification/ops'
import { atEnd } from '@nifty/dev-servers/at-end'
import { listOperatorActions } from '@nifty/service-kit/database/operator-audit'
import { expect, test } from 'vitest'
import { startTestNotification } from '../testing/notification.ts'
import { insertMail } from './mail.actions.ts'

const { db, internal, stop } = await startTestNotification('smtp://127.0.0.1:1')
atEnd(stop)

const givenFailed = (subjectId: string, failure: 'attempts' | 'refused') =>
  db.transaction().execute(async (trx) => {
    const mail = { template: 'test', subjectId, recipient: 'ada@people.test', replyTo: null, subject: 'A', text: 'B' }
    await insertMail(trx, { ...mail, html: null })
    await trx
      .updateTable('mail')
      .set({ failedAt: new Date(), failure, error: 'no route' })
      .where('subjectId', '=', subjectId)
      .execute()
  })

test('mails that were given up or refused alarm until an operator acknowledges them, and later ones alarm again', async () => {
  const acknowledge = () => internal(acknowledgeMails, { body: { reason: 'the server is back' } })
  expect(await acknowledge()).toEqual({ acknowledged: 0 })
  await givenFailed('1', 'attempts')
  await givenFailed('2', 'refused')
  const alarming = { failedLastDay: 1, refusedLastDay: 1, acknowledgedLastDay: 0, error: 'no route' }
  expect(await internal(getMailQueue)).toMatchObject(alarming)

  expect(await acknowledge()).toEqual({ acknowledged: 2 })
  expect(await acknowledge()).toEqual({ acknowledged: 0 })
  const quiet = { failedLastDay: 0, refusedLastDay: 0, acknowledgedLastDay: 2, error: null }
  expect(await internal(getMailQueue)).toMatchObject(quiet)
  expect(await listOperatorActions(db, ['mails'])).toMatchObject([
    { action: 'acknowledge mails', operator: 'ada', reason: 'the server is back' },
  ])

  await givenFailed('3', 'attempts')
  expect(await internal(getMailQueue)).toMatchObject({ failedLastDay: 1, acknowledgedLastDay: 2, error: 'no route' })
})
