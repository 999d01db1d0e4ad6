import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import {
  answerContactMessage,
  assignContactMessage,
  getContactMessage,
  searchContactMessages,
  setContactMessageState,
} from '@nifty/api/notification/contact-messages'
import { getMailStatistics } from '@nifty/api/statistics'
import { accountChanged, accountDeleted } from '@nifty/events/auth'
import { listOperatorActions } from '@nifty/service-kit/database/operator-audit'
import { messageOf } from '@nifty/service-kit/testing/events'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eraseDeletedRecipients } from '../recipients/recipient.store.ts'
import { account, headerOf, operatorEmail, startNotificationWithMails, until } from '../testing/notification.ts'
import { deleteOldContactMessages } from './contact-message.store.ts'

const { db, app, post, internal, peers, consume, mailsTo } = await startNotificationWithMails()

const reason = 'asked by mail'
const address = () => `${randomUUID()}@people.test`

/** Sends a message by the contact page, and returns it as operators see it. */
async function given(form: { email?: string; message?: string; subject?: string } = {}) {
  const email = form.email ?? address()
  const sent = await post('/api/contact', { name: 'Eve', subject: 'Where is it?', message: 'Hello', ...form, email })
  expect(sent.statusCode).toBe(200)
  const { messages } = await internal(searchContactMessages, { body: { email } })
  return messages[0]!
}

const answer = (id: string, text: string, answerId = randomUUID()) =>
  internal(answerContactMessage, { params: { id }, body: { answerId, text, reason } })

test('a message of the contact page is listed by state, sender and operator, and counted', async () => {
  const before = (await internal(searchContactMessages, { body: {} })).counts
  const [first, second] = [await given(), await given()]

  await internal(assignContactMessage, { params: { id: second._id }, body: { assignedTo: 'ben', reason } })
  await internal(setContactMessageState, { params: { id: first._id }, body: { state: 'spam', reason } })

  const idsOf = async (body: object) => (await internal(searchContactMessages, { body })).messages.map(({ _id }) => _id)
  expect(await idsOf({ state: 'spam' })).toEqual([first._id])
  expect(await idsOf({ assignedTo: 'ben' })).toEqual([second._id])
  expect(await idsOf({ email: second.email.toUpperCase() })).toEqual([second._id])
  expect((await idsOf({})).slice(0, 2)).toEqual([second._id, first._id])
  expect(await idsOf({ email: first.email, after: first._id })).toEqual([])
  const { counts } = await internal(searchContactMessages, { body: {} })
  expect(counts).toEqual({ ...before, open: before.open + 1, spam: before.spam + 1 })
  expect(await listOperatorActions(db, [first._id, second._id])).toMatchObject([
    { action: 'assign contact message', operator: 'ada', reason },
    { action: 'contact message: spam', operator: 'ada', reason },
  ])
})

test('answers reach the sender as text in the thread of the operator’s mail, and a repeated one is sent once', async () => {
  const { _id, email } = await given({ message: 'Is it <b>here</b>?\nEve' })
  const toOperator = () => mailsTo(operatorEmail).find(({ text }) => text.includes(email))
  await until(() => toOperator() !== undefined)

  const answerId = randomUUID()
  await answer(_id, 'It is on its way.\n\nAda', answerId)
  const thread = await answer(_id, 'It is on its way.\n\nAda', answerId)
  await until(() => mailsTo(email).length === 1)
  await answer(_id, 'It has arrived.')
  await until(() => mailsTo(email).length === 2)

  expect(thread).toMatchObject({ state: 'answered', answeredBy: 'ada', answers: [{ _id: answerId, operator: 'ada' }] })
  const [first, second] = mailsTo(email)
  expect(first).toMatchObject({ subject: 'Re: Where is it?' })
  expect(first!.text).toContain('It is on its way.\n\nAda\n\n-- \n')
  expect(first!.text).toContain('> Is it <b>here</b>?\n> Eve')
  expect(first!.html).toBeUndefined()
  expect(await readFile(first!.source, 'utf8')).not.toContain('text/html')
  const root = await headerOf(toOperator()!, 'Message-ID')
  const next = await headerOf(first!, 'Message-ID')
  expect([await headerOf(first!, 'In-Reply-To'), await headerOf(first!, 'References')]).toEqual([root, root])
  expect([await headerOf(second!, 'In-Reply-To'), await headerOf(second!, 'References')]).toEqual([
    next,
    `${root} ${next}`,
  ])
  expect(await headerOf(first!, 'Reply-To')).toBe(operatorEmail)
  expect(await headerOf(first!, 'Auto-Submitted')).toBeUndefined()
  await expect
    .poll(async () => (await internal(getContactMessage, { params: { id: _id } })).answers.map(({ sentAt }) => sentAt))
    .toEqual([expect.any(String), expect.any(String)])
})

