import { randomUUID } from 'node:crypto'
import { sellerApplicationChanged } from '@nifty/events/auth'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import {
  account,
  headerOf,
  operatorEmail,
  publicUrl,
  startNotificationWithMails,
  until,
} from '../testing/notification.ts'

const { consume, mailsTo } = await startNotificationWithMails()

const givenApplication = () => {
  const { userId, email, firstName, username, at } = account()
  const links = ['https://ada.example.com/works', 'https://gallery.example']
  const message = 'I paint engines.\n<b>Big ones</b>'
  return { applicationId: randomUUID(), userId, email, firstName, username, links, message, at, answer: '' }
}
const change = (application: ReturnType<typeof givenApplication>, state: string, answer = '') =>
  consume(messageOf(sellerApplicationChanged, { ...application, state, answer }))

test('an application is mailed to the operator, who can answer it, and its receipt to the applicant, once each', async () => {
  const application = givenApplication()
  await change(application, 'waiting')
  await change(application, 'waiting')
  await until(() => mailsTo(application.email).length === 1)
  expect(mailsTo(application.email)[0]!.text).toContain(`${publicUrl}/sell`)
  expect(mailsTo(application.email)[0]!.text).not.toContain('engines')
  const found = () => mailsTo(operatorEmail).filter(({ text }) => text?.includes(application.email))
  await until(() => found().length === 1)
  const [mail] = found()
  expect(mail!.html).toBeUndefined()
  expect(await headerOf(mail!, 'Reply-To')).toContain(application.email)
  for (const part of [...application.links, 'I paint engines.\n<b>Big ones</b>']) expect(mail!.text).toContain(part)
  // An address may have characters that a shell obeys.
  expect(mail!.text).toMatch(/^To answer: pnpm ops answer-application$/m)
})

test.each([
  ['granted', 'You can sell your works now', `${publicUrl}/studio`],
  ['declined', 'About your application to sell', `${publicUrl}/sell`],
])('an answer is mailed with the words of the operator: %s', async (state, subject, url) => {
  const application = givenApplication()
  await change(application, state, 'Show us <more>.\n\nThen write again.')
  await until(() => mailsTo(application.email).length === 1)
  const [mail] = mailsTo(application.email)
  expect(mail!.subject).toBe(subject)
  expect(mail!.text).toContain('Show us <more>.')
  expect(mail!.text).toContain(url)
  expect(mail!.html).toMatch(/Show us &lt;more&gt;\.<\/p>[\s\S]*<p[^>]*>Then write again\./)
})

test('a state of a later release sends no mail', async () => {
  const [later, waiting] = [givenApplication(), givenApplication()]
  await change(later, 'constructor')
  await change(waiting, 'waiting')
  await until(() => mailsTo(waiting.email).length === 1)
  expect(mailsTo(later.email)).toEqual([])
})
