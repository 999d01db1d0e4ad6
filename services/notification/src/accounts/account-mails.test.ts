import { passwordResetRequested, securityNoticeRequested, signUpRepeated } from '@nifty/events/auth'
import { messageOf } from '@nifty/service-kit/testing/events'
import { afterAll, expect, test } from 'vitest'
import { account, publicUrl, sealed, startMailServer, startTestNotification, until } from '../testing/notification.ts'

const server = await startMailServer()
const { consume, stop } = await startTestNotification(`smtp://127.0.0.1:${server.smtp.getPort()}`)
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

test('a notice about a change has the link that freezes the account, its token in the fragment', async () => {
  const ada = account()
  const notice = { ...ada, what: 'wallet_changed' as const, to: `0x${'1'.repeat(40)}`, freezeToken: sealed('to-ken') }
  await consume(messageOf(securityNoticeRequested, notice))
  await until(() => mailTo(ada.email).length === 1)
  const [mail] = mailTo(ada.email)
  expect(mail!.text).toContain(`${publicUrl}/freeze-account#to-ken`)
  expect(mail!.html).toContain(`${publicUrl}/freeze-account#to-ken`)
  expect(mail!.text).toContain(notice.to)
})
