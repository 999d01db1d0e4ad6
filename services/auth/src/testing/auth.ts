import { generateKeyPairSync, randomUUID } from 'node:crypto'
import type { SignedIn } from '@nifty/api/auth/account'
import { STEP_UP_HEADER } from '@nifty/api/endpoint'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { randomToken, unseal } from '@nifty/service-kit/base/secrets'
import { withSendingTime } from '@nifty/service-kit/base/sent-token'
import { startTestService } from '@nifty/service-kit/testing/service'
import { type Kysely, sql } from 'kysely'
import { onTestFinished, vi } from 'vitest'
import { type Config, readConfig } from '../config.ts'
import type { Database } from '../db.ts'
import { auth } from '../service.ts'

export const newKey = () =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

const mailTokenKeys = [randomToken()] as const

export type TestAuth = Awaited<ReturnType<typeof startTestAuth>>
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

type Sent = { body?: unknown; token?: string; stepUp?: string; device?: string; from?: string; userAgent?: string }

/**
 * Starts auth on a database of its own, with these variables and then these changes of its configuration. Stops after
 * the test, or with `afterAll` after the file.
 */
export async function startTestAuth(
  { env = {}, ...changes }: Partial<Config> & { env?: Record<string, string> } = {},
  whenOver: (stop: () => Promise<void>) => void = onTestFinished,
) {
  const uploadsDir = await temporaryFolder('auth')
  const config = {
    ...readConfig({
      AUTH_SIGNING_KEY: newKey(),
      MAIL_TOKEN_KEY: mailTokenKeys[0],
      SECOND_FACTOR_KEY: randomToken(),
      UPLOADS_DIR: uploadsDir,
      ...env,
    }),
    ...changes,
  }
  const service = await startTestService<Config, Database>(auth, { config })
  const { db, app, internal, startReplica: start } = service
  whenOver(service.stop)

  /** Sends one request; `from` is the client address that the gateway forwards. */
  const call = async (
    method: Method,
    path: string,
    { body, token, stepUp, device, from = '203.0.113.1', userAgent }: Sent = {},
  ) => {
    const headers = {
      'x-forwarded-for': from,
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(stepUp ? { [STEP_UP_HEADER]: stepUp } : {}),
      ...(userAgent ? { 'user-agent': userAgent } : {}),
      ...(device ? { 'x-device-id': device } : {}),
    }
    const payload = body as Record<string, unknown> | undefined
    const answer = await app.inject({ method, url: path, headers, payload })
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
  }
  return { service, app, db, config, uploadsDir, call, internal, start }
}

/** Data for a new account, unique per call. */
export function person(changes: Partial<Person> = {}): Person {
  const name = randomUUID().slice(0, 8)
  return {
    firstName: 'Ada',
    lastName: 'Lovelace',
    username: `@ada-${name}`,
    email: `ada-${name}@example.com`,
    password: 'correct horse battery staple',
    ...changes,
  }
}
export type Person = { firstName: string; lastName: string; username: string; email: string; password: string }
/** `stepUp` is the token in the response to the log-in. */
export type Member = Person & { id: string; token: string; stepUp: string }

/** Signs up and logs in. */
export async function givenMember({ call }: TestAuth, changes: Partial<Person> = {}): Promise<Member> {
  const member = person(changes)
  const signedUp = await call('POST', '/api/auth/signup', { body: member })
  if (!signedUp.body.success) throw new Error(JSON.stringify(signedUp.body))
  const { email, password } = member
  const { body } = await call('POST', '/api/auth/login', { body: { email, password }, from: '198.51.100.7' })
  const { token, stepUp, userId: id }: SignedIn = body
  return { ...member, id, token, stepUp }
}

/** Data of the published events of one name, oldest first. */
export async function publishedEvents(db: Kysely<Database>, name: string, key?: string) {
  const rows = await db
    .selectFrom('outbox')
    .select(['data', 'key'])
    .where('name', '=', `auth.${name}.v1`)
    .orderBy('seq')
    .execute()
  return rows.filter((row) => key === undefined || row.key === key).map(({ data }) => data as Record<string, any>)
}

/** The token of the newest link that freezes the account, mailed to `email`. */
export async function freezeTokenOf(db: Kysely<Database>, { id }: Member, email: string): Promise<string> {
  const names = [
    'security-notice-requested',
    'sale-mails-switched-off',
    'security-warning-requested',
    'deletion-requested',
    'unusual-price-noticed',
  ]
  const notices = (await Promise.all(names.map((name) => publishedEvents(db, name, id)))).flat()
  notices.sort((a, b) => a.at.localeCompare(b.at))
  return unseal(notices.findLast((notice) => notice.email === email)!.freezeToken, mailTokenKeys)
}

/** As if the links that freeze accounts had been mailed more than 72 hours ago. */
export const expireFreezeLinks = ({ db }: TestAuth) => sql`update freeze_link set expires_at = now()`.execute(db)

/** The token of the newest link mailed to an address; of a reset as in a mail that was sent at `sentAt`. */
export async function mailedToken(
  db: Kysely<Database>,
  name: string,
  email: string,
  sentAt = new Date(),
): Promise<string> {
  const sealed = await vi.waitUntil(
    async () => (await publishedEvents(db, name)).findLast((data) => data.email === email)?.token,
    30_000,
  )
  const token = unseal(sealed, mailTokenKeys)
  return name === 'password-reset-requested' ? withSendingTime(token, sentAt, mailTokenKeys) : token
}

/** Follows the link of the first mail. */
export async function confirmAddress({ db, call }: TestAuth, { email }: Member) {
  const token = await mailedToken(db, 'email-confirmation-requested', email)
  const { status } = await call('POST', '/api/auth/verify-email', { body: { token } })
  if (status !== 200) throw new Error(`the address ${email} was not confirmed: ${status}`)
}

/** Prolongs running delays, so that they do not end early on a slow machine. */
export const prolongDelays = (db: Kysely<Database>) =>
  sql`update login_failure set blocked_until = blocked_until + interval '1 minute'
    where blocked_until > failed_at + interval '500 milliseconds'`.execute(db)

export const asOperator = (email: string) => ({ email, reason: 'A creator we know' })
