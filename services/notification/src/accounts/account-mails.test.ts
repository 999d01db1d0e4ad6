import { passwordResetRequested, securityNoticeRequested, signUpRepeated } from '@nifty/events/auth'
import { messageOf } from '@nifty/service-kit/testing/events'
import { afterAll, expect, test } from 'vitest'
import { account, publicUrl, sealed, startMailServer, startTestNotification, until } from '../testing/notification.ts'

const server = await startMailServer()
const { consume, db, stop } = await startTestNotification(`smtp://127.0.0.1:${server.smtp.getPort()}`)
afterAll(async () => {
  await stop()
  await server.stop()
})

const mailTo = (address: string) =>
  server.mails.filter(({ to }) => to.some((recipient) => recipient.address === address))

test('mails that a stranger can cause have no text of theirs', async () => {
  const ada = account({ firstName: 'claim it at https://evil.tld' })
  await consume(messageOf(signUpRepeated, ada))
  await consume(messageOf(passwordResetRequested, { ...ada, token: sealed('token') }))
  await until(() => mailTo(ada.email).length === 2)
  for (const { text, html, subject } of mailTo(ada.email)) expect(text + html + subject).not.toContain('evil.tld')
})

test('a notice about an account has a link that freezes it, whose token is stored encrypted only', async () => {
  const ada = account()
  const to = 'Firefox on Windows, network 192.0.2.0/24'
  const notice = { ...ada, what: 'new_device' as const, to, freezeToken: sealed('freeze-token') }
  await consume(messageOf(securityNoticeRequested, notice))
  expect(JSON.stringify(await db.selectFrom('mail').selectAll().execute())).not.toContain('freeze-token')
  await until(() => mailTo(ada.email).length === 1)
  const [mail] = mailTo(ada.email)
  expect(mail!.subject).toBe('A new log-in to your Nifty account')
  expect(mail!.text).toContain(to)
  expect(mail!.text).toContain(`${publicUrl}/freeze-account#freeze-token`)
  expect(mail!.html).toContain(`${publicUrl}/freeze-account#freeze-token`)
})
