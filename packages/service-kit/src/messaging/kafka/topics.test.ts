import { randomUUID } from 'node:crypto'
import { canStart } from '@nifty/dev-servers/can-start'
import { type KafkaServer, startKafka } from '@nifty/dev-servers/kafka'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { type Admin, Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { testLog } from '../../testing/log.ts'
import type { Message } from '../message.ts'
import { createMessage } from '../transport.conformance.ts'
import { createKafkaTransport } from './kafka-transport.ts'
import { readKafkaSettings, type TopicSettings } from './settings.ts'
import { createTopics } from './topics.ts'

const DAY_MS = 86_400_000
const testTopics: TopicSettings = { partitions: 3, replication: 1, retentionMs: DAY_MS }
/** Three seconds in all, after which a deleted topic is looked for. */
const RETRIES = 5

const folder = await temporaryFolder('kafka')

test('a new topic is waited for until a broker describes it', async () => {
  const unknown = Object.assign(new Error('not here'), { type: 'UNKNOWN_TOPIC_OR_PARTITION' })
  const fetchTopicMetadata = vi.fn().mockRejectedValueOnce(unknown).mockResolvedValueOnce({ topics: [] })
  const made = vi.fn().mockResolvedValue(true)
  await createTopics({ createTopics: made, fetchTopicMetadata } as unknown as Admin, [{ topic: 'new' }])
  expect(made).toHaveBeenCalledWith(expect.objectContaining({ topics: [{ topic: 'new' }] }))
  expect(fetchTopicMetadata).toHaveBeenCalledTimes(2)
})

describe.skipIf(!(await canStart('kafka')))('topics on a real broker', () => {
  let broker: KafkaServer

  beforeAll(async () => {
    broker = await startKafka({ folder })
  }, 180_000)
  afterAll(() => broker?.stop())

  const open = ({
    resources = { storeId: 'test', prefix: '' },
    topics = testTopics,
    onForeign = (_error: Error) => {},
  } = {}) =>
    createKafkaTransport({
      settings: { brokers: broker.brokers, topics, retries: RETRIES, sessionTimeoutMs: 3_000, stalledAfterMs: 60_000 },
      clientId: 'test',
      resources,
      log: testLog,
      onStalled: () => {},
      onForeign,
    })
  const tools = () => new Kafka({ brokers: broker.brokers, logLevel: logLevel.NOTHING })

  test('topics are created with the configured partitions and retention, and not changed afterwards', async () => {
    const topic = `made-${randomUUID()}`
    for (const partitions of [2, 5]) {
      const { topics } = readKafkaSettings({
        KAFKA_BROKERS: broker.brokers.join(','),
        KAFKA_PARTITIONS: String(partitions),
        KAFKA_REPLICATION: '1',
        KAFKA_RETENTION_DAYS: '3',
      })!
      const member = open({ topics })
      await member.publish([{ ...createMessage('key', 1), topic }])
      await member.stop()
    }
    const admin = tools().admin()
    await admin.connect()
    const [made] = (await admin.fetchTopicMetadata({ topics: [topic] })).topics
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: 2, name: topic, configNames: ['retention.ms'] }],
    })
    await admin.disconnect()
    expect(made!.partitions).toHaveLength(2)
    expect(resources[0]!.configEntries).toMatchObject([{ configName: 'retention.ms', configValue: String(3 * DAY_MS) }])
  })

  test('a topic that is deleted under a running publisher and consumer is made again', {
    timeout: 180_000,
  }, async () => {
    const member = open()
    const topic = `deleted-${randomUUID()}`
    const heard: string[] = []
    await member.subscribe({ group: `g-${topic}`, topics: [topic], handle: async ({ id }) => void heard.push(id) })
    const message = (count: number) => ({ ...createMessage('key', count), topic })
    const before = message(0)
    await member.publish([before])
    await vi.waitUntil(() => heard.includes(before.id), { timeout: 30_000 })
    const admin = tools().admin()
    await admin.connect()
    await admin.deleteTopics({ topics: [topic] })
    await admin.disconnect()

    // A broker may take some more into the topic that it deletes: they are lost with it, as
    // deploy/runbooks/topic-deleted.md describes.
    const after: string[] = []
    await vi.waitUntil(
      async () => {
        const next = message(after.length + 1)
        after.push(next.id)
        await member.publish([next]).catch(() => {})
        return heard.length > 1
      },
      { timeout: 120_000, interval: 500 },
    )
    expect(heard[0]).toBe(before.id)
    expect(after).toContain(heard[1])
    await member.stop()
  })

  test('another store is refused with a sentence and publishes nothing, with a prefix it has topics of its own', async () => {
    const first = open()
    const message = createMessage('key', 1)
    await first.publish([message])
    const refused: string[] = []
    const second = open({
      resources: { storeId: 'other', prefix: '' },
      onForeign: (error) => void refused.push(error.message),
    })
    await expect(second.publish([createMessage('key', 2)])).rejects.toThrow('belong to the store test')
    expect(refused).toEqual([
      expect.stringMatching(/belong to the store test\. This is the store other .* RESOURCE_PREFIX/),
    ])
    await second.stop()

    const apart = open({ resources: { storeId: 'other', prefix: 'other' } })
    const heard: Message[] = []
    const group = `apart-${randomUUID()}`
    await apart.subscribe({ group, topics: ['kit'], handle: async (received) => void heard.push(received) })
    const own = createMessage('key', 3)
    await apart.publish([own])
    await vi.waitUntil(() => heard.length > 0, { timeout: 30_000 })
    expect(heard).toEqual([own])
    expect(await apart.lag()).toMatchObject([{ group, topic: 'kit' }])
    const admin = tools().admin()
    await admin.connect()
    expect(await admin.listTopics()).toEqual(expect.arrayContaining(['store.test', 'other-store.other', 'other-kit']))
    expect((await admin.listGroups()).groups.map(({ groupId }) => groupId)).toContain(`other-${group}`)
    await admin.disconnect()
    await Promise.all([first.stop(), apart.stop()])
  })

  test('without the topic that names the store a process that starts refuses, until it is made by hand', async () => {
    const resources = { storeId: 'fourth', prefix: 'fourth' }
    const running = open({ resources })
    await running.publish([createMessage('key', 1)])
    const admin = tools().admin()
    await admin.connect()
    await admin.deleteTopics({ topics: ['fourth-store.fourth'] })
    await vi.waitUntil(async () => !(await admin.listTopics()).includes('fourth-store.fourth'), { timeout: 30_000 })
    await running.publish([createMessage('key', 2)])
    const refused = open({ resources })
    await expect(refused.publish([createMessage('key', 3)])).rejects.toThrow('no topic fourth-store.fourth says')
    await createTopics(admin, [{ topic: 'fourth-store.fourth', numPartitions: 1 }])
    await admin.disconnect()
    await refused.publish([createMessage('key', 3)])
    await Promise.all([running.stop(), refused.stop()])
  })

  test('a topic with messages of another program is refused', async () => {
    const topic = `foreign-${randomUUID()}`
    const admin = tools().admin()
    await admin.connect()
    await createTopics(admin, [{ topic: `third-${topic}`, numPartitions: 1 }])
    await admin.disconnect()
    const resources = { storeId: 'third', prefix: 'third' }
    const producer = tools().producer({ allowAutoTopicCreation: false })
    await producer.connect()
    await producer.send({ topic: `third-${topic}`, messages: [{ key: 'key', value: 'foreign' }] })
    await producer.disconnect()
    const member = open({ resources })
    await expect(member.publish([{ ...createMessage('key', 1), topic }])).rejects.toThrow(
      `The topic third-${topic} has messages`,
    )
    await member.stop()
  })
})
