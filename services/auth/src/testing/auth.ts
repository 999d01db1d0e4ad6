import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SignedIn } from '@nifty/api/auth'
import { openDatabase } from '@nifty/service-kit/database'
import { createServiceClient } from '@nifty/service-kit/http/internal'
import { createTestDatabase } from '@nifty/service-kit/testing/database'
import { testLog } from '@nifty/service-kit/testing/log'
import { createTestTransport } from '@nifty/service-kit/testing/transport'
import { type Kysely, sql } from 'kysely'
import { onTestFinished, vi } from 'vitest'
import { type Config, readConfig } from '../config.ts'
import type { Database } from '../db.ts'
import { migrations, startAuth } from '../service.ts'

const SECRET = 'a secret that tests share'

export const newKey = () =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

export type TestAuth = Awaited<ReturnType<typeof startTestAuth>>
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The real service over a database of its own; it stops with the test that started it, or with the file (`afterAll`). */
export async function startTestAuth(
  changes: Partial<Config> = {},
  whenOver: (stop: () => Promise<void>) => void = onTestFinished,
) {
  const { url } = await createTestDatabase(migrations)
  const uploadsDir = await mkdtemp(join(tmpdir(), 'nifty-auth-'))
  const config = { ...readConfig({ AUTH_SIGNING_KEY: newKey(), UPLOADS_DIR: uploadsDir }), ...changes }
  const parts = { databaseUrl: url, log: testLog, transport: createTestTransport().transport, internalSecret: SECRET }
  const start = (with_: Partial<Config> = {}) =>
    startAuth({ ...parts, internalListen: { host: '127.0.0.1', port: 0 } }, { ...config, ...with_ })
  const service = await start()
  const db = openDatabase<Database>({ url, log: testLog })
  whenOver(async () => {
    await service.stop()
    await db.destroy()
    await rm(uploadsDir, { recursive: true, force: true })
  })

  /** One request; `from` is the network address that the gateway reports. */
  const call = async (
    method: Method,
    path: string,
    { body, token, from = '203.0.113.1' }: { body?: unknown; token?: string; from?: string } = {},
  ) => {
    const headers = { 'x-forwarded-for': from, ...(token ? { authorization: `Bearer ${token}` } : {}) }
    const payload = body as Record<string, unknown> | undefined
    const answer = await service.app.inject({ method, url: path, headers, payload })
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
  }
  const internal = createServiceClient({ url: service.internalUrl, secret: SECRET, name: 'auth' })
  return { service, app: service.app, db, config, uploadsDir, call, internal, start }
}

/** Somebody nobody has heard of yet. */
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
export type Member = Person & { id: string; token: string }

/** Signs up and logs in, as a page would. */
export async function givenMember({ call }: TestAuth, changes: Partial<Person> = {}): Promise<Member> {
  const member = person(changes)
  const signedUp = await call('POST', '/api/auth/signup', { body: member })
  if (!signedUp.body.success) throw new Error(JSON.stringify(signedUp.body))
  const { email, password } = member
  const { body } = await call('POST', '/api/auth/login', { body: { email, password }, from: '198.51.100.7' })
  const { token, userId: id }: SignedIn = body
  return { ...member, id, token }
}

/** What was said of one kind, oldest first. */
export async function announced(db: Kysely<Database>, name: string, key?: string) {
  const rows = await db
    .selectFrom('outbox')
    .select(['data', 'key'])
    .where('name', '=', `auth.${name}.v1`)
    .orderBy('seq')
    .execute()
  return rows.filter((row) => key === undefined || row.key === key).map(({ data }) => data as Record<string, any>)
}

/** The token of the newest link that was mailed to an address. */
export async function mailedToken(db: Kysely<Database>, name: string, email: string): Promise<string> {
  return vi.waitUntil(async () => (await announced(db, name)).findLast((data) => data.email === email)?.token, 30_000)
}

/** Resolves once a query is held up by another one's lock. */
export async function untilSomeoneWaits(db: Kysely<Database>) {
  await vi.waitUntil(async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows.length > 0
  }, 30_000)
}

/** Makes a delay that has begun outlast a slow machine; where none has begun nothing happens. */
export const prolongDelays = (db: Kysely<Database>) =>
  sql`update login_failure set blocked_until = blocked_until + interval '1 minute'
    where blocked_until > failed_at + interval '500 milliseconds'`.execute(db)

export const asOperator = (email: string) => ({ email, by: 'Olga', why: 'A creator we know' })
