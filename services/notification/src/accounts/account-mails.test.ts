import { randomUUID } from 'node:crypto'
import {
  accountChanged,
  accountDeleted,
  deletionRequested,
  passwordResetRequested,
  profilePartsRemoved,
  saleMailsSwitchedOff,
  securityNoticeRequested,
  securityWarningRequested,
  signUpRepeated,
  unusualPriceNoticed,
} from '@nifty/events/auth'
import { itemHidden } from '@nifty/events/catalog'
import { randomToken } from '@nifty/service-kit/base/secrets'
import { readSentToken } from '@nifty/service-kit/base/sent-token'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test, vi } from 'vitest'
import {
  account,
  mailTokenKeys,
  publicUrl,
  sealed,
  startNotificationWithMails,
  until,
} from '../testing/notification.ts'

const { consume, db, mails, mailsTo } = await startNotificationWithMails()

test('mails that a stranger can cause have no text of theirs', async () => {
  const ada = account({ firstName: 'claim it at https://evil.tld' })
  await consume(messageOf(signUpRepeated, ada))
  await consume(messageOf(passwordResetRequested, { ...ada, token: sealed('token') }))
  await until(() => mailsTo(ada.email).length === 2)
  for (const { text, html, subject } of mailsTo(ada.email)) expect(text + html + subject).not.toContain('evil.tld')
})

test.each([
  ['0x52908400098527886E0F7030069857D2E4169EE7', /^A wallet was linked to your account\.$/m],
  [null, /^The wallet of your account was linked to another account/m],
])('the mail about the wallet %s says what happened, also for the first one', async (to, text) => {
  const ada = account()
  await consume(
    messageOf(securityNoticeRequested, { ...ada, what: 'wallet_changed', to, freezeToken: sealed('freeze-token') }),
  )
  await until(() => mailsTo(ada.email).length === 1)
  expect(mailsTo(ada.email)[0]!.text).toMatch(text)
})

test('a new address is named as people write it', async () => {
  const ada = account()
  const to = 'ada@xn--mller-kva.example'
  await consume(
    messageOf(securityNoticeRequested, { ...ada, what: 'email_changed', to, freezeToken: sealed('freeze-token') }),
  )
  await until(() => mailsTo(ada.email).length === 1)
  expect(mailsTo(ada.email)[0]!.text).toContain('ada@müller.example')
})

test('a notice about an account has a link that freezes it, whose token is stored encrypted only', async () => {
  const ada = account()
  const to = 'Firefox on Windows, network 192.0.2.0/24'
  const notice = { ...ada, what: 'new_device' as const, to, freezeToken: sealed('freeze-token') }
  await consume(messageOf(securityNoticeRequested, notice))
  expect(JSON.stringify(await db.selectFrom('mail').selectAll().execute())).not.toContain('freeze-token')
  await until(() => mailsTo(ada.email).length === 1)
  const [mail] = mailsTo(ada.email)
  expect(mail!.subject).toBe('A new log-in to your Nifty account')
  expect(mail!.text).toContain(to)
  expect(mail!.text).toContain(`${publicUrl}/freeze-account#freeze-token`)
  expect(mail!.html).toContain(`${publicUrl}/freeze-account#freeze-token`)
})

test('a new address that is named like a placeholder gets no token', async () => {
  const ada = account()
  const to = 'TOKEN-OF-THIS-LINK@evil.example'
  const event = { ...ada, what: 'email_change_requested' as const, to, freezeToken: sealed('freeze-token') }
  await consume(messageOf(securityNoticeRequested, event))
  await until(() => mailsTo(ada.email).length === 1)
  const { text, html } = mailsTo(ada.email)[0]!
  for (const body of [text, html]) {
    expect(body).toContain(to)
    expect(body).toContain(`${publicUrl}/freeze-account#freeze-token`)
    expect(body).not.toContain('freeze-token@')
  }
})

test('a reset link that expired before its mail could be sent is not mailed', async () => {
  const ada = account()
  const sendBefore = new Date(Date.now() - 1_000).toISOString()
  await consume(messageOf(passwordResetRequested, { ...ada, token: sealed('token'), sendBefore }))
  const mail = () => db.selectFrom('mail').select('failure').where('recipient', '=', ada.email).executeTakeFirst()
  await expect.poll(mail, { timeout: 30_000 }).toEqual({ failure: 'expired' })
  expect(mailsTo(ada.email)).toEqual([])
})

test('the end of the mails about own sales is mailed, with a link that freezes the account', async () => {
  const ada = account()
  await consume(messageOf(saleMailsSwitchedOff, { ...ada, freezeToken: sealed('freeze-token') }))
  await until(() => mailsTo(ada.email).length === 1)
  const { text } = mailsTo(ada.email)[0]!
  expect(text).toContain('The mails about sales of your works were switched off.')
  expect(text).toContain(`${publicUrl}/freeze-account#freeze-token`)
})

test.each([
  ['wrong_code', 'Somebody has the password of your Nifty account', 'a wrong code of your second factor'],
  ['data_exported', 'The data of your Nifty account was exported', 'was exported'],
  ['gift_given', 'Your gift waits for its recipient: Dusk', 'Until then it is yours'],
  ['gift_corrected', 'Your gift goes to another address: Dusk', 'the former link no longer works'],
  ['something_new', 'A change to your Nifty account', 'was changed or read'],
])('the warning %s is mailed, with a link that freezes the account', async (what, subject, words) => {
  const ada = account()
  await consume(
    messageOf(securityWarningRequested, { ...ada, what, work: 'Dusk', freezeToken: sealed('freeze-token') }),
  )
  await until(() => mailsTo(ada.email).length === 1)
  const [mail] = mailsTo(ada.email)
  expect(mail!.subject).toBe(subject)
  expect(mail!.text).toContain(words)
  expect(mail!.text).toContain(`${publicUrl}/freeze-account#freeze-token`)
})

