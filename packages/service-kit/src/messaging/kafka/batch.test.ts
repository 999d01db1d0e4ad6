import { randomUUID } from 'node:crypto'
import type { EachBatchPayload } from 'kafkajs'
import { expect, test } from 'vitest'
import { testLog } from '../../testing/log.ts'
import type { Message } from '../message.ts'
import { readBatch } from './batch.ts'
import { toRecord } from './envelope.ts'

/** Reads a batch with one message, and returns what happened in its order. */
async function readOne(handle: (message: Message) => Promise<void>, isRunning: () => boolean) {
  const happened: string[] = []
  const message = { id: randomUUID(), name: 'kit.happened.v1', topic: 'kit', key: 'a', data: { count: 1 } }
  const { headers = {}, ...record } = toRecord({ ...message, correlationId: null, traceparent: null })
  const asBytes = Object.entries(headers).map(([name, value]) => [name, Buffer.from(String(value))])
  const received = {
    key: Buffer.from('a'),
    value: Buffer.from(String(record.value)),
    headers: Object.fromEntries(asBytes),
  }
  const payload = {
    batch: { topic: 'kit', partition: 0, messages: [{ ...received, offset: '7' }] },
    isRunning,
    isStale: () => false,
    heartbeat: async () => {},
    resolveOffset: (offset: string) => happened.push(`offset ${offset}`),
    uncommittedOffsets: () => ({}),
    commitOffsetsIfNecessary: async () => void happened.push('commit'),
  }
  await readBatch(payload as unknown as EachBatchPayload, {
    group: 'kit',
    log: testLog,
    heartbeatMs: 1_000,
    onProgress: () => {},
    handle: async (received) => {
      happened.push('handle')
      await handle(received)
      happened.push('stored')
    },
  })
  return happened
}

test('an offset is committed after its message was stored', async () => {
  const happened = await readOne(
    async () => {},
    () => true,
  )
  expect(happened).toEqual(['handle', 'stored', 'offset 7', 'commit'])
})

test('the offset of a message that was not stored stays', async () => {
  let isRunning = true
  const handle = async () => {
    isRunning = false
    throw new Error('the database is down')
  }
  expect(await readOne(handle, () => isRunning)).toEqual(['handle'])
})
