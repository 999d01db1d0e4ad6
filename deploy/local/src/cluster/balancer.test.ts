import { createServer, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createAuthority } from '@nifty/dev-servers/certificates'
import { freePort } from '@nifty/dev-servers/free-port'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'
import { startBalancer } from './balancer.ts'

/** A server that returns its name and closes each connection after one response. */
async function startNamed(name: string) {
  const server: Server = createServer((request, response) => {
    response.setHeader('connection', 'close')
    if (request.url === '/long') response.end('x'.repeat(3_000_000))
    else if (request.method === 'POST') request.pipe(response)
    else response.end(name)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return port
}

async function balance(targets: () => number[], host?: string) {
  const balancer = await startBalancer({ host, targets })
  onTestFinished(balancer.stop)
  return balancer.url
}
const get = async (url: string, options?: RequestInit) => (await fetch(url, options)).text()

test('connections are distributed to the processes in turn', async () => {
  const ports = [await startNamed('one'), await startNamed('two')]
  const url = await balance(() => ports)
  const names = [await get(url), await get(url), await get(url), await get(url)]
  expect(names.toSorted()).toEqual(['one', 'one', 'two', 'two'])
  expect(names[0]).toBe(names[2])
})

test('a process that refuses connections is skipped, and one that is no target gets none', async () => {
  const ports = [await freePort(), await startNamed('one')]
  const url = await balance(() => ports)
  expect([await get(url), await get(url), await get(url)]).toEqual(['one', 'one', 'one'])
  ports[1] = await startNamed('successor')
  expect(await get(url)).toBe('successor')
})

test('without any process the connection is closed at once', async () => {
  const url = await balance(() => [])
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('large responses and large requests arrive completely', async () => {
  const ports = [await startNamed('one')]
  const url = await balance(() => ports)
  expect(await get(`${url}/long`)).toHaveLength(3_000_000)
  const body = 'y'.repeat(2_000_000)
  expect(await get(url, { method: 'POST', body })).toBe(body)
})

test('"localhost" listens on IPv4 and IPv6', async () => {
  const ports = [await startNamed('one')]
  const url = await balance(() => ports, 'localhost')
  expect(await get(url.replace('127.0.0.1', 'localhost'))).toBe('one')
})

test('a client that resets its connection affects no other', async () => {
  const ports = [await startNamed('one')]
  const url = await balance(() => ports)
  for (let count = 0; count < 20; count++) {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' })
    socket.on('error', () => {})
    socket.write('GET /long HTTP/1.1\r\nhost: x\r\n\r\n')
    await new Promise((resolve) => socket.once('connect', resolve))
    socket.resetAndDestroy()
  }
  expect(await get(url)).toBe('one')
})

test('with HTTPS behind it, clients get HTTP, and a process with a foreign certificate gets no connection', async () => {
  const trusted = await createAuthority(await temporaryFolder('balancer'))
  const foreign = await createAuthority(await temporaryFolder('balancer'))
  const served = await trusted.issue('own')
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, served.ca])
  onTestFinished(() => setDefaultCACertificates(before))
  const ports: number[] = []
  for (const { key, cert } of [await foreign.issue('foreign'), served]) {
    const port = await freePort()
    const server = createHttpsServer({ key, cert }, (request, response) => void request.pipe(response))
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
    ports.push(port)
  }
  const balancer = await startBalancer({ targets: () => ports, encrypts: true })
  onTestFinished(balancer.stop)

  const body = 'y'.repeat(2_000_000)
  const echo = () => get(balancer.url, { method: 'POST', body, headers: { connection: 'close' } })
  expect([await echo(), await echo()]).toEqual([body, body])

  ports.pop()
  await expect(echo()).rejects.toThrow('fetch failed')
})
