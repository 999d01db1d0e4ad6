import { randomUUID } from 'node:crypto'
import { listSubscribers } from '@nifty/api/notification/ops'
import { accountChanged } from '@nifty/events/auth'
import { orderLineCompleted } from '@nifty/events/payments'
import { messageOf } from '@nifty/service-kit/testing/events'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { account, headerOf, line, publicUrl, startNotificationWithMails, until } from '../testing/notification.ts'

const { app, db, peers, consume, internal, post, mailsTo } = await startNotificationWithMails()

const given = async (flags: object = {}) => {
  const person = account()
  const changed = { ...person, notifications: { ...person.notifications, ...flags } }
  await consume(messageOf(accountChanged, changed))
  return changed
}

/** Subscribes and confirms. Returns the address, and the token of the unsubscribe link. */
async function givenSubscriber(email = `${randomUUID()}@people.test`) {
  await post('/api/subscribe', { email })
  await until(() => mailsTo(email).length === 1)
  const [mail] = mailsTo(email)
  const [, confirmation] = /newsletter=([\w-]+)/.exec(mail!.text)!
  const [, token] = /\/unsubscribe#(\S+)/.exec(mail!.text)!
  expect((await post('/api/subscribe/confirm', { token: confirmation! })).statusCode).toBe(200)
  return { email, mail: mail!, token: token! }
}

const exported = async () => (await internal(listSubscribers, { body: {} })).subscribers
const find = async (email: string) => (await exported()).find((each) => each.email === email)
const postForm = (url: string, type = 'application/x-www-form-urlencoded', payload = 'List-Unsubscribe=One-Click') =>
  app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload })

