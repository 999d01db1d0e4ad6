import { acknowledgeMails, getMailQueue } from '@nifty/api/notification/ops'
import { atEnd } from '@nifty/dev-servers/at-end'
import { randomToken, seal } from '@nifty/service-kit/base/secrets'
import { listOperatorActions } from '@nifty/service-kit/database/operator-audit'
import { expect, test } from 'vitest'
import { createCollectors } from '../metrics.ts'
import { mailTokenKeys, sealed, startTestNotification } from '../testing/notification.ts'
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

test('tokens of waiting mails that a former key encrypted are counted: without it these mails are never sent', async () => {
  const formerKey = randomToken()
  const wait = (subjectId: string, sealedToken: string) =>
    db.transaction().execute(async (trx) => {
      const mail = { template: 'test', subjectId, recipient: 'ada@people.test', replyTo: null, subject: 'A', text: 'B' }
      await insertMail(trx, { ...mail, html: null, sealedToken })
    })
  const counted = async (keys: readonly [string, ...string[]]) => {
    const read = await Promise.all(createCollectors(db, keys).map((each) => each.read()))
    return Object.assign({}, ...read).nifty_former_key_texts
  }
  await wait('present', sealed('token'))
  expect(await counted(mailTokenKeys)).toBe(0)
  await wait('former', seal('token', [formerKey]))
  expect(await counted([...mailTokenKeys, formerKey])).toBe(1)
  expect(await counted([formerKey, ...mailTokenKeys])).toBe(1)
  await db.updateTable('mail').set({ sentAt: new Date() }).where('subjectId', '=', 'former').execute()
  expect(await counted(mailTokenKeys)).toBe(0)
})
