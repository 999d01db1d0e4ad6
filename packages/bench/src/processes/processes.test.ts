import { spawnSync } from 'node:child_process'
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

test('a process that is gone has used nothing', () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  expect(readProcess(pid)).toEqual({ cpuMs: 0, wakeUps: 0 })
  expect(residentMb(pid)).toBe(0)
  expect(cpuMsOf([pid, pid])).toBe(0)
})
