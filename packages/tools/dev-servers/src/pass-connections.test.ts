import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { freePort } from './free-port.ts'
import { passConnections } from './pass-connections.ts'

test('a stop while the server behind a connection is still starting does not connect to it, which would end the process', async () => {
  const target = Promise.withResolvers<number>()
  const asked = Promise.withResolvers<void>()
  const port = await freePort()
  const listener = await passConnections(port, () => {
    asked.resolve()
    return target.promise
  })
  const client = connect(port, '127.0.0.1').on('error', () => {})
  await asked.promise
  await listener.stop()
  client.destroy()

  const stopped = await freePort()
  target.resolve(stopped)
  await target.promise
  // Refused after an earlier connection to the same port, whose error would have no listener.
  const [error] = await once(connect(stopped, '127.0.0.1'), 'error')
  expect(error).toMatchObject({ code: 'ECONNREFUSED' })
})
