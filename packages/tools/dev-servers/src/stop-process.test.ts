import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { stopProcess } from './stop-process.ts'

/** A process that has printed something, so that its code has run. */
async function start(code: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', `${code}; setInterval(() => {}, 1_000); console.log('started')`])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

test('a process that stops within the limit gets one signal', async () => {
  const child = await start(`process.on('SIGINT', () => process.exit(7))`)
  await stopProcess(child, { signal: 'SIGINT' })
  expect(child.exitCode).toBe(7)
  await stopProcess(child)
})

test('a process that does not stop is killed after the limit', async () => {
  const child = await start(`process.on('SIGTERM', () => {})`)
  await stopProcess(child, { withinMs: 200 })
  expect(child.signalCode).toBe('SIGKILL')
})
