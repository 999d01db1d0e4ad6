import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { MemberOptions } from '../testing/member-process.ts'
import { countOf, happened } from './transport.conformance.ts'
import type { Message, Transport } from './transport.ts'

const program = join(import.meta.dirname, '../testing/member-process.ts')
const PATIENCE = { timeout: 90_000, interval: 100 }

export type FaultyWorld = {
  open: () => Promise<Transport>
  /** The same transport, as another process opens it. */
  transport: MemberOptions['transport']
  /** Takes away what carries the messages, and brings it back. */
  interrupt: () => Promise<void>
}

/** What every transport must do when processes die, and when that which carries the messages goes away. */
export function survives(name: string, { open, transport, interrupt }: FaultyWorld) {
  describe(`the ${name} transport under faults`, () => {
    const members: Transport[] = []
    const children: ChildProcess[] = []
    const enter = async () => {
      const member = await open()
      members.push(member)
      return member
    }
    /** A member in a process of its own, and the ids that it says it has heard. */
    function enterElsewhere(group: string) {
      const options: MemberOptions = { transport, group, topics: ['kit'] }
      const child = spawn(process.execPath, [...process.execArgv, program, JSON.stringify(options)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      children.push(child)
      let said = ''
      child.stdout!.on('data', (chunk) => {
        said += chunk
      })
      return { child, heard: () => said.split('\n').filter(Boolean) }
    }
    afterEach(async () => {
      for (const child of children.splice(0)) child.kill('SIGKILL')
      await Promise.all(members.splice(0).map((member) => member.stop()))
    })

    const listen = (member: Transport, group: string, heard: Message[]) =>
      member.subscribe({ group, topics: ['kit'], handle: async (message) => void heard.push(message) })

    /** Says it until it is said, as the outbox does. */
    async function insist(member: Transport, messages: Message[]) {
      for (let said = false; !said; )
        said = await member.publish(messages).then(
          () => true,
          () => sleep(100).then(() => false),
        )
    }

    /** The counts of a key in the order in which they were first heard. */
    const firstTimes = (heard: Message[], mine: string) => [
      ...new Set(heard.filter(({ key }) => key === mine).map(countOf)),
    ]
    const upTo = (end: number) => Array.from({ length: end }, (_, count) => count)

    test('hands on what a killed process had not finished, in order', { timeout: 180_000 }, async () => {
      const group = `killed-${randomUUID()}`
      const mine = randomUUID()
      const member = await enter()
      const other = enterElsewhere(group)
      const [first, stuck, last] = [happened(mine, 0), happened(mine, 1, { hang: true }), happened(mine, 2)]
      await member.publish([first])
      await vi.waitUntil(() => other.heard().includes(first.id), PATIENCE)
      await member.publish([stuck, last])
      await vi.waitUntil(() => other.heard().includes(stuck.id), PATIENCE)
      other.child.kill('SIGKILL')

      const heard: Message[] = []
      await listen(member, group, heard)
      await vi.waitUntil(() => heard.some(({ id }) => id === last.id), PATIENCE)
      expect(firstTimes(heard, mine).slice(-2)).toEqual([1, 2])
    })

    test('loses nothing and keeps order while members come and go', { timeout: 180_000 }, async () => {
      const group = `moving-${randomUUID()}`
      const keys = upTo(8).map(() => randomUUID())
      const heard: Message[] = []
      const [publisher, one, other] = [await enter(), await enter(), await enter()]
      const first = await listen(one, group, heard)
      const say = async (from: number, to: number) => {
        for (let count = from; count < to; count++) await publisher.publish(keys.map((key) => happened(key, count)))
      }
      const complete = (end: number) => keys.every((key) => firstTimes(heard, key).length === end)

      await say(0, 10)
      const [, second] = await Promise.all([say(10, 30), listen(other, group, heard)])
      await vi.waitUntil(() => complete(30), PATIENCE)
      await Promise.all([say(30, 50), first.stop()])
      await vi.waitUntil(() => complete(50), PATIENCE)
      for (const key of keys) expect(firstTimes(heard, key)).toEqual(upTo(50))
      await second.stop()
    })

    test('loses nothing when what carries the messages goes away under load', { timeout: 180_000 }, async () => {
      const member = await enter()
      const mine = randomUUID()
      const heard: Message[] = []
      await listen(member, `outage-${randomUUID()}`, heard)
      let over = false
      let count = 0
      const talking = (async () => {
        while (!over) await insist(member, [happened(mine, count++)])
        for (const end = count + 20; count < end; ) await insist(member, [happened(mine, count++)])
      })()
      await vi.waitUntil(() => heard.some(({ key }) => key === mine), PATIENCE)
      await interrupt()
      over = true
      await talking
      await vi.waitUntil(() => firstTimes(heard, mine).length === count, PATIENCE)
      expect(firstTimes(heard, mine)).toEqual(upTo(count))
    })
  })
}
