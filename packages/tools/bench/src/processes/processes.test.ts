import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { cpuMsOf, readProcess, residentMb } from './processes.ts'

test.runIf(process.platform === 'linux')('work of a process adds to its CPU time', () => {
  const before = readProcess(process.pid)
  const until = process.cpuUsage().user + 20_000
  while (process.cpuUsage().user < until);

  const after = readProcess(process.pid)
  expect(after.cpuMs - before.cpuMs).toBeGreaterThanOrEqual(10)
  expect(after.wakeUps).toBeGreaterThanOrEqual(before.wakeUps)
  expect(residentMb(process.pid)).toBeGreaterThan(10)
})

test.runIf(process.platform === 'linux')('the time of a thread that has ended is not taken off', async () => {
  const work = `
    const { parentPort } = require('node:worker_threads')
    const until = performance.now() + 200
    while (performance.now() < until);
    parentPort.once('message', () => {})
    parentPort.postMessage('done')`
  const thread = new Worker(work, { eval: true })
  await once(thread, 'message')
  const before = readProcess(process.pid)
  await thread.terminate()
  expect(readProcess(process.pid).cpuMs).toBeGreaterThanOrEqual(before.cpuMs)
})

test('a process that was never seen has used nothing', () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  expect(readProcess(pid)).toEqual({ cpuMs: 0, wakeUps: 0 })
  expect(() => residentMb(pid)).toThrow(`process ${pid} has ended`)
  expect(cpuMsOf([pid, pid])).toBe(0)
})
