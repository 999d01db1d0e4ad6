import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { MemberOptions } from '../testing/consumer-process.ts'
import type { Message } from './message.ts'
import { countOf, createMessage } from './transport.conformance.ts'
import type { Transport } from './transport.ts'

const program = join(import.meta.dirname, '../testing/consumer-process.ts')
const WAIT = { timeout: 90_000, interval: 100 }

export type FaultInjection = {
  open: () => Promise<Transport>
  /** Options with which another process opens the same transport. */
  transport: MemberOptions['transport']
  /** Stops the broker or database, and starts it again. */
  interrupt: () => Promise<void>
}

/** Tests of every transport: killed processes, and an interrupted broker or database. */
export function testTransportFaults(name: string, { open, transport, interrupt }: FaultInjection) {
  describe(`the ${name} transport under faults`, () => {
    const members: Transport[] = []
    const children: ChildProcess[] = []
    const openMember = async () => {
      const member = await open()
      members.push(member)
      return member
    }
    /** A consumer in a process of its own; `consumed` returns the ids that it printed. */
    function spawnConsumer(group: string) {
      const options: MemberOptions = { transport, group, topics: ['kit'] }
      const child = spawn(process.execPath, [...process.execArgv, program, JSON.stringify(options)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      children.push(child)
      let output = ''
      child.stdout!.on('data', (chunk) => {
        output += chunk
      })
      return { child, consumed: () => output.split('\n').filter(Boolean) }
    }
    afterEach(async () => {
      for (const child of children.splice(0)) child.kill('SIGKILL')
      await Promise.all(members.splice(0).map((member) => member.stop()))
    })

    const consume = (member: Transport, group: string, received: Message[]) =>
      member.subscribe({ group, topics: ['kit'], handle: async (message) => void received.push(message) })

    /** Publishes until it succeeds, as the relay does. */
    async function publishUntilStored(member: Transport, messages: Message[]) {
      for (let stored = false; !stored; )
        stored = await member.publish(messages).then(
          () => true,
          () => sleep(100).then(() => false),
        )
    }

    /** The counts of a key in the order of their first delivery. */
    const firstDeliveries = (received: Message[], ownKey: string) => [
      ...new Set(received.filter(({ key }) => key === ownKey).map(countOf)),
    ]
    const upTo = (end: number) => Array.from({ length: end }, (_, count) => count)

    test('redelivers what a killed process had not completed, in order', { timeout: 180_000 }, async () => {
      const group = `killed-${randomUUID()}`
      const ownKey = randomUUID()
      const member = await openMember()
      const other = spawnConsumer(group)
      const [first, stuck, last] = [
        createMessage(ownKey, 0),
        createMessage(ownKey, 1, { block: true }),
        createMessage(ownKey, 2),
      ]
      await member.publish([first])
      await vi.waitUntil(() => other.consumed().includes(first.id), WAIT)
      await member.publish([stuck, last])
      await vi.waitUntil(() => other.consumed().includes(stuck.id), WAIT)
      other.child.kill('SIGKILL')

      const received: Message[] = []
      await consume(member, group, received)
      await vi.waitUntil(() => received.some(({ id }) => id === last.id), WAIT)
      expect(firstDeliveries(received, ownKey).slice(-2)).toEqual([1, 2])
    })

    test('loses nothing and keeps the order while members join and leave', { timeout: 180_000 }, async () => {
      const group = `moving-${randomUUID()}`
      const keys = upTo(8).map(() => randomUUID())
      const received: Message[] = []
      const [publisher, one, other] = [await openMember(), await openMember(), await openMember()]
      const first = await consume(one, group, received)
      const publishCounts = async (from: number, to: number) => {
        for (let count = from; count < to; count++)
          await publisher.publish(keys.map((key) => createMessage(key, count)))
      }
      const complete = (end: number) => keys.every((key) => firstDeliveries(received, key).length === end)

      await publishCounts(0, 10)
      const [, second] = await Promise.all([publishCounts(10, 30), consume(other, group, received)])
      await vi.waitUntil(() => complete(30), WAIT)
      await Promise.all([publishCounts(30, 50), first.stop()])
      await vi.waitUntil(() => complete(50), WAIT)
      for (const key of keys) expect(firstDeliveries(received, key)).toEqual(upTo(50))
      await second.stop()
    })

    test('loses nothing when the broker is interrupted under load', { timeout: 180_000 }, async () => {
      const member = await openMember()
      const ownKey = randomUUID()
      const received: Message[] = []
      await consume(member, `outage-${randomUUID()}`, received)
      let over = false
      let count = 0
      const publishing = (async () => {
        while (!over) await publishUntilStored(member, [createMessage(ownKey, count++)])
        for (const end = count + 20; count < end; ) await publishUntilStored(member, [createMessage(ownKey, count++)])
      })()
      await vi.waitUntil(() => received.some(({ key }) => key === ownKey), WAIT)
      await interrupt()
      over = true
      await publishing
      await vi.waitUntil(() => firstDeliveries(received, ownKey).length === count, WAIT)
      expect(firstDeliveries(received, ownKey)).toEqual(upTo(count))
    })
  })
}
