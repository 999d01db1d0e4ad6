import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Message } from './message.ts'
import type { MeasuredTransport, Transport } from './transport.ts'

export const createMessage = (key: string, count: number, fields: object = {}): Message => ({
  id: randomUUID(),
  name: 'kit.createMessage.v1',
  topic: 'kit',
  key,
  data: { count, ...fields },
  correlationId: null,
  traceparent: null,
})

export const countOf = ({ data }: Message) => (data as { count: number }).count

/** What every transport must do. `open` gives a member of the same system each time, as another process would be. */
export function testTransport(name: string, open: () => Promise<MeasuredTransport>) {
  describe(`the ${name} transport`, () => {
    const members: MeasuredTransport[] = []
    const join = async () => {
      const member = await open()
      members.push(member)
      return member
    }
    afterEach(async () => {
      await Promise.all(members.splice(0).map((member) => member.stop()))
    })

    const listen = async (member: Transport, group: string, heard: Message[], refuse = (_message: Message) => false) =>
      member.subscribe({
        group,
        topics: ['kit'],
        handle: async (received) => {
          if (refuse(received)) throw new Error('not now')
          heard.push(received)
        },
      })

    test('keeps the order of a key when an earlier message takes longer than a later one', async () => {
      const member = await join()
      const mine = randomUUID()
      for (let count = 0; count < 60; count++)
        await member.publish([createMessage(mine, count), createMessage(randomUUID(), count)])
      const counts: number[] = []
      await member.subscribe({
        group: `order-${mine}`,
        topics: ['kit'],
        handle: async (message) => {
          if (message.key !== mine) return
          await sleep(countOf(message) % 2 ? 0 : 10)
          counts.push(countOf(message))
        },
      })
      await vi.waitUntil(() => counts.length >= 60, { timeout: 30_000 })
      expect(counts).toEqual(Array.from({ length: 60 }, (_, count) => count))
    })

    test('delivers a message as published, with its correlation id and traceparent', async () => {
      const member = await join()
      const mine = randomUUID()
      const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
      const message: Message = {
        ...createMessage(mine, 1, { text: 'Zoë ✓ "quoted"\n', none: null }),
        correlationId: 'request-1',
        traceparent,
      }
      await member.publish([message])
      const heard: Message[] = []
      await listen(member, `whole-${mine}`, heard)
      await vi.waitUntil(() => heard.some(({ key }) => key === mine), { timeout: 30_000 })
      expect(heard.find(({ key }) => key === mine)).toMatchObject(message)
    })

    test('delivers a message again that is published again', async () => {
      const member = await join()
      const mine = randomUUID()
      const message = createMessage(mine, 1)
      const heard: Message[] = []
      await listen(member, `again-${mine}`, heard)
      for (const times of [1, 2]) {
        await member.publish([message])
        await vi.waitUntil(() => heard.filter(({ id }) => id === message.id).length === times, { timeout: 30_000 })
      }
    })

    test('delivers earlier messages to a new group, and all messages to each group', async () => {
      const member = await join()
      const mine = randomUUID()
      await member.publish([createMessage(mine, 1)])
      const first: Message[] = []
      const second: Message[] = []
      await listen(member, `early-${mine}`, first)
      await listen(member, `late-${mine}`, second)
      for (const heard of [first, second])
        await vi.waitUntil(() => heard.some(({ key }) => key === mine), { timeout: 30_000 })
    })

    test('redelivers what could not be stored, without blocking other groups', async () => {
      const member = await join()
      const mine = randomUUID()
      let down = true
      const stuck: Message[] = []
      const healthy: Message[] = []
      await listen(member, `stuck-${mine}`, stuck, ({ key }) => down && key === mine)
      await listen(member, `healthy-${mine}`, healthy)
      await member.publish([createMessage(mine, 1), createMessage(mine, 2)])
      await vi.waitUntil(() => healthy.filter(({ key }) => key === mine).length === 2, { timeout: 30_000 })
      expect(stuck.filter(({ key }) => key === mine)).toEqual([])
      down = false
      await vi.waitUntil(() => stuck.filter(({ key }) => key === mine).length >= 2, { timeout: 30_000 })
      const counts = stuck.filter(({ key }) => key === mine).map(countOf)
      expect(counts.indexOf(1)).toBeLessThan(counts.indexOf(2))
    })

    test('publishes more than fits into one batch', async () => {
      const member = await join()
      const heard: Message[] = []
      await listen(member, `bulk-${randomUUID()}`, heard)
      const mine = randomUUID()
      const sent = Array.from({ length: 30 }, (_, count) => createMessage(mine, count, { text: 'x'.repeat(90_000) }))
      await member.publish(sent)
      const ofKey = () => heard.filter(({ key }) => key === mine)
      await vi.waitUntil(() => ofKey().length === 30, { timeout: 30_000 })
      expect(ofKey().map(countOf)).toEqual(sent.map(countOf))
    })

    test('reports the lag of a group in messages and seconds', async () => {
      const member = await join()
      const group = `behind-${randomUUID()}`
      let down = true
      await listen(member, group, [], () => down)
      await member.publish([createMessage(randomUUID(), 1), createMessage(randomUUID(), 2)])
      const lag = async () => (await member.lag()).find((each) => each.group === group && each.topic === 'kit')!
      expect((await lag()).messages).toBeGreaterThanOrEqual(2)
      await vi.waitUntil(async () => (await lag()).oldestSeconds >= 1, { timeout: 30_000, interval: 200 })
      down = false
      await vi.waitUntil(async () => (await lag()).messages === 0, { timeout: 30_000, interval: 200 })
      expect((await lag()).oldestSeconds).toBe(0)
    })

    test('continues at the position of a stopped member with another one', async () => {
      const group = `handover-${randomUUID()}`
      const mine = randomUUID()
      const first = await join()
      const before: Message[] = []
      const subscription = await listen(first, group, before)
      await first.publish([createMessage(mine, 1)])
      await vi.waitUntil(() => before.some(({ key }) => key === mine), { timeout: 30_000 })
      await subscription.stop()
      await first.publish([createMessage(mine, 2)])

      const second = await join()
      const after: Message[] = []
      await listen(second, group, after)
      await vi.waitUntil(() => after.some(({ key }) => key === mine), { timeout: 30_000 })
      expect(after.filter(({ key }) => key === mine).map(countOf)).toEqual([2])
    })

    test('loses nothing when two processes publish concurrently', async () => {
      const [one, other] = [await join(), await join()]
      const heard: Message[] = []
      await listen(one, `crowd-${randomUUID()}`, heard)
      const sent = Array.from({ length: 200 }, (_, count) => createMessage(randomUUID(), count))
      const publish = async (member: typeof one, half: Message[]) => {
        for (let from = 0; from < half.length; from += 10) await member.publish(half.slice(from, from + 10))
      }
      await Promise.all([publish(one, sent.slice(0, 100)), publish(other, sent.slice(100))])
      const ids = new Set(sent.map(({ id }) => id))
      await vi.waitUntil(() => new Set(heard.flatMap(({ id }) => (ids.has(id) ? [id] : []))).size === 200, {
        timeout: 30_000,
      })
    })
  })
}
