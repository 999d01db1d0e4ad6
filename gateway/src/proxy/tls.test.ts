import { copyFile } from 'node:fs/promises'
import { Agent, type AgentOptions, request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { listSessions } from '@nifty/api/auth/internal'
import { createAuthority } from '@nifty/dev-servers/certificates'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { createApp } from '@nifty/service-kit/http/app'
import { createServiceClient } from '@nifty/service-kit/http/client'
import type { TlsFiles } from '@nifty/service-kit/http/tls'
import { testLog } from '@nifty/service-kit/testing/log'
import { expect, onTestFinished, test, vi } from 'vitest'
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

/** Status of the gateway's market for a client with an agent of its own. */
const market = (url: string, agent: Agent) =>
  new Promise<number>((resolve, reject) => {
    const sent = request(`${url}/api/nfts/market`, { agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode!))
    })
    sent.on('error', reject).end()
  })

test('no request fails while the certificate of the gateway and its authority are replaced', {
  timeout: 60_000,
}, async () => {
  const folder = await temporaryFolder('tls')
  const next = await (await createAuthority(await temporaryFolder('tls'), 'Next authority')).issue('pod')
  const served: TlsFiles = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') }
  async function serve({ certFile, keyFile }: TlsFiles) {
    await copyFile(keyFile, served.keyFile)
    await copyFile(certFile, served.certFile)
  }
  await serve(tls)
  const catalog = await startService()
  trustAuthority()
  const { url } = await startTestGateway({ catalog }, { tls: served, rateLimitFactor: 1_000 })
  const client = (options: AgentOptions) => {
    const agent = new Agent(options)
    onTestFinished(() => agent.destroy())
    return agent
  }
  let isOver = false
  async function visit(agent: Agent) {
    const failed: unknown[] = []
    let count = 0
    while (!isOver) {
      const status = await market(url, agent).catch((error: Error) => error.message)
      if (status !== 200) failed.push(status)
      count++
      await sleep(10)
    }
    return { count, failed }
  }
  const trusts = { ca: [ca, next.ca] }
  const visits = [visit(client({ ...trusts, keepAlive: true, maxSockets: 1 })), visit(client(trusts))]

  await serve(next)
  const onlyNext = client({ ca: next.ca })
  await vi.waitFor(async () => expect(await market(url, onlyNext)).toBe(200), { timeout: 30_000, interval: 100 })
  isOver = true

  for (const { count, failed } of await Promise.all(visits)) {
    expect(failed).toEqual([])
    expect(count).toBeGreaterThan(0)
  }
  await expect(market(url, client({ ca }))).rejects.toThrow(/certificate/)
})
