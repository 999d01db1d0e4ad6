import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type ServiceName, serviceNames } from '@nifty/api/services'
import { createAuthority } from '@nifty/dev-servers/certificates'
import { startKafka } from '@nifty/dev-servers/kafka'
import { createRolesSql, databaseRoles } from '@nifty/service-kit/database/database-roles'
import { kafkaRights } from '@nifty/service-kit/messaging/kafka/rights'
import { aclOf } from '@nifty/service-kit/testing/kafka-acl'
import { waitUntil } from '@nifty/testkit/wait-until'
import { Redis } from 'ioredis'
import { type Admin, Kafka, logLevel, type SASLOptions } from 'kafkajs'
import pg from 'pg'

/** The former and the next value of each secret. */
export type Turn = 'former' | 'next'

const root = join(import.meta.dirname, '../../../../..')
/** Of the topics and databases of the campaign's store. */
export const STORE_ID = 'rotation'
const prefix = process.env.RESOURCE_PREFIX ?? ''

/** Log in to Kafka by a token of an endpoint and of a file; the others have a user with a password. */
export const BY_TOKEN: ServiceName = 'notification'
export const BY_TOKEN_FILE: ServiceName = 'catalog'
export const TOKEN_CLIENT = `nifty-${BY_TOKEN}-by-token`
export const TOKEN_FILE_USER = `nifty-${BY_TOKEN_FILE}-by-token`

const kafkaUser = (turn: Turn, service: string) => ({
  username: turn === 'former' ? `nifty-${service}` : `nifty-${service}-next`,
  password: `${turn}-password-of-${service}`,
})

/** A broker that admits both users of each service over TLS, and a token; the next users have no rights yet. */
export async function startBroker(folder: string) {
  await mkdir(folder)
  const authority = await createAuthority(folder)
  const tls = await authority.issue('kafka')
  const admin = { username: 'admin', password: 'password-of-admin' }
  const users = serviceNames.flatMap((name) => [kafkaUser('former', name), kafkaUser('next', name)])
  const { brokers, stop } = await startKafka({ folder: join(folder, 'kafka'), access: { admin, users, tls } })

  const asUser = <Result>(user: { username: string; password: string }, use: (client: Admin) => Promise<Result>) =>
    loggedIn({ mechanism: 'scram-sha-512', ...user }, use)
  async function loggedIn<Result>(sasl: SASLOptions, use: (client: Admin) => Promise<Result>) {
    const retry = { retries: 1 }
    const client = new Kafka({ brokers, ssl: { ca: tls.ca }, sasl, logLevel: logLevel.NOTHING, retry }).admin()
    await client.connect()
    return use(client).finally(() => client.disconnect())
  }
  const rightsOf = (name: ServiceName, user: string) =>
    kafkaRights({ storeId: STORE_ID, prefix }, name).flatMap((right) => aclOf(user, right))
  const aclsOf = (turn: Turn) => byPassword.flatMap((name) => rightsOf(name, kafkaUser(turn, name).username))
  const grant = (turn: Turn) => asUser(admin, (client) => client.createAcls({ acl: aclsOf(turn) }))
  await waitUntil(() => grant('former').catch(() => false), { timeoutMs: 60_000, intervalMs: 500 })
  const acl = [...rightsOf(BY_TOKEN, TOKEN_CLIENT), ...rightsOf(BY_TOKEN_FILE, TOKEN_FILE_USER)]
  await asUser(admin, (client) => client.createAcls({ acl }))

  return {
    stop,
    env: {
      KAFKA_BROKERS: brokers.join(','),
      KAFKA_SSL: 'true',
      KAFKA_SSL_CA_FILE: authority.caFile,
      KAFKA_REPLICATION: '1',
    },
    grantNext: () => grant('next'),
    revokeFormer: () => asUser(admin, (client) => client.deleteAcls({ filters: aclsOf('former') })),
    /** Whether the former user of a service still finds its topic. */
    admitsFormer: () =>
      asUser(kafkaUser('former', 'payments'), (client) => client.fetchTopicMetadata({ topics: ['payments'] })).then(
        () => true,
        () => false,
      ),
    // Not by the connection alone: the client takes the broker's description of a refused token for a log-in.
    admitsToken: (value: string) =>
      loggedIn({ mechanism: 'oauthbearer', oauthBearerProvider: async () => ({ value }) }, (client) =>
        client.fetchTopicMetadata({ topics: [BY_TOKEN_FILE] }),
      ).then(
        () => true,
        () => false,
      ),
  }
}

/** Services that log in to Kafka by a password. */
export const byPassword = serviceNames.filter((name) => name !== BY_TOKEN && name !== BY_TOKEN_FILE)

export const kafkaVariables = (turn: Turn, service: ServiceName): NodeJS.ProcessEnv => {
  const { username, password } = kafkaUser(turn, service)
  return { KAFKA_USERNAME: username, KAFKA_PASSWORD: password }
}

export const tokenVariables = (tokenUrl: string, secret: string): NodeJS.ProcessEnv => ({
  KAFKA_SASL_MECHANISM: 'oauthbearer',
  KAFKA_OAUTH_TOKEN_URL: tokenUrl,
  KAFKA_OAUTH_CLIENT_ID: TOKEN_CLIENT,
  KAFKA_OAUTH_CLIENT_SECRET: secret,
})

export const tokenFileVariables = (file: string): NodeJS.ProcessEnv => ({
  KAFKA_SASL_MECHANISM: 'oauthbearer',
  KAFKA_OAUTH_TOKEN_FILE: file,
})

const databaseRole = (turn: Turn, service: ServiceName) => {
  const { role } = databaseRoles(prefix, service)
  return turn === 'former' ? role : `${role}-next`
}
const databasePassword = (turn: Turn) => `${turn}-password`

