import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { expect, test } from 'vitest'
import { createFolder } from './folder.ts'
import { openJournal } from './journal.ts'
import { startNemesis } from './nemesis.ts'
import type { Fault } from './schedule.ts'
import type { Servers } from './servers.ts'

type Process = { name: string; pid?: number; ready: boolean }

/** Runs faults against a node, a key rotation and a restore that all fail. */
async function run(faults: Fault[], processes: () => Promise<Process[]> = async () => []) {
  const folder = await temporaryFolder('storm')
  const refused = async () => {
    throw new Error('refused')
  }
  const nemesis = startNemesis(
    {
      cluster: { processes } as never,
      servers: { chain: refused, raiseBaseFee: refused, kill: { kafka: refused } } as unknown as Servers,
      files: createFolder(folder),
      journal: openJournal(join(folder, 'journal.jsonl')),
      underWay: () => 1,
      begun: () => 1,
      rotateKey: refused,
      restoreDatabase: refused,
    },
    { seed: '1', replicas: 1, purchases: [], faults },
  )
  await nemesis.finished
  return nemesis
}

test('a fault that cannot be injected is a violation, and the faults after it are injected', async () => {
  const { failed, done } = await run([
    { kind: 'reorg', depth: 1, afterMs: 0 },
    { kind: 'server killed', server: 'kafka', afterMs: 0 },
    { kind: 'key rotated', how: 'drained', afterMs: 0 },
    { kind: 'database restored', ms: 1, afterMs: 0 },
  ])
  expect(done.faults).toBe(4)
  expect(failed.toSorted()).toEqual([
    'fault 0, reorg, failed: refused',
    'fault 1, server killed, failed: refused',
    'fault 3, database restored, failed: refused',
    'key rotated: refused',
  ])
})

test.for(['kill', 'pause'] as const)('a %s waits for a process that is not started again yet', async (kind) => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'])
  await once(child, 'spawn')
  try {
    let reads = 0
    const processes = async () => {
      reads++
      return [{ name: 'payments-1', ready: true, pid: reads > 3 ? child.pid : undefined }]
    }
    const { failed } = await run([{ kind, program: 'payments', replica: 1, ms: 0, skip: 0, afterMs: 0 }], processes)
    expect(failed).toEqual([])
    expect(reads).toBeGreaterThan(3)
    if (kind === 'kill') expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
  } finally {
    child.kill('SIGKILL')
  }
})
