import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePort, isFree } from './free-port.ts'

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