const urlAs = (server: string, role: string, password: string) => {
  const url = new URL(server)
  url.username = role
  url.password = password
  return url.href
}

export const databaseVariables = (server: string, turn: Turn, service: ServiceName) => ({
  POSTGRES_URL: urlAs(server, databaseRole(turn, service), databasePassword(turn)),
})

/** The server behind PgBouncer at another port. */
const pooledServer = (server: string, port: number) => {
  const url = new URL(server)
  url.port = String(port)
  return url.href
}
export const poolerVariables = (server: string, port: number, turn: Turn, service: ServiceName) => ({
  POSTGRES_POOLER_URL: databaseVariables(pooledServer(server, port), turn, service).POSTGRES_URL,
})
export const poolerRoles = (...turns: Turn[]) =>
  Object.fromEntries(
    turns.flatMap((turn) => serviceNames.map((name) => [databaseRole(turn, name), databasePassword(turn)])),
  )

/** With the user of this address. */
async function runSql(server: string, statements: string[]) {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

const ownerPassword = (turn: Turn) => `${turn}-password-of-owner`
const ownerUrl = (server: string, turn: Turn, service: ServiceName) =>
  urlAs(server, databaseRoles(prefix, service).owner, ownerPassword(turn))

/** As `main.ts migrate` does before each start of a pod: by the owner, for the role of the service. */
const migrateOne = (server: string, { role, owner }: { role: Turn; owner: Turn }, name: ServiceName) =>
  promisify(execFile)(process.execPath, [join(root, 'services', name, 'src/main.ts'), 'migrate'], {
    env: {
      ...process.env,
      ...databaseVariables(server, role, name),
      POSTGRES_OWNER_URL: ownerUrl(server, owner, name),
      STORE_ID,
      LOG_LEVEL: 'warn',
    },
  })
const migrate = (server: string, turns: { role: Turn; owner: Turn }) =>
  Promise.all(serviceNames.map((name) => migrateOne(server, turns, name)))

/** The databases of an empty server, with an owner and a role for each service. */
export async function createDatabases(server: string) {
  const statements = serviceNames.flatMap((name) => [
    ...createRolesSql(prefix, name).split('\n'),
    `alter role "${databaseRoles(prefix, name).owner}" password '${ownerPassword('former')}'`,
    `alter role "${databaseRole('former', name)}" password '${databasePassword('former')}'`,
  ])
  await runSql(server, statements)
  await migrate(server, { role: 'former', owner: 'former' })
}

/** Throws when a pod that starts with the former password migrates, and when it does not with the next one. */
export async function changeOwnerPasswords(server: string) {
  await runSql(
    server,
    serviceNames.map((name) => `alter role "${databaseRoles(prefix, name).owner}" password '${ownerPassword('next')}'`),
  )
  const started = await migrateOne(server, { role: 'former', owner: 'former' }, 'payments').then(
    () => true,
    () => false,
  )
  if (started) throw new Error('migrations log in with the former password of the owner')
  await migrateOne(server, { role: 'former', owner: 'next' }, 'payments')
}

const logsIn = (url: string) =>
  runSql(url, []).then(
    () => true,
    () => false,
  )

export const admitsFormerOwner = (server: string) => logsIn(ownerUrl(server, 'former', 'payments'))

/** A second role of each service; migrations grant it its rights. */
export async function createNextRoles(server: string) {
  await runSql(
    server,
    serviceNames.map(
      (name) => `create role "${databaseRole('next', name)}" login password '${databasePassword('next')}'`,
    ),
  )
  await migrate(server, { role: 'next', owner: 'next' })
}

/** The former roles log in no more. */
export const closeFormerRoles = (server: string) =>
  runSql(
    server,
    serviceNames.map((name) => `alter role "${databaseRole('former', name)}" nologin`),
  )

export const admitsFormerRole = (server: string) => logsIn(databaseVariables(server, 'former', 'payments').POSTGRES_URL)
export const poolerAdmitsFormerRole = (server: string, port: number) =>
  logsIn(poolerVariables(server, port, 'former', 'payments').POSTGRES_POOLER_URL)

const REDIS_USER = 'nifty'
const redisPassword = (turn: Turn) => `${turn}-password-of-redis`

export const redisVariables = (server: string, turn: Turn) => ({
  REDIS_URL: urlAs(server, REDIS_USER, redisPassword(turn)),
})

/** `>` adds a password of the user, `<` removes it. */
async function changeRedisUser(server: string, ...rules: string[]) {
  const redis = new Redis(server)
  await redis.call('ACL', 'SETUSER', REDIS_USER, ...rules)
  redis.disconnect()
}
export const createRedisUser = (server: string) =>
  changeRedisUser(server, 'on', `>${redisPassword('former')}`, '~*', '&*', '+@all')
export const addNextRedisPassword = (server: string) => changeRedisUser(server, `>${redisPassword('next')}`)
export const removeFormerRedisPassword = (server: string) => changeRedisUser(server, `<${redisPassword('former')}`)

export async function admitsFormerRedisPassword(server: string) {
  const redis = new Redis(redisVariables(server, 'former').REDIS_URL, { retryStrategy: () => null, lazyConnect: true })
  redis.on('error', () => {})
  return redis
    .connect()
    .then(() => redis.ping())
    .then(
      () => true,
      () => false,
    )
    .finally(() => redis.disconnect())
}

export const storageKey = (turn: Turn) => ({ id: `${turn}-key`, secret: `secret-of-the-${turn}-key` })

export const storageVariables = (turn: Turn) => {
  const { id, secret } = storageKey(turn)
  return { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret }
}
