import { randomUUID } from 'node:crypto'
import { accountChanged, accountDeleted } from '@nifty/events/auth'
import { itemNews } from '@nifty/events/catalog'
import { orderLineCompleted } from '@nifty/events/payments'
import { messageOf } from '@nifty/service-kit/testing/events'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { account, headerOf, line, publicUrl, startNotificationWithMails, until } from '../testing/notification.ts'
import { deleteOldNotices } from './notice.store.ts'

const { app, db, peers, consume, mailsTo } = await startNotificationWithMails()

/** Yesterday: notices older than 90 days are deleted by a worker, which runs first when the service starts. */
const start = Date.now() - 86_400_000
const minutesLater = (minutes: number) => new Date(start + minutes * 60_000).toISOString()

async function given({ confirmed = true, ...flags }: { confirmed?: boolean } & Record<string, boolean> = {}) {
  const person = account()
  const changed = { ...person, notifications: { ...person.notifications, salePromotion: true, ...flags } }
  await consume(messageOf(accountChanged, changed))
  if (confirmed) peers.confirmed.add(person.userId)
  return changed
}

const news = (userIds: string[], changes: object = {}) => ({
  itemId: randomUUID(),
  contract: `0x${'Ab'.repeat(20)}`,
  identifier: '7',
  name: 'Dusk <over> the harbour',
  artist: 'Grace Hopper',
  what: 'cheaper' as const,
  priceCents: 9_050 as number | null,
  userIds,
  at: minutesLater(0),
  ...changes,
})
const send = async (method: 'GET' | 'POST', url: string, { userId }: { userId: string }, payload?: object) => {
  const response = await app.inject({ method, url, headers: peers.steppedUp(userId), payload })
  return { status: response.statusCode, body: response.json() }
}
const noticesOf = async (person: { userId: string }) => (await send('GET', '/api/notices', person)).body
const untilMailsAreQueued = () =>
  expect.poll(() => db.selectFrom('notice').select('id').where('mailDue', '=', true).execute()).toEqual([])

