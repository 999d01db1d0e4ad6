import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { givenAccount } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'

test('an upload that stalls is a 408', async () => {
  const minting = await startTestMinting({ uploadWithinMs: 200 })
  const { userId } = await givenAccount(minting, { admin: true })
  await minting.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = minting.app.server.address() as AddressInfo
  const { authorization } = minting.bearer(userId)

  const answer = await new Promise<string>((resolve, reject) => {
    let received = ''
    const socket = connect(port, '127.0.0.1')
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('close', () => resolve(received))
    const head = [
      ...['POST /api/mints HTTP/1.1', 'host: x', `authorization: ${authorization}`, 'content-length: 100000'],
      'content-type: multipart/form-data; boundary=b',
    ]
    socket.write(
      `${head.join('\r\n')}\r\n\r\n--b\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n`,
    )
    socket.write('content-type: image/png\r\n\r\nabc')
  })
  expect(answer).toMatch(/^HTTP\/1.1 408 /)
  expect(answer).toContain('"code":"upload_timeout"')
})
