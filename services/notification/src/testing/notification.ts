import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { NotificationFlags } from '@nifty/api/auth/account'
import { getWithdrawer, switchNotifications } from '@nifty/api/auth/internal'
import { atEnd } from '@nifty/dev-servers/at-end'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { notFound } from '@nifty/service-kit/base/errors'
import { randomToken, seal } from '@nifty/service-kit/base/secrets'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { startTestPeers } from '@nifty/service-kit/testing/peers'
import { startTestService } from '@nifty/service-kit/testing/service'
import { MailDev } from 'maildev'
import { vi } from 'vitest'
import { type Config, readConfig } from '../config.ts'
import type { Database } from '../db.ts'
import { notification } from '../service.ts'

export type Received = {
  id: string
  subject: string
  text: string
  html?: string
  messageId?: string
  /** File of the whole mail. */
  source: string
  to: { address: string }[]
}

/** A header of a mail as it was sent, unfolded; undefined without it. */
export async function headerOf({ source }: Received, name: string): Promise<string | undefined> {
  const [head] = (await readFile(source, 'utf8')).split('\r\n\r\n', 1)
  const lines = head!.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  return lines.find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}: `))?.slice(name.length + 2)
}

/** Starts a mail server on a free port and collects the received mails. */
export async function startMailServer() {
  const mailDirectory = await temporaryFolder('mails')
  const maildev = new MailDev({ smtp: 0, ip: '127.0.0.1', disableWeb: true, mailDirectory, silent: true })
  const { smtp } = await maildev.start()
  const mails: Received[] = []
  smtp.on('new', (mail: unknown) => mails.push(mail as Received))
  return { smtp, mails, stop: () => maildev.stop() }
}

export const mailTokenKeys = [randomToken()] as const
/** A token as auth publishes it. */
export const sealed = (token: string) => seal(token, mailTokenKeys)
export const publicUrl = 'https://store.test'

/** Starts notification with a mail server, for all tests of a file. */
export async function startNotificationWithMails() {
  const server = await startMailServer()
  const started = await startTestNotification(`smtp://127.0.0.1:${server.smtp.getPort()}`)
  atEnd(async () => {
    await started.stop()
    await server.stop()
  })
  const mailsTo = (address: string) => server.mails.filter(({ to }) => to.some((each) => each.address === address))
  return { ...started, mails: server.mails, mailsTo }
}

const configWith = (smtpUrl: string) =>
  readConfig({
    PUBLIC_URL: publicUrl,
    SMTP_URL: smtpUrl,
    MAIL_TOKEN_KEY: mailTokenKeys[0],
    MAIL_FROM: 'Nifty <hello@store.test>',
    OPERATOR_EMAIL: 'operator@store.test',
  })
export const { store, operatorEmail } = configWith('smtp://127.0.0.1')

/** Starts notification on a database of its own. */
export async function startTestNotification(smtpUrl: string) {
  const config = configWith(smtpUrl)
  const peers = await fakeAuth()
  const { app, db, consume, internal, stop } = await startTestService<Config, Database>(notification, {
    config,
    peerUrls: peers.peerUrls,
  })
  return {
    app,
    db,
    peers,
    consume,
    internal,
    post: (path: string, payload: object) => app.inject({ method: 'POST', url: path, payload }),
    stop: async () => {
      await stop()
      await peers.stop()
    },
  }
}

/** Fakes the endpoints of auth that notification calls. */
async function fakeAuth() {
  /** Ids of accounts whose address is confirmed. */
  const confirmed = new Set<string>()
  /** `asked`: requests about the address of an account, which are answered after `answersAfter`. */
  const state = { fails: false, asked: 0, answersAfter: Promise.resolve() }
  const switched: { userId: string; flags: Partial<NotificationFlags> }[] = []
  /** Ids of deleted accounts. */
  const unknown = new Set<string>()
  const peers = await startTestPeers((app) => {
    registerRoute(app, switchNotifications, async ({ params: { id }, body }) => {
      if (state.fails) throw new Error('auth is asked to fail')
      if (unknown.has(id)) throw notFound('user_not_found', 'User not Found')
      switched.push({ userId: id, flags: body })
      return { success: true as const }
    })
    registerRoute(app, getWithdrawer, async ({ params: { id } }) => {
      state.asked++
      await state.answersAfter
      if (state.fails) throw new Error('auth is asked to fail')
      return { wallet: null, emailConfirmed: confirmed.has(id), suspended: false, waitsUntil: null }
    })
  })
  return { ...peers, confirmed, unknown, switched, state }
}

export const account = (changes: object = {}) => ({
  userId: randomUUID(),
  version: 1,
  username: '@ben',
  firstName: 'Ben',
  lastName: 'Okri',
  email: `${randomUUID()}@people.test`,
  avatar: null,
  description: '',
  admin: false,
  suspended: false,
  wallet: null,
  walletProven: false,
  notifications: {
    mention: true,
    follow: true,
    shareActivity: true,
    message: true,
    salePromotion: false,
    companyNews: false,
    weeklyJobs: false,
    unsubscribeNews: false,
  },
  at: new Date().toISOString(),
  ...changes,
})

export const line = (buyerId: string, sellerId: string) => ({
  orderId: randomUUID(),
  lineId: randomUUID(),
  itemId: randomUUID(),
  token: `0x${'ab'.repeat(20)}/7`,
  name: 'Dusk <over> the harbour',
  buyerId,
  sellerId,
  priceCents: 12_050,
  at: new Date().toISOString(),
})

export const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 30_000 })
