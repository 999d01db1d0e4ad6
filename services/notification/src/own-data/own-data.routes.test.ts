import { accountChanged, securityNoticeRequested } from '@nifty/events/auth'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { account, sealed, startNotificationWithMails } from '../testing/notification.ts'

const { db, app, peers, consume } = await startNotificationWithMails()

async function given() {
  const person = account()
  await consume(messageOf(accountChanged, person))
  const notice = { what: 'password_changed', to: null, freezeToken: sealed('freezing'), at: new Date().toISOString() }
  await consume(messageOf(securityNoticeRequested, { ...person, ...notice } as never))
  await db
    .insertInto('subscriber')
    .values({ email: person.email, tokenHash: `a hash ${person.userId}`, confirmedAt: null })
    .execute()
  return person
}
const read = async ({ userId }: { userId: string }) =>
  (await app.inject({ url: '/api/subscribe/export', headers: peers.steppedUp(userId) })).json()
const kinds = ({ records }: { records: { kind: string }[] }) => records.map(({ kind }) => kind)

test('the owner of a confirmed address exports it with newsletter and mails, without texts and tokens', async () => {
  const [ada, eve] = [await given(), await given()]
  peers.confirmed.add(ada.userId)

  const body = await read(ada)
  expect(peers.exports).toEqual([ada.userId])

  expect(kinds(body)).toEqual(['mail_address', 'newsletter', 'mail'])
  expect(body.records[2].data).toMatchObject({ subject: 'A change to your Nifty account' })
  expect(JSON.stringify(body)).not.toMatch(/a hash|sealed|freez|html/)
  expect(JSON.stringify(body)).not.toContain(eve.email)
})

test('an address that is not confirmed may be another person’s: neither its newsletter nor its mails are exported', async () => {
  const eve = await given()
  expect(kinds(await read(eve))).toEqual(['mail_address'])
})

test('while auth does not respond the export is a 503, and without a token a 401', async () => {
  const ada = await given()
  peers.state.fails = true
  const answer = await app.inject({ url: '/api/subscribe/export', headers: peers.steppedUp(ada.userId) })
  peers.state.fails = false
  expect(answer.statusCode).toBe(503)
  expect((await app.inject('/api/subscribe/export')).statusCode).toBe(401)
})
