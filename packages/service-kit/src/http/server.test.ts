import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { endpoint } from '@nifty/api/endpoint'
import { createAuthority } from '@nifty/dev-servers/certificates'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import Fastify, { type FastifyInstance } from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testLog } from '../testing/log.ts'
import { createApp } from './app.ts'
import { registerRoute } from './routes.ts'
import { type ResponseLimits, serverFactory } from './server.ts'
import { httpsOption } from './tls.ts'

/** More than the operating system buffers for a connection. */
const LARGE = Buffer.alloc(24 * 1024 * 1024)
const request = 'GET / HTTP/1.1\r\nHost: store.test\r\n\r\n'

/** A server whose responses are LARGE, and what became of them. */
async function start(
  limits: Partial<ResponseLimits>,
  { host = '127.0.0.1', tls }: { host?: string; tls?: object } = {},
) {
  const closed: string[] = []
  const state = { requests: 0, responsesClosed: 0 }
  const app = Fastify({
    ...tls,
    forceCloseConnections: true,
    serverFactory: serverFactory({
      limits: { stalledMs: 60_000, unanswered: 8, ...limits },
      onClosed: (reason) => closed.push(reason),
    }),
  }) as unknown as FastifyInstance
  app.get('/', async (_request, reply) => {
    state.requests++
    reply.raw.once('close', () => state.responsesClosed++)
    return LARGE
  })
  app.get('/never', () => {
    state.requests++
    return new Promise(() => {})
  })
  app.get('/short', async () => 'short')
  await app.listen({ host, port: 0 })
  onTestFinished(() => app.close())
  return { closed, state, ports: app.addresses() as { address: string; port: number }[] }
}

/** A client that reads nothing before `resume`. */
async function connect({ address, port }: { address: string; port: number }, { tls = false } = {}) {
  const socket: Socket = tls
    ? connectTls({ host: address, port, rejectUnauthorized: false })
    : connectTcp({ host: address, port })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  await once(socket, tls ? 'secureConnect' : 'connect')
  return socket
}

test.each(['http', 'https'])('%s: a connection whose response nobody reads is closed', async (scheme) => {
  const tls = scheme === 'https'
  const { closed, state, ports } = await start({ stalledMs: 300 }, { tls: tls ? await certificate() : {} })
  const client = await connect(ports[0]!, { tls })
  client.write(request.repeat(3))
  await expect.poll(() => closed).toEqual(['stalled'])
  await expect.poll(() => state).toEqual({ requests: 3, responsesClosed: 3 })
})

test('a connection whose client reads a large response slowly stays open', async () => {
  const { closed, ports } = await start({ stalledMs: 1_000 })
  const client = await connect(ports[0]!)
  client.write(request)
  let received = 0
  let pauses = 0
  client.on('data', (data) => {
    received += data.length
    // Pauses that are longer than the limit when taken together.
    if (received < (pauses + 1) * 1024 * 1024) return
    pauses++
    client.pause()
    setTimeout(() => client.resume(), 100)
  })
  await expect.poll(() => received).toBeGreaterThan(LARGE.length)
  expect(pauses).toBeGreaterThan(20)
  expect(closed).toEqual([])
})

test('a request that waits for its response stays open', async () => {
  const { closed, state, ports } = await start({ stalledMs: 100 })
  const waiting = await connect(ports[0]!)
  waiting.write('GET /never HTTP/1.1\r\nHost: store.test\r\n\r\n')
  const stalled = await connect(ports[0]!)
  stalled.write(request)
  await expect.poll(() => closed).toEqual(['stalled'])
  expect([state.requests, waiting.closed]).toEqual([2, false])
})

test('a connection with more than eight unanswered requests is closed, and the others of them are not handled', async () => {
  const { closed, state, ports } = await start({})
  const open = await connect(ports[0]!)
  open.write(request.repeat(8))
  await expect.poll(() => state.requests).toBe(8)
  const client = await connect(ports[0]!)
  client.write(request.repeat(1_000))
  client.resume()
  await once(client, 'close')
  expect([closed, state.requests, open.closed]).toEqual([['too_many_unanswered'], 16, false])
})

test('a connection may have any number of requests one after the other', async () => {
  const { ports } = await start({})
  const client = await connect(ports[0]!)
  for (let count = 0; count < 20; count++) {
    client.write('GET /short HTTP/1.1\r\nHost: store.test\r\n\r\n')
    const [data] = await once(client, 'data')
    expect(String(data)).toContain('200 OK')
  }
})

test('each address of localhost is limited', async () => {
  const { closed, ports } = await start({ stalledMs: 300 }, { host: 'localhost' })
  for (const port of ports) (await connect(port)).write(request)
  await expect.poll(() => closed).toEqual(ports.map(() => 'stalled'))
})

test('the ports of services are limited', async () => {
  const app = createApp({ log: testLog, name: 'test' })
  registerRoute(app, endpoint({ method: 'GET', path: '/', access: 'public' }), () => new Promise(() => {}))
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  onTestFinished(() => app.close())
  const client = await connect({ address: '127.0.0.1', port })
  client.write(request.repeat(9))
  client.resume()
  await once(client, 'close')
})

async function certificate() {
  const folder = await temporaryFolder('server')
  const { certFile, keyFile } = await (await createAuthority(folder)).issue('pod')
  return httpsOption({ certFile, keyFile })
}

test('a connection whose response leaves while the server closes is closed with it', async () => {
  const [asked, slow] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // An open connection would keep the server for as long.
  const keepAliveTimeout = 3_600_000
  const options = { return503OnClosing: false, keepAliveTimeout, serverFactory: serverFactory() }
  const app = Fastify(options) as unknown as FastifyInstance
  app.get('/', async (_request, reply) => {
    asked.resolve()
    await slow.promise
    // As a service in this process does.
    reply.hijack()
    reply.raw.end('late')
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const client = await connect(app.addresses()[0] as { address: string; port: number })
  client.write(request)
  await asked.promise
  const closed = app.close()
  await vi.waitFor(() => expect(app.server.listening).toBe(false))
  slow.resolve()
  const [response] = (await once(client, 'data')) as [Buffer]
  expect(response.toString()).toMatch(/^HTTP\/1.1 200 .*Connection: keep-alive.*late/s)
  await closed
})
