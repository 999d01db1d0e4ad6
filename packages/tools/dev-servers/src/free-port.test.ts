import { createServer } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { freePort, isFree } from './free-port.ts'
import { temporaryFolder } from './temporary-folder.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  // The files after this one get a module with the folder of all processes.
  vi.resetModules()
})

test('a port is given once, is free, and is none that the system gives to outgoing connections', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort))
  expect(new Set(ports).size).toBe(50)
  for (const port of ports) {
    expect(port).toBeLessThan(32_768)
    expect(await isFree(port)).toBe(true)
  }
})

test('a port that a server listens on is not free', async () => {
  const port = await freePort()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  expect(await isFree(port)).toBe(false)
  await new Promise((resolve) => server.close(resolve))
})

test('after the end of all reservations a port is given once again, to one of many who ask at the same time', async () => {
  // A folder of its own: the reservations of other processes stay.
  vi.stubEnv('TMPDIR', await temporaryFolder('free-port'))
  vi.resetModules()
  const own = await import('./free-port.ts')
  const ask = async () => new Set(await Promise.all(Array.from({ length: 1_500 }, own.freePort)))

  expect((await ask()).size).toBe(1_500)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 700_000 })
  expect((await ask()).size).toBe(1_500)
})
