import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { freePort } from '@nifty/dev-servers/free-port'
import { expect, onTestFinished, test } from 'vitest'
import { startBalancer } from './balancer.ts'

/** A server that says its name, and closes each connection after one answer. */
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
const ask = async (url: string, options?: RequestInit) => (await fetch(url, options)).text()

test('each connection goes to the next process in turn', async () => {
  const ports = [await startNamed('one'), await startNamed('two')]
  const url = await balance(() => ports)
  const names = [await ask(url), await ask(url), await ask(url), await ask(url)]
  expect(names.toSorted()).toEqual(['one', 'one', 'two', 'two'])
  expect(names[0]).toBe(names[2])
})

test('a process that does not answer is passed by, and one that is gone is not asked', async () => {
  const ports = [await freePort(), await startNamed('one')]
  const url = await balance(() => ports)
  expect([await ask(url), await ask(url), await ask(url)]).toEqual(['one', 'one', 'one'])
  ports[1] = await startNamed('successor')
  expect(await ask(url)).toBe('successor')
})

test('with no process at all the line is cut at once', async () => {
  const url = await balance(() => [])
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('long answers and long questions arrive whole', async () => {
  const ports = [await startNamed('one')]
  const url = await balance(() => ports)
  expect(await ask(`${url}/long`)).toHaveLength(3_000_000)
  const body = 'y'.repeat(2_000_000)
  expect(await ask(url, { method: 'POST', body })).toBe(body)
})

test('"localhost" is answered under the address of every kind', async () => {
  const ports = [await startNamed('one')]
  const url = await balance(() => ports, 'localhost')
  expect(await ask(url.replace('127.0.0.1', 'localhost'))).toBe('one')
})

test('a caller who hangs up does no harm', async () => {
  const ports = [await startNamed('one')]
  const url = await balance(() => ports)
  for (let count = 0; count < 20; count++) {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' })
    socket.on('error', () => {})
    socket.write('GET /long HTTP/1.1\r\nhost: x\r\n\r\n')
    await new Promise((resolve) => socket.once('connect', resolve))
    socket.resetAndDestroy()
  }
  expect(await ask(url)).toBe('one')
})
