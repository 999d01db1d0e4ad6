import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { listSessions } from '@nifty/api/auth/internal'
import { createAuthority } from '@nifty/dev-servers/certificates'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { createApp } from '@nifty/service-kit/http/app'
import { createServiceClient } from '@nifty/service-kit/http/client'
import type { TlsFiles } from '@nifty/service-kit/http/tls'
import { testLog } from '@nifty/service-kit/testing/log'
import { expect, onTestFinished, test } from 'vitest'
import { startTestGateway, stub } from '../testing/gateway.ts'

const authority = await createAuthority(await temporaryFolder('tls'))
const { certFile, keyFile, ca } = await authority.issue('pod')
const tls: TlsFiles = { certFile, keyFile }

/** As `NODE_EXTRA_CA_CERTS` does at the start of a process. */
function trustAuthority() {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, ca])
  onTestFinished(() => setDefaultCACertificates(before))
}

async function startService() {
  const app = createApp({ log: testLog, name: 'catalog', tls })
  stub(app, '/api/nfts/market', async () => ({ answered: true }))
  onTestFinished(() => app.close())
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }) }
}

test('a service whose certificate is of an unknown authority gets no request', async () => {
  const service = await startService()
  const { url } = await startTestGateway({ catalog: service })
  expect((await fetch(`${url}/api/nfts/market`)).status).toBe(503)
  const client = createServiceClient({ ...service, name: 'auth', credential: () => ({}) })
  await expect(client(listSessions)).rejects.toMatchObject({ code: 'service_unavailable' })
})

test('a gateway with a certificate serves what services with certificates respond', async () => {
  const catalog = await startService()
  trustAuthority()
  const { url } = await startTestGateway({ catalog }, { tls })
  expect(url).toMatch(/^https:/)
  expect(await (await fetch(`${url}/api/nfts/market`)).json()).toEqual({ answered: true })
})
