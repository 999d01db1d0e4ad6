import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The gateway of a checkout (first argument) in front of one service (second argument), without limits, log and front
 * end. Imports nothing else of this repository: the other checkout may have other packages.
 */
const [checkout, url] = process.argv.slice(2) as [string, string]
const { buildGateway } = await import(join(checkout, 'gateway/src/gateway.ts'))
const { Registry } = createRequire(join(checkout, 'gateway/package.json'))('prom-client')

const ignore = () => {}
const log: Record<string, unknown> = { level: 'silent' }
for (const level of ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']) log[level] = ignore
log.child = () => log

const webRoot = await mkdtemp(join(tmpdir(), 'nifty-bench-gateway-'))
await mkdir(join(webRoot, '.vite'))
await writeFile(join(webRoot, '.vite/manifest.json'), '{"index.html":{"file":"app.js"}}')
await writeFile(join(webRoot, '.vite/entry-pages.json'), '[]')
await writeFile(join(webRoot, 'index.html'), '<html><head></head><body></body></html>')
const service = { url }
const app = await buildGateway({
  log,
  webRoot,
  metrics: { registry: new Registry(), add: ignore },
  publicUrl: 'http://127.0.0.1',
  upstreams: { auth: service, catalog: service, payments: service, minting: service, notification: service },
  trustedProxies: [],
  rateLimitFactor: 100_000,
  drainSeconds: 0,
  thirdPartyHosts: { scripts: [], reports: [], frames: [] },
  frontEnd: {
    store: { name: 'Bench', tagline: '' },
    company: { name: 'Bench', number: '', register: '', address: [], email: 'bench@example.com' },
  },
})
await rm(webRoot, { recursive: true })
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`)
