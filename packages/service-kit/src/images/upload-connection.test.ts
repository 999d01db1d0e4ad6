import { connect } from 'node:net'
import Fastify, { type FastifyBaseLogger } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { testLog } from '../testing/log.ts'
import { multipartForms, readImageUpload } from './uploads.ts'

test('reading an upload ends when its connection closes, which is no error of the server', async () => {
  const started = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<unknown>()
  const app = Fastify({ loggerInstance: testLog as FastifyBaseLogger })
  await app.register(multipartForms)
  app.post('/', async (request) => {
    started.resolve()
    await readImageUpload(request, { fileField: 'image', maxBytes: 1000, countBytes: () => {} }).catch(ended.resolve)
  })
  onTestFinished(() => app.close())
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  const socket = connect(port, '127.0.0.1')
  const head = ['POST / HTTP/1.1', 'Host: x', 'Content-Length: 1000', 'Content-Type: multipart/form-data; boundary=b']
  const part = ['--b', 'Content-Disposition: form-data; name="image"; filename="a.png"', '', 'abc']
  socket.write([...head, '', ...part].join('\r\n'))
  await started.promise

  socket.destroy()

  expect(await ended.promise).toMatchObject({ statusCode: 400, code: 'invalid_form' })
})