test('a closed message is answered by a 409 with its state until it is opened again, an unknown one by a 404', async () => {
  const { _id } = await given()
  const setState = (state: 'open' | 'closed' | 'spam') =>
    internal(setContactMessageState, { params: { id: _id }, body: { state, reason } })

  for (const state of ['closed', 'spam'] as const) {
    await setState(state)
    await expect(answer(_id, 'Hello')).rejects.toMatchObject({
      code: 'contact_message_closed',
      extras: { details: { state } },
    })
  }
  await setState('open')
  expect(await answer(_id, 'Hello')).toMatchObject({ state: 'answered' })
  await expect(answer(randomUUID(), 'Hello')).rejects.toMatchObject({ code: 'contact_message_not_found' })
})

test('what is asked for twice is done and recorded once', async () => {
  const { _id } = await given()
  const [params, answerId] = [{ id: _id }, randomUUID()]
  for (const _ of [1, 2]) {
    await internal(assignContactMessage, { params, body: { assignedTo: 'ben', reason } })
    for (const state of ['closed', 'open', 'open'] as const)
      await internal(setContactMessageState, { params, body: { state, reason } })
    await answer(_id, 'Hello', answerId)
  }

  const actions = (await listOperatorActions(db, [_id])).map(({ action }) => action)
  expect(actions.filter((action) => action === 'assign contact message')).toHaveLength(1)
  expect(actions.filter((action) => action === 'answer contact message')).toHaveLength(1)
  expect(actions.filter((action) => action === 'contact message: open')).toHaveLength(2)
})

test('the id of an answer that was sent is refused for another text and for another message', async () => {
  const [first, second] = [await given(), await given()]
  const answerId = randomUUID()
  await answer(first._id, 'It is on its way.', answerId)

  const refused = { statusCode: 409, code: 'answer_exists' }
  await expect(answer(first._id, 'It is lost.', answerId)).rejects.toMatchObject(refused)
  await expect(answer(second._id, 'It is on its way.', answerId)).rejects.toMatchObject(refused)
  expect((await internal(getContactMessage, { params: { id: first._id } })).answers).toMatchObject([
    { _id: answerId, text: 'It is on its way.' },
  ])
})

test('messages of a confirmed address are exported with their answers, and erased with the account', async () => {
  const [ben, eve] = [account(), account()]
  for (const person of [ben, eve]) await consume(messageOf(accountChanged, person))
  const message = await given({ email: ben.email.toUpperCase(), message: 'About me' })
  await answer(message._id, 'About you')
  const read = async ({ userId }: typeof ben) =>
    (await app.inject({ url: '/api/subscribe/export', headers: peers.steppedUp(userId) })).json().records

  expect(await read(ben)).not.toContainEqual(expect.objectContaining({ kind: 'contact_message' }))
  for (const { userId } of [ben, eve]) peers.confirmed.add(userId)
  expect(await read(ben)).toContainEqual({
    kind: 'contact_message',
    data: expect.objectContaining({ message: 'About me', answers: [expect.objectContaining({ text: 'About you' })] }),
  })
  expect(await read(eve)).not.toContainEqual(expect.objectContaining({ kind: 'contact_message' }))

  await consume(messageOf(accountDeleted, ben))
  await sql`update recipient set deleted_at = now() - interval '2 hours' where user_id = ${ben.userId}`.execute(db)
  await eraseDeletedRecipients(db)
  await expect(internal(getContactMessage, { params: { id: message._id } })).rejects.toMatchObject({
    code: 'contact_message_not_found',
  })
  expect(await db.selectFrom('contactAnswer').select('id').where('text', '=', 'About you').execute()).toEqual([])
})

test('figures of today have messages and mails', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const read = async () => (await internal(getMailStatistics, { query: { from: today, to: today } })).periods[0]!
  const before = await read()
  await given()
  const { mails, contactMessages } = before
  await expect
    .poll(read)
    .toMatchObject({ mails: mails + 1, contactMessages: contactMessages + 1, mailsSent: mails + 1, mailsFailed: 0 })
})

test('a message is kept for two years', async () => {
  const [old, kept] = [await given(), await given()]
  const age = (id: string, days: number) =>
    sql`update contact_message set at = now() - make_interval(days => ${days}) where id = ${id}`.execute(db)
  await age(old._id, 732)
  await age(kept._id, 729)

  await deleteOldContactMessages(db)

  const idsOf = async ({ email }: { email: string }) =>
    (await internal(searchContactMessages, { body: { email } })).messages.map(({ _id }) => _id)
  expect([await idsOf(old), await idsOf(kept)]).toEqual([[], [kept._id]])
})