test('the mail of the newsletter has the headers of RFC 8058, and their address ends the subscription with one post', async () => {
  const { email, mail, token } = await givenSubscriber()
  expect(await headerOf(mail, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
  expect(await headerOf(mail, 'List-Unsubscribe')).toBe(`<${publicUrl}/api/subscribe/one-click?token=${token}>`)
  expect(mail.html).toContain(`${publicUrl}/unsubscribe#${token}`)
  expect(await find(email)).toMatchObject({ confirmedAt: expect.any(String) })

  const url = `/api/subscribe/one-click?token=${token}`
  for (let times = 0; times < 2; times++) expect((await postForm(url)).statusCode).toBe(200)

  expect(await find(email)).toBeUndefined()
})

test('the form may come as multipart, and opening the address leads to the page without ending anything', async () => {
  const { email, token } = await givenSubscriber()
  const url = `/api/subscribe/one-click?token=${token}`
  const opened = await app.inject(url)
  expect(opened).toMatchObject({ statusCode: 303, headers: { location: `${publicUrl}/unsubscribe#${token}` } })
  expect(await find(email)).toBeDefined()

  expect((await postForm(url, 'multipart/form-data; boundary=x', '--x--')).statusCode).toBe(200)

  expect(await find(email)).toBeUndefined()
})

test('the page unsubscribes with the token of the mail, and learns which mails end', async () => {
  const { email, token } = await givenSubscriber()
  expect((await post('/api/subscribe/unsubscribe', { token })).json()).toEqual({ success: true, list: 'newsletter' })
  expect(await find(email)).toBeUndefined()
})

test('a changed token is a 400 and ends nothing', async () => {
  const { email, token } = await givenSubscriber()
  const { token: other } = await givenSubscriber()
  const [list, id] = token.split('.')
  const forged = [
    `follow.${id}.${token.split('.')[2]}`,
    `${list}.${id}.${other.split('.')[2]}`,
    `${token}A`,
    '',
    'x.y.z',
  ]
  for (const each of forged) {
    expect((await post('/api/subscribe/unsubscribe', { token: each })).json()).toMatchObject({ code: 'invalid_link' })
    expect((await postForm(`/api/subscribe/one-click?token=${encodeURIComponent(each)}`)).statusCode).toBe(400)
  }
  expect((await post('/api/subscribe/unsubscribe', {})).statusCode).toBe(400)
  expect((await postForm('/api/subscribe/one-click')).statusCode).toBe(400)
  expect(await find(email)).toBeDefined()
})

test('the link in a mail about a sale switches the flag of the account off, also when it was deleted meanwhile', async () => {
  const seller = await given()
  const shares = { sellerCents: 1, commissionCents: 1, royaltyCents: 0, txHash: `0x${'1'.repeat(64)}` }
  const buyer = await given()
  await consume(messageOf(orderLineCompleted, { ...line(buyer.userId, seller.userId), ...shares }))
  await until(() => mailsTo(seller.email).length === 1 && mailsTo(buyer.email).length === 1)
  const [mail] = mailsTo(seller.email)
  const [, token] = /\/unsubscribe#(\S+)/.exec(mail!.text)!
  expect(await headerOf(mail!, 'List-Unsubscribe')).toContain(token)
  expect(await headerOf(mailsTo(buyer.email)[0]!, 'List-Unsubscribe')).toBeUndefined()

  expect((await post('/api/subscribe/unsubscribe', { token: token! })).json()).toMatchObject({ list: 'message' })
  expect(peers.switched).toContainEqual({ userId: seller.userId, flags: { message: false } })

  peers.state.fails = true
  expect((await post('/api/subscribe/unsubscribe', { token: token! })).statusCode).toBe(503)
  peers.state.fails = false
  peers.unknown.add(seller.userId)
  expect((await post('/api/subscribe/unsubscribe', { token: token! })).statusCode).toBe(200)
})

test('accounts with the newsletter in their settings are exported once their address is confirmed, and may leave', async () => {
  const [ada, eve, quiet] = [
    await given({ companyNews: true }),
    await given({ companyNews: true }),
    await given({ companyNews: true, unsubscribeNews: true }),
  ]
  for (const { userId } of [ada, quiet]) peers.confirmed.add(userId)
  expect(await find(ada.email)).toMatchObject({ confirmedAt: null })
  expect(await find(eve.email)).toBeUndefined()
  expect(await find(quiet.email)).toBeUndefined()

  const { oneClickUrl } = (await find(ada.email))!
  expect((await postForm(oneClickUrl.slice(publicUrl.length))).statusCode).toBe(200)

  const flags = { companyNews: false, unsubscribeNews: true }
  expect(peers.switched).toContainEqual({ userId: ada.userId, flags })
})

test('an account that refuses the newsletter is not exported by its subscription, until it confirms one again', async () => {
  const ada = await given({ unsubscribeNews: true })
  await db.insertInto('subscriber').values({ email: ada.email, tokenHash: null, confirmedAt: new Date() }).execute()
  expect(await find(ada.email)).toBeUndefined()
  await db.deleteFrom('subscriber').where('email', '=', ada.email).execute()

  await givenSubscriber(ada.email)

  expect(peers.switched).toContainEqual({ userId: ada.userId, flags: { unsubscribeNews: false } })
})

test('an address that asked for the newsletter twice, as account and as visitor, is exported once and leaves both', async () => {
  const ada = await given({ companyNews: true })
  peers.confirmed.add(ada.userId)
  const { token } = await givenSubscriber(ada.email)
  expect((await exported()).filter(({ email }) => email === ada.email)).toHaveLength(1)

  await post('/api/subscribe/unsubscribe', { token })

  expect(peers.switched).toContainEqual({ userId: ada.userId, flags: { companyNews: false, unsubscribeNews: true } })
})

test('the export comes in pages of 200 addresses, without those that did not confirm', async () => {
  await sql`
    insert into subscriber (email, confirmed_at)
    select 'page' || lpad(n::text, 4, '0') || '@x.test', case when n <= 450 then now() end from generate_series(1, 460) n
  `.execute(db)
  const emails: string[] = []
  for (let after: string | null | undefined; after !== null; ) {
    const page: Awaited<ReturnType<typeof internal<typeof listSubscribers>>> = await internal(listSubscribers, {
      body: { after },
    })
    expect(page.subscribers.length).toBeLessThanOrEqual(200)
    emails.push(...page.subscribers.map(({ email }) => email))
    after = page.next
  }
  expect(emails.filter((email) => email.startsWith('page'))).toHaveLength(450)
  expect(new Set(emails).size).toBe(emails.length)
})

test('mails that wait for the mail server are not sent once their kind is switched off', async () => {
  const person = await given({ follow: true, salePromotion: true })
  const lists = ['message', 'follow', 'salePromotion']
  await db
    .insertInto('mail')
    .values(
      lists.map((list) => ({
        template: list,
        subjectId: randomUUID(),
        recipient: person.email,
        replyTo: null,
        subject: list,
        text: list,
        html: null,
        sealedToken: null,
        error: 'The mail server is down',
        sentAt: null,
        failedAt: null,
        unsubscribe: `${list}.${person.userId}`,
        nextAttemptAt: new Date(Date.now() + 3_600_000),
      })),
    )
    .execute()

  const notifications = { ...person.notifications, message: false, salePromotion: false }
  await consume(messageOf(accountChanged, { ...person, version: 2, notifications }))

  const waiting = await db.selectFrom('mail').select('template').where('recipient', '=', person.email).execute()
  expect(waiting).toEqual([{ template: 'follow' }])
})
