import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ServiceName, serviceNames } from '@nifty/api/services'
import { canStart } from '@nifty/dev-servers/can-start'
import { createAuthority } from '@nifty/dev-servers/certificates'
import { type KafkaServer, startKafka } from '@nifty/dev-servers/kafka'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { topicsConsumedBy, topicsPublishedBy } from '@nifty/events/topics'
import { connectKafka } from '@nifty/service-kit/messaging/kafka/client'
import { createKafkaTransport } from '@nifty/service-kit/messaging/kafka/kafka-transport'
import { kafkaRights } from '@nifty/service-kit/messaging/kafka/rights'
import { readKafkaSettings } from '@nifty/service-kit/messaging/kafka/settings'
import { aclOf } from '@nifty/service-kit/testing/kafka-acl'
import { testLog } from '@nifty/service-kit/testing/log'
import { type Admin, Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { attempt, consume, produce } from './kafka-attempts.ts'

const resources = { storeId: 'test', prefix: 'shop' }
const onCluster = (name: string) => `${resources.prefix}-${name}`
const userOf = (name: string) => ({ username: `nifty-${name}`, password: `password-of-${name}` })
const admin = userOf('admin')
const TOPIC_REFUSED = 'TOPIC_AUTHORIZATION_FAILED'
/** kafkajs hides the broker's GROUP_AUTHORIZATION_FAILED behind its own error: the user may not even find the group. */
const GROUP_REFUSED = 'KafkaJSGroupCoordinatorNotFound'
const CLUSTER_REFUSED = 'CLUSTER_AUTHORIZATION_FAILED'

const folder = await temporaryFolder('kafka-users')

describe.skipIf(!(await canStart('kafka-with-users')))('Kafka users of services on a real broker', () => {
  let caFile: string
  let ca: string
  let broker: KafkaServer

  const connect = ({ username, password }: { username: string; password: string }) =>
    new Kafka({
      brokers: broker.brokers,
      ssl: { ca },
      sasl: { mechanism: 'scram-sha-512', username, password },
      logLevel: logLevel.NOTHING,
      retry: { retries: 1, initialRetryTime: 50 },
    })

  async function asAdmin<Result>(
    user: { username: string; password: string },
    request: (admin: Admin) => Promise<Result>,
  ) {
    const client = connect(user).admin()
    await client.connect()
    return request(client).finally(() => client.disconnect())
  }

  const openTransport = (name: ServiceName) => {
    const { username, password } = userOf(name)
    const settings = readKafkaSettings({
      KAFKA_BROKERS: broker.brokers.join(','),
      KAFKA_SSL: 'true',
      KAFKA_SSL_CA_FILE: caFile,
      KAFKA_USERNAME: username,
      KAFKA_PASSWORD: password,
      KAFKA_REPLICATION: '1',
    })!
    const fail = (error: Error) => {
      throw error
    }
    return createKafkaTransport({
      settings,
      clientId: name,
      resources,
      log: testLog,
      onStalled: fail,
      onForeign: fail,
    })
  }

  beforeAll(async () => {
    const authority = await createAuthority(folder)
    const tls = await authority.issue('kafka')
    caFile = authority.caFile
    ca = tls.ca
    const access = { admin, users: serviceNames.map(userOf), tls }
    broker = await startKafka({ folder: join(folder, 'kafka'), access })
    const acl = serviceNames.flatMap((name) =>
      kafkaRights(resources, name).flatMap((right) => aclOf(userOf(name).username, right)),
    )
    await vi.waitUntil(() => asAdmin(admin, (client) => client.createAcls({ acl })).catch(() => false), {
      timeout: 60_000,
      interval: 500,
    })
  }, 240_000)
  afterAll(() => broker?.stop())

  test('services that start together on an empty Kafka create their topics, publish and consume', {
    timeout: 180_000,
  }, async () => {
    const heard: string[] = []
    const transports = serviceNames.map((name) => ({ name, transport: openTransport(name) }))
    for (const { name, transport } of transports)
      await transport.subscribe({
        group: name,
        topics: topicsConsumedBy(name),
        handle: async ({ topic }) => void heard.push(`${topic} → ${name}`),
      })
    for (const { name, transport } of transports)
      for (const topic of topicsPublishedBy(name))
        await transport.publish([
          {
            id: randomUUID(),
            name: `${topic}.happened.v1`,
            topic,
            key: 'k',
            data: {},
            correlationId: null,
            traceparent: null,
          },
        ])
    const expected = serviceNames.flatMap((name) => topicsConsumedBy(name).map((topic) => `${topic} → ${name}`)).sort()
    await vi.waitUntil(() => expected.every((each) => heard.includes(each)), { timeout: 120_000 })
    expect([...new Set(heard)].sort()).toEqual(expected)
    for (const { transport } of transports) await transport.stop()
  })

  test.each(serviceNames)('the user of %s writes to no topic but its own, and makes no other', async (name) => {
    const others = serviceNames.filter((other) => other !== name && topicsPublishedBy(other).length > 0)
    for (const other of others)
      expect(await attempt(produce(connect(userOf(name)), onCluster(other))), other).toBe(TOPIC_REFUSED)
    for (const topic of topicsPublishedBy(name))
      expect(await attempt(produce(connect(userOf(name)), onCluster(topic))), topic).toBe('allowed')
    const make = (topic: string) => () =>
      asAdmin(userOf(name), (client) => client.createTopics({ topics: [{ topic, numPartitions: 1 }] }))
    for (const topic of ['other', onCluster('other'), onCluster('store.other')])
      expect(await attempt(make(topic)), topic).toBe(TOPIC_REFUSED)
  })

  test.each(serviceNames)(
    'the user of %s reads no topic that it does not consume, and no other group',
    { timeout: 120_000 },
    async (name) => {
      const consumed = topicsConsumedBy(name)
      const others = serviceNames.filter((other) => topicsPublishedBy(other).length > 0 && !consumed.includes(other))
      for (const other of others)
        expect(await attempt(consume(connect(userOf(name)), onCluster(name), onCluster(other))), other).toBe(
          TOPIC_REFUSED,
        )
      for (const group of [
        ...serviceNames.filter((other) => other !== name).map(onCluster),
        'mine',
        onCluster(`${name}-2`),
      ])
        expect(await attempt(consume(connect(userOf(name)), group, onCluster(consumed[0]!))), group).toBe(GROUP_REFUSED)
      const visible = await asAdmin(userOf(name), (client) => client.listTopics())
      const own = [...consumed, ...topicsPublishedBy(name), 'store.test'].map(onCluster)
      expect(visible.toSorted()).toEqual([...new Set(own)].sort())
    },
  )

  test.each(serviceNames)('the user of %s changes no topic, no group and no right', async (name) => {
    const topic = onCluster(topicsConsumedBy(name)[0]!)
    const own = onCluster(topicsPublishedBy(name)[0] ?? 'store.test')
    const other = onCluster(serviceNames.find((each) => each !== name)!)
    const as = (request: (client: Admin) => Promise<unknown>) => attempt(() => asAdmin(userOf(name), request))
    const retention = (of: string) => (client: Admin) =>
      client.alterConfigs({
        validateOnly: false,
        resources: [{ type: 2, name: of, configEntries: [{ name: 'retention.ms', value: '1' }] }],
      })
    const acl = aclOf(userOf(name).username, {
      type: 'topic',
      name: 'x',
      patternType: 'literal',
      operations: ['Write'],
    })
    for (const each of [topic, own]) {
      expect(await as((client) => client.deleteTopics({ topics: [each] })), each).toBe(TOPIC_REFUSED)
      expect(
        await as((client) => client.createPartitions({ topicPartitions: [{ topic: each, count: 9 }] })),
        each,
      ).toBe(TOPIC_REFUSED)
      expect(await as(retention(each)), each).toBe(TOPIC_REFUSED)
      expect(
        await as((client) => client.deleteTopicRecords({ topic: each, partitions: [{ partition: 0, offset: '1' }] })),
        each,
      ).not.toBe('allowed')
    }
    expect(await as((client) => client.fetchOffsets({ groupId: other, topics: [topic] }))).toBe(GROUP_REFUSED)
    expect(await as((client) => client.deleteGroups([other]))).toBe(GROUP_REFUSED)
    expect(await as((client) => client.createAcls({ acl }))).toBe(CLUSTER_REFUSED)
  })

  test('a service logs in by a token in a file, which is read anew for each connection', async () => {
    const part = (claims: object) => Buffer.from(JSON.stringify(claims)).toString('base64url')
    const tokenOf = (sub: string, lifeS = 3600) => {
      const iat = Math.floor(Date.now() / 1_000)
      return `${part({ alg: 'none' })}.${part({ sub, iat, exp: iat + lifeS })}.`
    }
    const tokenFile = join(folder, 'token')
    const settings = readKafkaSettings({
      KAFKA_BROKERS: broker.brokers.join(','),
      KAFKA_SSL: 'true',
      KAFKA_SSL_CA_FILE: caFile,
      KAFKA_SASL_MECHANISM: 'oauthbearer',
      KAFKA_OAUTH_TOKEN_FILE: tokenFile,
    })!
    const kafka = connectKafka({ ...settings, retries: 0 }, { clientId: 'payments', log: testLog })
    const produced = async (token: string) => {
      await writeFile(tokenFile, token)
      return attempt(produce(kafka, onCluster('payments')))
    }
    expect(await produced(tokenOf(userOf('payments').username))).toBe('allowed')
    expect(await produced(tokenOf(userOf('auth').username))).toBe(TOPIC_REFUSED)
    expect(await produced(tokenOf(userOf('payments').username, -60))).not.toBe('allowed')
    expect(await produced('no token')).not.toBe('allowed')
    expect(await produced(tokenOf(userOf('payments').username))).toBe('allowed')
  })

  test('nobody gets in without a password or without TLS', async () => {
    const [name] = serviceNames
    const list = (kafka: Kafka) => () => kafka.admin().connect()
    expect(await attempt(list(connect({ ...userOf(name!), password: 'wrong' })))).not.toBe('allowed')
    const options = { brokers: broker.brokers, logLevel: logLevel.NOTHING, retry: { retries: 0 } }
    expect(await attempt(list(new Kafka(options)))).not.toBe('allowed')
    expect(await attempt(list(new Kafka({ ...options, ssl: { ca } })))).toBe('allowed')
    expect(await attempt(async () => new Kafka({ ...options, ssl: { ca } }).admin().listTopics())).not.toBe('allowed')
    expect(await attempt(list(new Kafka({ ...options, ssl: true })))).not.toBe('allowed')
  })
})
