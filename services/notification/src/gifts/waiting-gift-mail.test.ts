import { randomUUID } from 'node:crypto'
import { atEnd } from '@nifty/dev-servers/at-end'
import { accountChanged } from '@nifty/events/auth'
import { giftEnded, giftOffered } from '@nifty/events/minting'
import { messageOf } from '@nifty/service-kit/testing/events'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { account, sealed, startTestNotification } from '../testing/notification.ts'

const { consume, db, stop } = await startTestNotification('smtp://127.0.0.1:9')
atEnd(stop)
// No mail is due during the tests.
await sql`alter table mail alter next_attempt_at set default now() + interval '1 hour'`.execute(db)

const at = new Date().toISOString()
const until = new Date(Date.now() + 86_400_000).toISOString()

const given = () => ({
  giftId: randomUUID(),
  giverId: randomUUID(),
  token: `0x${'ab'.repeat(20)}/7`,
  name: 'Dusk',
  orderId: null,
  at,
})
const offer = (gift: ReturnType<typeof given>, link = 'secret') =>
  consume(
    messageOf(giftOffered, {
      ...gift,
      image: null,
      number: 1,
      email: `${gift.giftId}@people.test`,
      text: '',
      link: sealed(link),
      until,
    }),
  )
const waiting = async ({ giftId }: { giftId: string }) =>
  (await db.selectFrom('mail').select('subjectId').where('recipient', '=', `${giftId}@people.test`).execute()).length

test.each(['taken_back', 'lapsed', 'ended', 'claimed'] as const)(
  'the link of a gift that is %s is not mailed any more, and that of another gift is',
  async (why) => {
    const [gift, other] = [given(), given()]
    await offer(gift)
    await offer(other)
    await consume(messageOf(giftEnded, { ...gift, why, recipientId: null }))
    expect([await waiting(gift), await waiting(other)]).toEqual([0, 1])
  },
)

test('only the newest link of a gift waits', async () => {
  const gift = given()
  await offer(gift)
  await offer(gift, 'corrected')
  expect(await waiting(gift)).toBe(1)
})

test('the giver gets no mail about a gift that was taken back or refunded, and one that it was accepted or lapsed', async () => {
  const giver = account()
  await consume(messageOf(accountChanged, giver))
  const mails = () => db.selectFrom('mail').select('template').where('recipient', '=', giver.email).execute()
  for (const why of ['taken_back', 'ended'] as const) {
    await consume(messageOf(giftEnded, { ...given(), giverId: giver.userId, why, recipientId: null }))
    expect(await mails()).toEqual([])
  }
  for (const why of ['claimed', 'lapsed'] as const)
    await consume(messageOf(giftEnded, { ...given(), giverId: giver.userId, why, recipientId: null }))
  expect(await mails()).toEqual([{ template: 'gift-claimed' }, { template: 'gift-lapsed' }])
})
