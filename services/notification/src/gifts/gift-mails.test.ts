import { randomUUID } from 'node:crypto'
import { accountChanged } from '@nifty/events/auth'
import { giftEnded, giftOffered } from '@nifty/events/minting'
import { orderLineCompleted } from '@nifty/events/payments'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { account, line, publicUrl, sealed, startNotificationWithMails, until } from '../testing/notification.ts'

const { consume, mailsTo, db } = await startNotificationWithMails()

const at = new Date().toISOString()
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

const gift = (changes: object = {}) => ({
  giftId: randomUUID(),
  giverId: randomUUID(),
  token: `0x${'ab'.repeat(20)}/7`,
  name: 'Dusk <over> the harbour',
  image: '/uploads/nfts/dusk.png',
  number: 1,
  email: `${randomUUID()}@people.test`,
  text: 'Happy birthday,\nold friend & {token}',
  link: sealed('secret-1'),
  until: inDays(90),
  orderId: null,
  at,
  ...changes,
})

test('the link of a gift is mailed once, in the fragment, with the text of its giver, and is stored encrypted', async () => {
  const offered = gift()
  await consume(messageOf(giftOffered, offered))
  await consume(messageOf(giftOffered, offered))
  await until(() => mailsTo(offered.email).length === 1)
  const { subject, text, html } = mailsTo(offered.email)[0]!
  expect(subject).toBe('A gift for you: “Dusk <over> the harbour”')
  expect(text).toContain(`${publicUrl}/gift#secret-1`)
  expect(text).toContain('Happy birthday,\n\nold friend & {token}')
  expect(html).toContain(`${publicUrl}/uploads/nfts/dusk.png?w=640`)
  expect(html).toContain('Dusk &lt;over&gt; the harbour')
  expect(html).toContain('old friend &amp; {token}')
  const stored = await db.selectFrom('mail').selectAll().where('recipient', '=', offered.email).execute()
  expect(JSON.stringify(stored)).not.toContain('secret-1')
})

test('a corrected address gets a mail of its own', async () => {
  const offered = gift()
  const corrected = { ...offered, number: 2, email: `${randomUUID()}@people.test`, link: sealed('secret-2') }
  await consume(messageOf(giftOffered, offered))
  await consume(messageOf(giftOffered, corrected))
  await until(() => mailsTo(corrected.email).length === 1)
  expect(mailsTo(corrected.email)[0]!.text).toContain('/gift#secret-2')
})

test('a new link is mailed although a restored minting database gives it the number of a former one', async () => {
  const offered = gift()
  await consume(messageOf(giftOffered, offered))
  await until(() => mailsTo(offered.email).length === 1)
  await consume(messageOf(giftOffered, { ...offered, link: sealed('secret-again') }))
  await until(() => mailsTo(offered.email).length === 2)
  expect(mailsTo(offered.email).map(({ text }) => text.match(/gift#(\S+)/)?.[1])).toEqual(['secret-1', 'secret-again'])
})

test('a mail whose link has ended is not sent', async () => {
  const [past, later] = [gift({ until: inDays(-1) }), gift()]
  await consume(messageOf(giftOffered, past))
  await consume(messageOf(giftOffered, later))
  await until(() => mailsTo(later.email).length === 1)
  expect(mailsTo(past.email)).toEqual([])
})

test('the giver is told that a gift was accepted or lapsed, and not by whom', async () => {
  const ben = account()
  await consume(messageOf(accountChanged, ben))
  const orderId = randomUUID()
  const end = (why: 'claimed' | 'lapsed' | 'taken_back', recipientId: string | null) => {
    const { giftId, token, name } = gift()
    const order = why === 'lapsed' ? orderId : null
    return consume(
      messageOf(giftEnded, { giftId, giverId: ben.userId, token, name, why, recipientId, orderId: order, at }),
    )
  }
  const recipientId = randomUUID()
  await end('taken_back', null)
  await end('claimed', recipientId)
  await end('lapsed', null)
  await until(() => mailsTo(ben.email).length === 2)
  const subjects = mailsTo(ben.email).map(({ subject }) => subject)
  expect(subjects.toSorted()).toEqual([
    'Your gift “Dusk <over> the harbour” was accepted',
    'Your gift “Dusk <over> the harbour” was not accepted',
  ])
  expect(JSON.stringify(mailsTo(ben.email))).not.toContain(recipientId)
  // To the order that bought it, or to the work that its giver owned.
  const textOf = (end: string) => mailsTo(ben.email).find(({ subject }) => subject.endsWith(end))!.text
  expect(textOf('was not accepted')).toContain(`${publicUrl}/orders/${orderId}`)
  expect(textOf('was accepted')).toContain(`${publicUrl}/item-detail/unknown/${gift().token}`)
})

test('the mail about a purchase for somebody else says that the link is mailed, unless it was taken back before', async () => {
  const ben = account()
  await consume(messageOf(accountChanged, ben))
  const sale = line(ben.userId, randomUUID())
  const shares = { sellerCents: 1, commissionCents: 1, royaltyCents: 0, txHash: `0x${'1'.repeat(64)}` }
  await consume(messageOf(orderLineCompleted, { ...sale, ...shares, custody: true, gift: true }))
  await until(() => mailsTo(ben.email).length === 1)
  expect(mailsTo(ben.email)[0]!.subject).toContain('Your gift')
  expect(mailsTo(ben.email)[0]!.text).toContain(
    'mail the link to accept it to the address that you entered, unless you have taken the gift back',
  )
})
