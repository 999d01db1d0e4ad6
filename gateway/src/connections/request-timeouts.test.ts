import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startTestGateway } from '../testing/gateway.ts'
import { openConnection } from '../testing/raw-http.ts'

test('the headers of a request have 10 s by default', async () => {
  const { app } = await startTestGateway({})
  expect(app.server.headersTimeout).toBe(10_000)
})

test.each([
  ['a request has 30 s', 'POST /api/nfts/test', 30_000],
  ['an avatar has 120 s', 'PUT /api/users/7/upload-avatar', 120_000],
  ['a work has 120 s', 'POST /api/mints', 120_000],
])('%s by default, of which its headers may have taken theirs', async (_what, line, ms) => {
  const { app, url } = await startTestGateway({})
  const connected = once(app.server, 'connection')
  const arrived = once(app.server, 'request')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const connection = await openConnection(url)
  connection.write(
    `${line} HTTP/1.1\r\nHost: store.test\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
  )
  const [socket] = (await connected) as [Socket]
  await arrived

  vi.advanceTimersByTime(ms - app.server.headersTimeout - 1)
  expect(socket.writableEnded).toBe(false)
  vi.advanceTimersByTime(1)
  expect(socket.writableEnded).toBe(true)
  expect((await connection.response()).status).toBe(408)
})
