import { randomUUID } from 'node:crypto'
import { accountChanged } from '@nifty/events/auth'
import { itemNews } from '@nifty/events/catalog'
import { messageOf } from '@nifty/service-kit/testing/events'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deleteUnconfirmed } from '../newsletter/subscriber.store.ts'
import { account, headerOf, publicUrl, startNotificationWithMails, until } from '../testing/notification.ts'
import { isDigestDue } from './digest.store.ts'

const { db, peers, consume, mailsTo } = await startNotificationWithMails()

async function givenFollower() {
  const person = account()
  await consume(messageOf(accountChanged, person))
  peers.confirmed.add(person.userId)
  return person
}

const listed = (followers: { userId: string }[], artistId: string, changes: object = {}) =>
  messageOf(itemNews, {
    itemId: randomUUID(),
    contract: `0x${'Ab'.repeat(20)}`,
    identifier: '7',
    name: 'Dusk',
    artist: 'Grace Hopper',
    artistId,
    what: 'listed' as const,
    priceCents: 9_050,
    userIds: followers.map(({ userId }) => userId),
    at: new Date().toISOString(),
    ...changes,
  })

/** As if a day had passed. */
const endDay = () =>
  sql`
  with notices as (update notice set at = at - interval '1 day') update digest set day = day - 1`.execute(db)
const untilSent = () =>
  expect.poll(() => db.selectFrom('digest').select('day').execute(), { timeout: 15_000 }).toEqual([])

test('a follower gets one mail for each artist and day, when the day is over, however many works were listed', async () => {
  const [ada, ben] = [await givenFollower(), await givenFollower()]
  const [grace, joan] = [randomUUID(), randomUUID()]
  for (let number = 1; number <= 13; number++)
    await consume(listed([ada, ben], grace, { name: `Work ${number}`, identifier: String(number) }))
  await consume(listed([ada], joan, { artist: 'Joan', name: 'Noon' }))
  expect(await isDigestDue(db)).toBe(false)
  expect(await db.selectFrom('digest').select('userId').where('claimedUntil', 'is', null).execute()).toHaveLength(3)

  await endDay()
  await untilSent()

  await until(() => mailsTo(ada.email).length === 2 && mailsTo(ben.email).length === 1)
  const [mail] = mailsTo(ben.email)
  expect(mail!.subject).toBe('13 new works: “Work 1” and more')
  expect(mail!.text).toContain('Grace Hopper, whom you follow, has put 13 works on sale.')
  expect(mail!.text).toContain('Work 10, 90.50\u00a0€')
  expect(mail!.text).toContain('3 more')
  expect(mail!.text).toContain(`${publicUrl}/item-detail/unknown/0x${'Ab'.repeat(20)}/1`)
  expect(await headerOf(mail!, 'List-Unsubscribe')).toContain(`token=follow.${ben.userId}.`)
  expect(mailsTo(ada.email).map(({ subject }) => subject)).toContain('A new work: “Noon”')
})

test('a follower who leaves before the day is over gets no mail', async () => {
  const ada = await givenFollower()
  await consume(listed([ada], randomUUID()))
  const left = { ...ada, version: 2, notifications: { ...ada.notifications, follow: false } }
  await consume(messageOf(accountChanged, left))
  await endDay()
  await untilSent()
  expect(await db.selectFrom('mail').select('id').where('recipient', '=', ada.email).execute()).toEqual([])
})

test('an address of the newsletter that is not confirmed within 30 days is deleted', async () => {
  const days = (count: number) => sql<Date>`now() - make_interval(days => ${count})`
  const rows = [
    { email: 'new@people.test', requestedAt: days(29), confirmedAt: null },
    { email: 'old@people.test', requestedAt: days(31), confirmedAt: null },
    { email: 'reader@people.test', requestedAt: days(31), confirmedAt: days(31) },
  ]
  await db.insertInto('subscriber').values(rows).execute()
  await deleteUnconfirmed(db)
  const left = await db.selectFrom('subscriber').select('email').orderBy('email').execute()
  expect(left.map(({ email }) => email)).toEqual(['new@people.test', 'reader@people.test'])
})
