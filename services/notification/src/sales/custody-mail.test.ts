import { randomUUID } from 'node:crypto'
import { accountChanged } from '@nifty/events/auth'
import { orderLineCompleted } from '@nifty/events/payments'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { account, line, publicUrl, startNotificationWithMails, until } from '../testing/notification.ts'

const { consume, mails } = await startNotificationWithMails()

test('the mail about a work that the store keeps says so, how it moves to a wallet, and where', async () => {
  const ben = account()
  await consume(messageOf(accountChanged, ben))
  const sale = line(ben.userId, randomUUID())
  const shares = { sellerCents: 1, commissionCents: 1, royaltyCents: 0 }
  await consume(messageOf(orderLineCompleted, { ...sale, ...shares, txHash: `0x${'1'.repeat(64)}`, custody: true }))
  await until(() => mails.length === 1)
  const { text } = mails[0]!
  expect(text).toContain('we keep it for you, free of charge')
  expect(text).toContain('“Move to my wallet”')
  // CUSTODY_HOLD_HOURS may keep it in custody for a while.
  expect(text).not.toContain('any time')
  expect(text).toContain(`${publicUrl}/orders/${sale.orderId}`)
  expect(text).not.toContain('in your wallet')
})
