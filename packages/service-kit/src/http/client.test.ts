import { endpoint } from '@nifty/api/endpoint'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
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
