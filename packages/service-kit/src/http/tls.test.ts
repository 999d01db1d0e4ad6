import { copyFile, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { connect, type TLSSocket } from 'node:tls'
import { createAuthority } from '@nifty/dev-servers/certificates'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testLog } from '../testing/log.ts'
import { createApp } from './app.ts'
import { tlsFiles } from './tls.ts'

const folder = await temporaryFolder('tls')
const authority = await createAuthority(folder)

async function startApp(name: string) {
  const issued = await authority.issue(name)
  const files = { certFile: issued.certFile, keyFile: issued.keyFile }
  const app = createApp({ log: testLog, name: 'test', tls: files })
  onTestFinished(() => app.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { files, port: (app.server.address() as { port: number }).port }
}

/** The status of `GET /healthz`. Rejects for a certificate of another authority than `ca`. */
const health = (port: number, ca?: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: '/healthz', ca, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', reject).end()
  })

/** Name in the certificate that a new connection is shown. */
const certificateName = (port: number) =>
  new Promise<string>((resolve, reject) => {
    const socket: TLSSocket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN))
      socket.destroy()
    })
    socket.on('error', reject)
  })

test('an app with a certificate serves HTTPS to those who trust its authority, and no HTTP', async () => {
  const { port } = await startApp('served')
  const { ca } = await authority.issue('other')
  expect(await health(port, ca)).toBe(200)
  await expect(health(port)).rejects.toThrow(/certificate/)
  await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow('fetch failed')
})

test('a renewed certificate is used without a restart, and one that cannot be used is ignored', {
  timeout: 60_000,
}, async () => {
  const { files, port } = await startApp('first')
  expect(await certificateName(port)).toBe('first')

  const failed = vi.spyOn(testLog, 'error')
  onTestFinished(() => failed.mockRestore())
  await writeFile(files.certFile, 'not a certificate')
  await vi.waitFor(() => expect(failed).toHaveBeenCalled(), { timeout: 20_000 })
  expect(await certificateName(port)).toBe('first')

  const second = await authority.issue('second')
  await copyFile(second.keyFile, files.keyFile)
  await copyFile(second.certFile, files.certFile)
  await vi.waitFor(async () => expect(await certificateName(port)).toBe('second'), { timeout: 20_000 })
})

test('certificate and key are set together', () => {
  expect(tlsFiles({})).toBeUndefined()
  expect(tlsFiles({ TLS_CERT_FILE: 'a', TLS_KEY_FILE: 'b' })).toEqual({ certFile: 'a', keyFile: 'b' })
  expect(() => tlsFiles({ TLS_CERT_FILE: 'a' })).toThrow('TLS_CERT_FILE and TLS_KEY_FILE need each other')
  expect(() => tlsFiles({ TLS_KEY_FILE: 'b' })).toThrow('TLS_CERT_FILE and TLS_KEY_FILE need each other')
})
