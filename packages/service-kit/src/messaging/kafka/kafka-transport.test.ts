import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { canStart } from '@nifty/dev-servers/can-start'
import { type KafkaServer, startKafka } from '@nifty/dev-servers/kafka'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { testLog } from '../../testing/log.ts'
import type { Message } from '../message.ts'
import { createMessage, testTransport } from '../transport.conformance.ts'
import { testTransportFaults } from '../transport.faults.conformance.ts'
import { createKafkaTransport } from './kafka-transport.ts'
import type { KafkaSettings } from './settings.ts'

const settings: KafkaSettings = {
  brokers: [],
  topics: { partitions: 3, replication: 1, retentionMs: 14 * 24 * 60 * 60 * 1_000 },
  retries: 30,
  sessionTimeoutMs: 3_000,
  stalledAfterMs: 60_000,
}
const open = (changes: Partial<KafkaSettings> = {}, onStalled: (error: Error) => void = () => {}) =>
  createKafkaTransport({
    settings: { ...settings, ...changes },
    clientId: 'test',
    resources: { storeId: 'test', prefix: '' },
    log: testLog,
    onStalled,
    onForeign: () => {},
  })

const folder = await temporaryFolder('kafka')

describe.skipIf(!(await canStart('kafka')))('on a real broker', () => {
  let broker: KafkaServer
  const transport = { kafka: settings }

  beforeAll(async () => {
    broker = await startKafka({ folder })
    settings.brokers = broker.brokers
  }, 180_000)
  afterAll(() => broker?.stop())

  const interrupt = async () => {
    await broker.halt('SIGKILL')
    await sleep(2_000)
    await broker.resume()
  }
  testTransport('Kafka', async () => open())
  testTransportFaults('Kafka', { open: async () => open(), transport, interrupt })

  const tools = () => new Kafka({ brokers: settings.brokers, logLevel: logLevel.NOTHING })

  test('an idle connection sets no timers one after the other, and an interval of a second or more', async () => {
    const intervals = vi.spyOn(globalThis, 'setInterval')
    const idle = open()
    await idle.publish([createMessage(randomUUID(), 1)])
    const timers = vi.spyOn(globalThis, 'setTimeout')
    try {
      await sleep(500)
      expect(timers.mock.calls.filter(([, delay]) => Number(delay) <= 0)).toEqual([])
      expect(intervals.mock.calls.length).toBeGreaterThan(0)
      expect(intervals.mock.calls.filter(([, delay]) => Number(delay) < 1_000)).toEqual([])
    } finally {
      timers.mockRestore()
      intervals.mockRestore()
      await idle.stop()
    }
  })

  test('a record without a valid envelope is skipped, and the following ones are consumed', async () => {
    const member = open()
    const topic = `foreign-${randomUUID()}`
    const last = { ...createMessage('key', 1), topic }
    await member.publish([{ ...createMessage('key', 0), id: 'no-uuid', topic }])
    const producer = tools().producer({ allowAutoTopicCreation: false })
    await producer.connect()
    const headers = { id: randomUUID(), name: 'kit.happened.v1' }
    await producer.send({
      topic,
      messages: [
        { key: 'key', value: '{' },
        { key: 'key', value: null },
        { value: '{}', headers },
        { key: 'key', value: 'none', headers },
      ],
    })
    await producer.disconnect()
    await member.publish([last])
    const heard: Message[] = []
    await member.subscribe({
      group: `g-${topic}`,
      topics: [topic],
      handle: async (message) => void heard.push(message),
    })
    await vi.waitUntil(() => heard.some(({ id }) => id === last.id), { timeout: 30_000 })
    expect(heard).toEqual([last])
    await member.stop()
  })

  test('a handler that runs longer than the session timeout stays in the group', async () => {
    const member = open({ sessionTimeoutMs: 4_000 })
    const topic = `slow-${randomUUID()}`
    const heard: number[] = []
    let finished = 0
    await member.subscribe({
      group: `g-${topic}`,
      topics: [topic],
      handle: async ({ data }) => {
        heard.push((data as { count: number }).count)
        if (heard.length === 1) await sleep(9_000)
        finished++
      },
    })
    await member.publish([{ ...createMessage('key', 1), topic }])
    await vi.waitUntil(() => finished > 0, { timeout: 50_000 })
    await member.publish([{ ...createMessage('key', 2), topic }])
    await vi.waitUntil(() => heard.includes(2), { timeout: 30_000 })
    expect(heard).toEqual([1, 2])
    await member.stop()
  })

  test('a stalled member is reported, one whose attempts fail is not', async () => {
    const topic = `watched-${randomUUID()}`
    const blamed: string[] = []
    const stalls = { stalledAfterMs: 2_000 }
    const stuck = open(stalls, () => blamed.push('stuck'))
    const trying = open(stalls, () => blamed.push('trying'))
    await stuck.publish([{ ...createMessage('key', 1), topic }])
    let freed = () => {}
    const stays = new Promise<void>((resolve) => {
      freed = resolve
    })
    let tries = 0
    await trying.subscribe({
      group: `trying-${topic}`,
      topics: [topic],
      handle: async () => {
        tries++
        throw new Error('the database is away')
      },
    })
    await stuck.subscribe({ group: `stuck-${topic}`, topics: [topic], handle: () => stays })
    await vi.waitUntil(() => blamed.includes('stuck') && tries > 3, { timeout: 50_000 })
    expect(blamed).not.toContain('trying')
    freed()
    await Promise.all([stuck.stop(), trying.stop()])
  })
})
