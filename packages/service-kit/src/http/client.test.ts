import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { endpoint } from '@nifty/api/endpoint'
import { Type } from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { createServiceClient } from './client.ts'

const thing = endpoint({
  method: 'GET',
  path: '/internal/things',
  access: 'service',
  callers: ['payments'],
  response: Type.Object({}),
})

async function listen(handler: RequestListener) {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each([301, 302, 307, 308])(
  'a redirect with %i is not followed, and the proof of the caller reaches no other address',
  async (status) => {
    const reached: unknown[] = []
    const elsewhere = await listen((request, response) => {
      reached.push(request.headers)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
    const service = await listen((_request, response) => response.writeHead(status, { location: elsewhere }).end())
    const client = createServiceClient({ url: service, credential: () => ({ 'x-proof': 'signed' }), name: 'test' })

    await expect(client(thing)).rejects.toMatchObject({ statusCode: 503, code: 'service_unavailable' })

    expect(reached).toEqual([])
  },
)
