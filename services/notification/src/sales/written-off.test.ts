import { accountChanged } from '@nifty/events/auth'
import { orderLineAuthorised, orderLineWrittenOff } from '@nifty/events/payments'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { account, line, publicUrl, startNotificationWithMails, until } from '../testing/notification.ts'

const { consume, db, mailsTo } = await startNotificationWithMails()

test('buyer and seller of a line that was written off get a mail, and the line is closed', async () => {
  const [ben, ada] = [account(), account()]
  for (const person of [ben, ada]) await consume(messageOf(accountChanged, person))
  const sale = line(ben.userId, ada.userId)
  const deliverBy = new Date().toISOString()
  await consume(messageOf(orderLineAuthorised, { ...sale, wallet: `0x${'1'.repeat(40)}`, deliverBy }))

  await consume(messageOf(orderLineWrittenOff, { ...sale, sellerCents: 10_800, txHash: `0x${'1'.repeat(64)}` }))

  await until(() => mailsTo(ben.email).length === 1 && mailsTo(ada.email).length === 1)
  const { subject, text } = mailsTo(ben.email)[0]!
  expect(subject).toContain('has arrived')
  expect(text).toContain('Your card was not charged')
  expect(text).toContain(`${publicUrl}/orders/${sale.orderId}`)
  expect(text).not.toContain('Charged:')
  expect(mailsTo(ada.email)[0]!.text).toContain('Your share: 108\u00a0€')
  expect(await db.selectFrom('openLine').selectAll().execute()).toEqual([])
  const notices = await db.selectFrom('notice').select(['userId', 'what']).execute()
  expect(notices).toEqual([{ userId: ada.userId, what: 'own_sold' }])
})

test('a line whose end was consumed first is not opened by a replayed dead letter', async () => {
  const [ben, ada] = [account(), account()]
  for (const person of [ben, ada]) await consume(messageOf(accountChanged, person))
  const sale = line(ben.userId, ada.userId)
  const deliverBy = new Date().toISOString()
  await consume(messageOf(orderLineWrittenOff, { ...sale, sellerCents: 10_800, txHash: `0x${'1'.repeat(64)}` }))

  await consume(messageOf(orderLineAuthorised, { ...sale, wallet: `0x${'1'.repeat(40)}`, deliverBy }))

  expect(await db.selectFrom('openLine').selectAll().execute()).toEqual([])
})