test('an event that arrives twice gives one notice and one mail, with price, link and one-click headers', async () => {
  const ada = await given()
  const event = news([ada.userId])
  const message = messageOf(itemNews, event)
  await consume(message)
  await consume(message)
  await consume(messageOf(itemNews, event))

  expect(await noticesOf(ada)).toMatchObject({
    notices: [{ what: 'cheaper', name: event.name, artist: 'Grace Hopper', price: 90.5, at: event.at, read: false }],
    unread: 1,
  })
  await until(() => mailsTo(ada.email).length === 1)
  const [mail] = mailsTo(ada.email)
  expect(mail!.subject).toBe('“Dusk <over> the harbour” costs less now')
  expect(mail!.text).toContain('90.50\u00a0€')
  expect(mail!.text).toContain(`${publicUrl}/item-detail/unknown/${event.contract}/7`)
  expect(mail!.html).toContain('Dusk &lt;over&gt; the harbour')
  expect(await headerOf(mail!, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
  expect(await headerOf(mail!, 'List-Unsubscribe')).toContain(`token=salePromotion.${ada.userId}.`)
  await untilMailsAreQueued()
  const queued = await db.selectFrom('mail').select('id').where('recipient', '=', ada.email).execute()
  expect(queued).toHaveLength(1)
})

test('a work that is named like a placeholder gets no token of the reader', async () => {
  const ada = await given()
  const name = 'evil.example/?TOKEN-TO-UNSUBSCRIBE&TOKEN-OF-THIS-LINK'
  await consume(messageOf(itemNews, news([ada.userId], { name })))
  await until(() => mailsTo(ada.email).length === 1)
  const { subject, text, html } = mailsTo(ada.email)[0]!
  expect(subject).toContain(name)
  expect(text).toContain(`Work: ${name}`)
  expect(html).toContain(name.replace('&', '&amp;'))
  expect(text).toContain(`${publicUrl}/unsubscribe#salePromotion.${ada.userId}.`)
})

test('while auth is asked about an account, no transaction is open', async () => {
  const ada = await given()
  const before = peers.state.asked
  const { promise, resolve } = Promise.withResolvers<void>()
  peers.state.answersAfter = promise
  await consume(messageOf(itemNews, news([ada.userId])))
  await until(() => peers.state.asked > before)
  const ended = await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`.execute(db)
  resolve()
  await until(() => mailsTo(ada.email).length === 1)
  expect(ended.rows).toEqual([])
})

test('a later event of the kind replaces the notice, which is unread again; an older one changes nothing', async () => {
  const ada = await given({ salePromotion: false })
  const event = news([ada.userId])
  await consume(messageOf(itemNews, event))
  expect((await send('POST', '/api/notices/read', ada, { upTo: event.at })).status).toBe(200)
  expect(await noticesOf(ada)).toMatchObject({ notices: [{ read: true }], unread: 0 })

  await consume(messageOf(itemNews, { ...event, priceCents: 5_000, at: minutesLater(5) }))
  await consume(messageOf(itemNews, { ...event, priceCents: 7_000, at: minutesLater(3) }))

  expect(await noticesOf(ada)).toMatchObject({ notices: [{ price: 50, read: false }], unread: 1 })
  expect(await db.selectFrom('mail').select('id').where('recipient', '=', ada.email).execute()).toEqual([])
})

test('a work that becomes free again several times a day is mailed once a day', async () => {
  const ada = await given()
  const event = news([ada.userId], { what: 'available' })
  for (const minutes of [0, 40, 80]) await consume(messageOf(itemNews, { ...event, at: minutesLater(minutes) }))
  await untilMailsAreQueued()
  const queued = await db.selectFrom('mail').select('template').where('recipient', '=', ada.email).execute()
  expect(queued).toEqual([{ template: 'notice-available' }])
  expect((await noticesOf(ada)).notices).toHaveLength(1)
})

test('the flags of the account decide about mails, not about notices', async () => {
  const [follower, quiet] = [
    await given({ salePromotion: false }),
    await given({ follow: false, salePromotion: false }),
  ]
  const both = [follower.userId, quiet.userId]
  await consume(messageOf(itemNews, news(both, { what: 'listed' })))
  await consume(messageOf(itemNews, news(both, { what: 'sold', priceCents: null })))
  await until(() => mailsTo(follower.email).length === 1)
  expect(mailsTo(follower.email)[0]!.text).toContain('Grace Hopper, whom you follow')
  expect(await headerOf(mailsTo(follower.email)[0]!, 'List-Unsubscribe')).toContain(`token=follow.${follower.userId}.`)
  await untilMailsAreQueued()
  expect(await db.selectFrom('mail').select('id').where('recipient', '=', quiet.email).execute()).toEqual([])
  for (const person of [follower, quiet]) expect((await noticesOf(person)).notices).toHaveLength(2)
})

test('an address that is not confirmed gets no mail, and while auth does not respond the mail waits', async () => {
  const [eve, ada] = [await given({ confirmed: false }), await given()]
  peers.state.fails = true
  await consume(messageOf(itemNews, news([eve.userId, ada.userId])))
  expect((await noticesOf(eve)).unread).toBe(1)
  expect(await db.selectFrom('mail').select('id').where('recipient', '=', ada.email).execute()).toEqual([])
  peers.state.fails = false
  await until(() => mailsTo(ada.email).length === 1)
  await untilMailsAreQueued()
  expect(await db.selectFrom('mail').select('id').where('recipient', '=', eve.email).execute()).toEqual([])
})

test('a sale of an own work is a notice for its seller, once', async () => {
  const [ben, ada] = [await given(), await given()]
  const sale = line(ben.userId, ada.userId)
  const event = { ...sale, sellerCents: 1, commissionCents: 1, royaltyCents: 0, txHash: `0x${'1'.repeat(64)}` }
  for (let times = 0; times < 2; times++) await consume(messageOf(orderLineCompleted, event))
  const [contract, identifier] = sale.token.split('/')
  expect(await noticesOf(ada)).toMatchObject({
    notices: [{ what: 'own_sold', name: sale.name, price: 120.5, contract, identifier }],
    unread: 1,
  })
  expect((await noticesOf(ben)).notices).toEqual([])
})

test('notices belong to their account: nobody else reads them or marks them as read', async () => {
  const [ada, eve] = [await given(), await given()]
  await consume(messageOf(itemNews, news([ada.userId])))
  expect(await noticesOf(eve)).toEqual({ notices: [], unread: 0 })
  await send('POST', '/api/notices/read', eve, { upTo: minutesLater(60) })
  expect((await noticesOf(ada)).unread).toBe(1)
  for (const body of [{}, { upTo: 'yesterday' }, { upTo: 7 }])
    expect((await send('POST', '/api/notices/read', ada, body)).status).toBe(400)
  for (const [upTo, status] of [
    ['0000-01-01T00:00:00Z', 200],
    ['2020-01-01T00:00:00+23:00', 200],
    ['2016-12-31T23:59:60Z', 400],
  ])
    expect((await send('POST', '/api/notices/read', ada, { upTo })).status).toBe(status)
  expect((await noticesOf(ada)).unread).toBe(1)
  expect((await app.inject('/api/notices')).statusCode).toBe(401)
})

test('the notices of one work are marked as read on their own', async () => {
  const ada = await given({ salePromotion: false })
  const [seen, other] = [news([ada.userId]), news([ada.userId], { at: minutesLater(-1), identifier: '8' })]
  for (const event of [seen, other]) await consume(messageOf(itemNews, event))
  const of = async () => (await noticesOf(ada)).notices.map(({ read }: any) => read)
  const { contract, identifier, at: upTo } = seen
  const path = '/api/notices/read-of-work'
  const statuses = []
  for (const body of [
    { upTo, contract },
    { upTo: '2016-12-31T23:59:60Z', contract, identifier },
  ])
    statuses.push((await send('POST', path, ada, body)).status)
  statuses.push((await send('POST', path, ada, { upTo, contract, identifier: '9' })).status)
  expect(await of()).toEqual([false, false])
  statuses.push((await send('POST', path, ada, { upTo, contract, identifier })).status)
  expect(await of()).toEqual([true, false])
  expect(statuses).toEqual([400, 400, 200, 200])
})

test('a list has the newest 50 notices and counts all that are unread', async () => {
  const ada = await given({ salePromotion: false })
  for (let minutes = 0; minutes < 52; minutes++)
    await consume(messageOf(itemNews, news([ada.userId], { at: minutesLater(minutes) })))
  const { notices, unread } = await noticesOf(ada)
  expect({ length: notices.length, first: notices[0].at, unread }).toEqual({
    length: 50,
    first: minutesLater(51),
    unread: 52,
  })
})

test('a notice of a kind that a newer release has stored is neither listed nor counted', async () => {
  const ada = await given({ salePromotion: false })
  const event = news([ada.userId])
  await consume(messageOf(itemNews, event))
  await sql`alter table notice drop constraint notice_what_check`.execute(db)
  await sql`insert into notice (user_id, what, item_id, contract, identifier, name, at)
    values (${ada.userId}, 'of_a_newer_release', ${event.itemId}, ${event.contract}, '7', 'Dusk', now())`.execute(db)
  const { status, body } = await send('GET', '/api/notices', ada)
  expect({ status, body }).toMatchObject({ status: 200, body: { notices: [{ what: 'cheaper' }], unread: 1 } })
})

test('a deleted account has no notices, and events that arrive later add none; the export has them before', async () => {
  const ada = await given()
  const event = news([ada.userId])
  await consume(messageOf(itemNews, event))
  const { records } = (await send('GET', '/api/subscribe/export', ada)).body
  expect(records.map(({ kind }: { kind: string }) => kind)).toContain('notice')

  const { userId, username, email, firstName } = ada
  await consume(messageOf(accountDeleted, { userId, username, email, firstName, at: minutesLater(1) }))
  await consume(messageOf(itemNews, { ...event, at: minutesLater(2) }))

  expect(await db.selectFrom('notice').select('id').where('userId', '=', userId).execute()).toEqual([])
})

test('notices are kept for 90 days', async () => {
  const ada = await given({ salePromotion: false })
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  for (const days of [89, 91]) await consume(messageOf(itemNews, news([ada.userId], { at: daysAgo(days) })))
  await deleteOldNotices(db)
  expect((await noticesOf(ada)).notices).toHaveLength(1)
})
