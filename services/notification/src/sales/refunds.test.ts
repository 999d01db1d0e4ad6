import { accountChanged } from '@nifty/events/auth'
import { orderLineLossAssigned, orderLineRefunded, orderLineRefundFailed } from '@nifty/events/payments'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { account, line, startNotificationWithMails, until } from '../testing/notification.ts'

const { consume, mailsTo } = await startNotificationWithMails()

async function given() {
  const [ben, ada] = [account(), account()]
  for (const person of [ben, ada]) await consume(messageOf(accountChanged, person))
  const subjects = (email: string) => mailsTo(email).map(({ subject }) => subject)
  return { ben, ada, sale: line(ben.userId, ada.userId), subjects }
}

test('each refund of a line has a mail to the buyer and to the seller, a repeated event none', async () => {
  const { ben, ada, sale } = await given()
  const refundOf = (refundId: string, refundedCents: number) =>
    consume(messageOf(orderLineRefunded, { ...sale, refundId, refundedCents }))
  await refundOf('re_1', 100)
  await refundOf('re_1', 100)
  await refundOf('re_2', 350)
  await until(() => mailsTo(ben.email).length === 2 && mailsTo(ada.email).length === 2)
  const texts = mailsTo(ben.email).map(({ text }) => text)
  expect(texts.some((text) => text.includes('sent 1\u00a0€ back'))).toBe(true)
  expect(texts.some((text) => text.includes('sent 3.50\u00a0€ back'))).toBe(true)
  expect(mailsTo(ada.email)[0]!.text).toContain('held back until we have decided')

  await consume(messageOf(orderLineRefunded, { ...sale, refundId: 're_5', refundedCents: 200, delivered: false }))
  await until(() => mailsTo(ben.email).length === 3)
  expect(mailsTo(ada.email)).toHaveLength(2)
})

test('a refund that failed has a mail of its own to the buyer', async () => {
  const { ben, sale, subjects } = await given()
  await consume(messageOf(orderLineRefunded, { ...sale, refundId: 're_3', refundedCents: 100 }))
  await consume(messageOf(orderLineRefundFailed, { ...sale, refundId: 're_3', refundedCents: 100 }))
  await until(() => subjects(ben.email).some((subject) => subject.includes('did not arrive')))
  expect(subjects(ben.email)).toHaveLength(2)
})

test('the seller is told of each decision about who bears a loss', async () => {
  const { ada, sale, subjects } = await given()
  const loss = { reversalId: 're_4', kind: 'refund', lostCents: 100 } as const
  const decide = (borneBy: 'platform' | 'seller', at: string) =>
    consume(messageOf(orderLineLossAssigned, { ...sale, ...loss, borneBy, at }))
  await decide('platform', '2026-11-01T00:00:00.000Z')
  await decide('seller', '2026-11-02T00:00:00.000Z')
  await until(() => subjects(ada.email).length === 2)
  expect(subjects(ada.email).sort()).toEqual([
    expect.stringContaining('is reversed'),
    expect.stringContaining('stays yours'),
  ])
})
