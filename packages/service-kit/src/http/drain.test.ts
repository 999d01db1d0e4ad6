import { Agent, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { endpoint } from '@nifty/api/endpoint'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testLog } from '../testing/log.ts'
import { createApp } from './app.ts'
import { drainOnClose } from './drain.ts'
import { registerRoute } from './routes.ts'

/** A caller that keeps its connection, as a gateway does. */
function caller(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  return (path: string) =>
    new Promise<{ status?: number; connection?: string }>((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, path, agent }, (answer) => {
        answer.resume()
        answer.once('end', () => resolve({ status: answer.statusCode, connection: answer.headers.connection }))
      })
      asked.once('error', reject).end()
    })
}

const PATIENCE = { timeout: 30_000 }

async function appThatLingers(pause: Promise<void>) {
  const app = createApp({ log: testLog, name: 'test' })
  const [asked, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const leaving = drainOnClose(app, () => pause)
  registerRoute(app, endpoint({ method: 'GET', path: '/slow', access: 'public' }), async () => {
    asked.resolve()
    await slow.promise
    return {}
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const ask = caller((app.server.address() as AddressInfo).port)
  return { app, leaving, asked: asked.promise, endSlow: slow.resolve, ask }
}

const refuses = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(!socket.destroy()))
    socket.once('error', () => resolve(true))
  })

test('a draining app serves old and new connections, and closes each one with its response', async () => {
  const pause = Promise.withResolvers<void>()
  const { app, leaving, ask } = await appThatLingers(pause.promise)
  expect(await ask('/healthz')).toEqual({ status: 200, connection: 'keep-alive' })
  expect(leaving()).toBe(false)

  const closed = app.close()
  await vi.waitUntil(leaving, PATIENCE)
  expect(await ask('/healthz')).toEqual({ status: 200, connection: 'close' })
  expect(await ask('/healthz')).toEqual({ status: 200, connection: 'close' })
  pause.resolve()
  await closed
})

test('after the drain period running requests complete and new connections are refused', async () => {
  const { app, asked, endSlow, ask } = await appThatLingers(Promise.resolve())
  const { port } = app.server.address() as AddressInfo
  const answer = ask('/slow')
  await asked
  const closed = app.close()
  await vi.waitUntil(() => refuses(port), PATIENCE)
  endSlow()
  expect(await answer).toMatchObject({ status: 200 })
  await closed
})
