import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { startHttpServer } from '@nifty/service-kit/testing/http-server'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import type { OperatorAction } from './command.ts'
import type { Result } from './doctor/check.ts'
import { verifyMailServer } from './doctor/servers.ts'
import { doctorCommand } from './doctor.ts'
import { connectStore } from './store.ts'

afterEach(() => void vi.unstubAllEnvs())

/** The outcomes by check, of a store that is not running; `env` are the tool's settings. */
async function examine(env: Record<string, string>) {
  const NIFTY_HOME = await temporaryFolder('doctor')
  const processor = { STRIPE_API_URL: 'http://127.0.0.1:1' }
  for (const [name, value] of Object.entries({ ...processor, ...env, NIFTY_HOME })) vi.stubEnv(name, value)
  const report = await doctorCommand.run(connectStore({ NIFTY_HOME }), [], {} as OperatorAction, undefined as never)
  const { json, ok } = report as { json: Result[]; ok: boolean }
  return { ok, outcomes: Object.fromEntries(json.map(({ check, state, text }) => [check, `${state}: ${text}`])) }
}

/** A server that answers each request with an empty list, and keeps the headers that it got. */
async function startProcessor() {
  const received: IncomingHttpHeaders[] = []
  const url = await startHttpServer((request, response) => {
    received.push(request.headers)
    response.setHeader('content-type', 'application/json').end('{"object":"list","data":[],"has_more":false}')
  })
  return { url, received }
}

test('without settings and without a store every point says what is missing', async () => {
  const { ok, outcomes } = await examine({ CHAIN_RPC_URL: '', STRIPE_SECRET_KEY: '', PUBLIC_URL: 'http://lumen.test' })
  expect(ok).toBe(false)
  expect(outcomes).toMatchObject({
    settings: expect.stringMatching(/^note: a live key would be refused: PUBLIC_URL is http/),
    'public address': expect.stringMatching(/^missing: PUBLIC_URL is http/),
    proxy: 'note: TRUSTED_PROXIES is not set',
    key: expect.stringMatching(/^missing: STRIPE_SECRET_KEY/),
    processor: 'note: payments go to http://127.0.0.1:1',
    webhook: expect.stringMatching(/^missing: STRIPE_WEBHOOK_SECRET/),
    endpoint: 'note: no key',
    node: expect.stringMatching(/^missing: CHAIN_RPC_URL/),
    'second node': expect.stringMatching(/^note: CHAIN_RPC_URL_2/),
    contracts: expect.stringMatching(/^missing: CHAIN_RPC_URL/),
    mail: expect.stringMatching(/^missing: SMTP_URL/),
    SPF: expect.stringMatching(/^missing: MAIL_FROM/),
    DKIM: expect.stringMatching(/^missing: MAIL_FROM/),
    backup: expect.stringMatching(/^missing: BACKUP_DIR/),
  })
  for (const check of ['last webhook', 'gas', 'sellers', 'reconciliation', 'alarms'])
    expect(outcomes[check]).toMatch(/^missing: There is no store on/)
})

test('a live key is not sent to another server than the processor, unless that is allowed', async () => {
  const { url, received } = await startProcessor()
  const env = { STRIPE_SECRET_KEY: 'rk_live_0', STRIPE_API_URL: url, PUBLIC_URL: 'http://lumen.test' }
  const { outcomes } = await examine(env)
  expect(outcomes.settings).toContain('missing: a live key would be refused')
  expect(outcomes.endpoint).toBe('missing: STRIPE_API_URL is not the processor: the live key was not sent there')
  expect(received.map(({ authorization }) => authorization).filter(Boolean)).toEqual([])

  const allowed = await examine({ ...env, ALLOW_FOREIGN_PROCESSOR: 'true' })
  expect(allowed.outcomes.endpoint).toMatch(/^missing: the processor has no webhook endpoint/)
  expect(received.map(({ authorization }) => authorization)).toContain('Bearer rk_live_0')
})

test('a key that cannot be read as one is named, and the other points are examined', async () => {
  const { url, received } = await startProcessor()
  const env = { STRIPE_SECRET_KEY: ' rk_live_0', STRIPE_API_URL: url, PUBLIC_URL: 'http://lumen.test' }
  const { outcomes } = await examine(env)
  expect(outcomes.key).toMatch(/^missing: STRIPE_SECRET_KEY is no/)
  expect(outcomes.endpoint).toBe('note: no key')
  expect(received.map(({ authorization }) => authorization).filter(Boolean)).toEqual([])
})

test('a node of another chain is found, also the second one', async () => {
  const url = await startHttpServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const { id, method } = JSON.parse(body)
    const result = method === 'eth_chainId' ? '0x1' : null
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  const { outcomes } = await examine({ CHAIN_RPC_URL: url, CHAIN_RPC_URL_2: url, CHAIN_ID: '137' })
  for (const check of ['node', 'second node'])
    expect(outcomes[check]).toBe('missing: the node serves chain 1, and CHAIN_ID is 137')
  expect(outcomes.contracts).toMatch(/^missing: CHAIN_COLLECTION \(not set\)/)
})

/** A mail server without TLS, and the commands that it got. */
async function startPlainServer() {
  const commands: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {}).write('220 plain.test\r\n')
    socket.on('data', (data) => {
      const [command = ''] = data.toString().trim().split(' ', 1)
      commands.push(command)
      socket.write(command === 'EHLO' ? '250-plain.test\r\n250 AUTH PLAIN\r\n' : '235 2.0.0 OK\r\n')
    })
  })
  await once(server.listen(0), 'listening')
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, commands }
}

test('no password is sent to a mail server without TLS, whatever its address says, except to one of this machine', async () => {
  const { port, commands } = await startPlainServer()
  // Another name of this machine, which counts as a foreign one.
  await expect(verifyMailServer(`smtp://user:password@0.0.0.0:${port}/?requireTLS=false`)).rejects.toThrow()
  expect(commands).not.toContain('AUTH')
  await verifyMailServer(`smtp://user:password@127.0.0.1:${port}`)
  expect(commands).toContain('AUTH')
})
