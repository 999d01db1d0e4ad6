import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import Fastify, { type FastifyBaseLogger } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { sendError } from '../http/error-handler.ts'
import { testLog } from '../testing/log.ts'
import { createUploadPlaces } from './upload-places.ts'
import { multipartForms, readImageUpload } from './uploads.ts'

const fileHead = ['--b', 'Content-Disposition: form-data; name="image"; filename="a.png"', '', 'abc'].join('\r\n')
const fieldHead = ['--b', 'Content-Disposition: form-data; name="name"', '', 'Du'].join('\r\n')

/** An upload whose last bytes are never sent; `ended` is how its reading ended. */
async function startUpload({ body = fileHead, stalledMs }: { body?: string; stalledMs?: number }) {
  const started = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<unknown>()
  const withPlace = createUploadPlaces({ maxBytes: 3 })
  const app = Fastify({ loggerInstance: testLog as FastifyBaseLogger })
  app.setErrorHandler(sendError)
  await app.register(multipartForms)
  app.post('/', (request) =>
    withPlace('ada', async (countBytes) => {
      started.resolve()
      const form = { fileField: 'image', maxBytes: 1000, stalledMs }
      const reading = readImageUpload(request, { ...form, countBytes })
      reading.then(ended.resolve, ended.resolve)
      await reading
    }),
  )
  onTestFinished(() => app.close())
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
  const socket = connect(port, '127.0.0.1')
  const head = ['POST / HTTP/1.1', 'Host: x', 'Content-Length: 1000', 'Content-Type: multipart/form-data; boundary=b']
  socket.write([...head, '', body].join('\r\n'))
  await started.promise
  return { socket, ended: ended.promise, withPlace }
}

test('reading an upload ends when its connection closes, which is no error of the server', async () => {
  const { socket, ended } = await startUpload({})

  socket.destroy()

  expect(await ended).toMatchObject({ statusCode: 400, code: 'invalid_form' })
})

test.each([
  ['file', fileHead],
  ['field', fieldHead],
  ['first part', '--b'],
])('an upload that makes no progress in its %s is a 408, and leaves its place and the connection', async (_, body) => {
  const { socket, ended, withPlace } = await startUpload({ body, stalledMs: 50 })
  const closed = once(socket, 'close')

  const response = await text(socket)

  expect(response).toMatch(/^HTTP\/1.1 408 .*request_timeout/s)
  expect(await ended).toMatchObject({ statusCode: 408 })
  await closed
  await withPlace('ada', async (countBytes) => countBytes(3))
})
