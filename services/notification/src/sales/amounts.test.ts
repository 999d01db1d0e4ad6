import { accountChanged } from '@nifty/events/auth'
import { orderLineCompleted } from '@nifty/events/payments'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { account, line, startNotificationWithMails, until } from '../testing/notification.ts'

const { consume, mailsTo } = await startNotificationWithMails()

test('amounts in mails read as they do on the pages of the store', async () => {
  const [ben, ada] = [account(), account()]
  for (const person of [ben, ada]) await consume(messageOf(accountChanged, person))
  const sale = { ...line(ben.userId, ada.userId), priceCents: 145_000 }
  const shares = { sellerCents: 130_500, commissionCents: 14_500, royaltyCents: 0, txHash: `0x${'1'.repeat(64)}` }

  await consume(messageOf(orderLineCompleted, { ...sale, ...shares }))

  await until(() => mailsTo(ben.email).length === 1 && mailsTo(ada.email).length === 1)
  expect(mailsTo(ben.email)[0]!.text).toContain('Charged: 1,450\u00a0€')
  expect(mailsTo(ada.email)[0]!.text).toContain('Price: 1,450\u00a0€\nYour share: 1,305\u00a0€')
})
