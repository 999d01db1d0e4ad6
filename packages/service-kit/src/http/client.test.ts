import { endpoint } from '@nifty/api/endpoint'
import { pino } from 'pino'
import { Type } from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { startHttpServer } from '../testing/http-server.ts'
import { createServiceClient } from './client.ts'

const thing = endpoint({
  method: 'GET',
  path: '/internal/things',
  access: 'service',
  callers: ['payments'],
  response: Type.Object({}),
})

test.each([301, 302, 307, 308])(
  'a redirect with %i is not followed, and the proof of the caller reaches no other address',
  async (status) => {
    const reached: unknown[] = []
    const elsewhere = await startHttpServer((request, response) => {
      reached.push(request.headers)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
    const service = await startHttpServer((_request, response) =>
      response.writeHead(status, { location: elsewhere }).end(),
    )
    const client = createServiceClient({ url: service, credential: () => ({ 'x-proof': 'signed' }), name: 'test' })

    await expect(client(thing)).rejects.toMatchObject({ statusCode: 503, code: 'service_unavailable' })

    expect(reached).toEqual([])
  },
)

test('a refused key is logged and is no refusal of the user, and other refusals arrive as the same error', async () => {
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  const answer = { code: 'forbidden', message: 'Forbidden' }
  const service = await startHttpServer((_request, response) =>
    response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify(answer)),
  )
  const client = createServiceClient({ url: service, credential: () => ({}), name: 'catalog', log })

  await expect(client(thing)).rejects.toMatchObject({ statusCode: 503, code: 'service_unavailable' })
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ peer: 'catalog', path: '/internal/things' }])

  Object.assign(answer, { code: 'own_item', message: 'You cannot buy your own item' })
  await expect(client(thing)).rejects.toMatchObject({ statusCode: 403, code: 'own_item' })
  expect(lines).toHaveLength(1)
})

test('a response that ends early is a 503, since its outcome is unknown', async () => {
  const service = await startHttpServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000 })
    response.write('{}', () => response.destroy())
  })
  const client = createServiceClient({ url: service, credential: () => ({}), name: 'test' })

  await expect(client(thing)).rejects.toMatchObject({ statusCode: 503, code: 'service_unavailable' })
})

test('a response whose body does not arrive in time is a 503', async () => {
  const service = await startHttpServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{')
    onTestFinished(() => void response.destroy())
  })
  const client = createServiceClient({ url: service, credential: () => ({}), name: 'test', timeoutMs: 200 })

  await expect(client(thing)).rejects.toMatchObject({ statusCode: 503, code: 'service_unavailable' })
})

test.each([
  [413, 'too_large'],
  [414, 'uri_too_long'],
])('a request that is too large for the service is no failure of the service: %i', async (status, code) => {
  const service = await startHttpServer((_request, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify({ code, message: 'Too long' })),
  )
  const client = createServiceClient({ url: service, credential: () => ({}), name: 'test' })

  await expect(client(thing)).rejects.toMatchObject({ statusCode: status, code })
})