test('a requested deletion is mailed to each address, with a link that undoes it where there is one', async () => {
  const [ada, thief] = [account(), account()]
  await consume(messageOf(deletionRequested, { ...ada, freezeToken: sealed('freeze-token') }))
  const { userId } = ada
  await consume(messageOf(deletionRequested, { ...ada, userId, email: thief.email, freezeToken: null }))
  await until(() => mailsTo(ada.email).length + mailsTo(thief.email).length === 2)
  expect(mailsTo(ada.email)[0]!.text).toContain(`${publicUrl}/freeze-account#freeze-token`)
  expect(mailsTo(thief.email)[0]!.text).toContain('erased in three days')
  expect(mailsTo(thief.email)[0]!.text).not.toContain('freeze')
})

test('the link of a reset has the time of its sending', async () => {
  const ada = account()
  const token = randomToken()
  await consume(messageOf(passwordResetRequested, { ...ada, token: sealed(token) }))
  await until(() => mailsTo(ada.email).length === 1)
  const [, sent] = mailsTo(ada.email)[0]!.text!.match(/\/reset-password\/(\S+)/)!
  expect(readSentToken(sent!, mailTokenKeys)).toEqual({ token, sentAt: expect.any(Date) })
  expect(sent).not.toBe(token)
})

test('an unusually low price is mailed with the prices, and with a link that freezes the account', async () => {
  const ada = account()
  const listing = { name: 'Dusk <b>', priceCents: 50, formerCents: 85_000 }
  await consume(messageOf(unusualPriceNoticed, { ...ada, ...listing, freezeToken: sealed('freeze-token') }))
  await until(() => mailsTo(ada.email).length === 1)
  const { subject, text, html } = mailsTo(ada.email)[0]!
  expect(subject).toBe('A work of yours can be sold at a low price')
  for (const part of ['Dusk <b>', '0.50\u00a0€', '850\u00a0€', `${publicUrl}/freeze-account#freeze-token`])
    expect(text).toContain(part)
  expect(html).toContain('Dusk &lt;b&gt;')
})

test('the mail about a deletion has the code that hands works back, if there are any', async () => {
  const [ada, ben] = [account(), account()]
  await consume(messageOf(accountDeleted, ada))
  const code = randomUUID()
  await consume(messageOf(accountDeleted, { ...ben, handBack: { code: sealed(code), codeHash: 'ab'.repeat(32) } }))
  await until(() => mailsTo(ada.email).length + mailsTo(ben.email).length === 2)
  expect(mailsTo(ada.email)[0]!.text).not.toContain('30 days')
  const { text, html } = mailsTo(ben.email)[0]!
  for (const body of [text, html]) expect(body).toContain(code)
  expect(text).toContain('For 30 days we can still send them to a wallet')
  expect(text).toContain(`${publicUrl}/contact`)
})

test('a mail without recipient is sent to no server, and leaves no row', async () => {
  const [ada, sent] = [account(), mails.length]
  await consume(messageOf(passwordResetRequested, { ...account({ email: '' }), token: sealed('token') }))
  await consume(messageOf(signUpRepeated, account({ email: '' })))
  for (let time = 0; time < 3; time++) await consume(messageOf(signUpRepeated, ada))
  await vi.waitUntil(async () => (await waiting()) === 0, 30_000)
  expect(mails.slice(sent).map(({ to }) => to)).toMatchObject([[{ address: ada.email }]])
  expect(await db.selectFrom('mail').select('id').where('recipient', '=', '').execute()).toEqual([])
})

const waiting = async () =>
  (await db.selectFrom('mail').select('id').where('sentAt', 'is', null).where('failedAt', 'is', null).execute()).length

test('the owner of a profile is told once what an operator removed from it', async () => {
  const ada = account()
  const removed = messageOf(profilePartsRemoved, {
    ...ada,
    parts: ['avatar', 'name', 'constructor'],
    reason: 'not <you>',
  })
  await consume(removed)
  await consume(removed)
  await until(() => mailsTo(ada.email).length === 1)
  const [mail] = mailsTo(ada.email)
  expect(mail!.subject).toBe('Something was removed from your Nifty profile')
  expect(mail!.text).toMatch(/picture, name$/m)
  expect(mail!.text).toContain('Your user name is shown in place of your name.')
  expect(mail!.text).toContain('not <you>')
  expect(mail!.text).toContain(`${publicUrl}/contact`)
})

test('the owner of a work is told that an operator hid it, a deleted account is not', async () => {
  const [ada, ben] = [account(), account()]
  const hide = (userId: string) =>
    consume(
      messageOf(itemHidden, { itemId: randomUUID(), userId, name: 'Dusk <1>', reason: 'a <b>copy</b>', at: ada.at }),
    )
  for (const person of [ada, ben]) await consume(messageOf(accountChanged, person))
  await consume(messageOf(accountDeleted, ben))
  await hide(ben.userId)
  await hide(ada.userId)
  await until(() => mailsTo(ada.email).length === 1)
  const [mail] = mailsTo(ada.email)
  expect(mail!.subject).toBe('“Dusk <1>” is not shown in the store any more')
  expect(mail!.html).toContain('Dusk &lt;1&gt;')
  expect(mail!.html).toContain('a &lt;b&gt;copy&lt;/b&gt;')
  expect(mailsTo(ben.email).map(({ subject }) => subject)).toEqual(['Your Nifty account was deleted'])
})
