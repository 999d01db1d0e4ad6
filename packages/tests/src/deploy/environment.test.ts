import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../repo-rules/tree.ts'
import { contracts, type Manifest, ofKind, render, sizes } from './chart.ts'
import { findTools } from './tools.ts'
import { variablesOf } from './variables.ts'

const parts = ['gateway', 'auth', 'catalog', 'payments', 'minting', 'notification']
const tools = await findTools()

/** Good as they are in every store; `services.<name>.config` sets another value. */
const leftToTheService = [
  ...['HOST', 'PAY_ORIGIN', 'STRIPE_API_URL', 'MARKET_CACHE_MB', 'MINTS_PER_HOUR', 'UPLOAD_WITHIN_MS'],
  ...['CHAIN_POLL_MS', 'CHAIN_BUMP_AFTER_MS', 'CHAIN_REBROADCAST_MS', 'CHAIN_MAX_FEE_GWEI'],
  ...['CHAIN_SIGNATURES_PER_MINUTE', 'ORDERS_OPEN_PER_BUYER', 'ORDERS_STARTED_PER_HOUR'],
  ...['ORDERS_STARTED_PER_ITEM_AND_DAY', 'DELIVER_WITHIN_HOURS', 'PAYMENTS_POLL_MS', 'PAYMENTS_WORK_MS'],
  ...['PAYMENTS_BACKFILL_MS', 'PAYMENTS_START_MS', 'KAFKA_SESSION_TIMEOUT_MS', 'KAFKA_STALLED_AFTER_MS'],
  'OTEL_BSP_SCHEDULE_DELAY',
]

/** With every choice made that brings a variable. */
const everyChoice = {
  chain: { ...contracts.chain, secondNode: true, walletDenyList: `0x${'e'.repeat(40)}` },
  store: {
    tagManagerUrl: 'https://tags.example/a.js',
    analyticsUrl: 'https://tags.example/b.js',
    videoUrl: 'https://video.example/v',
  },
  kafka: { username: 'nifty' },
  tracing: { endpoint: 'http://collector.monitoring:4318' },
  secrets: { rotatingSigningKey: true },
}

const secretValues: Record<string, string> = {
  CHAIN_SIGNER_KEY: `0x${'1'.repeat(64)}`,
  AUTH_SIGNING_KEY: 'a key',
  CHAIN_RPC_URL: 'https://node.example',
}

/** What a part's container finds in its environment; secrets are made up. */
function environmentOf(manifests: Manifest[], part: string): Record<string, string> {
  const [container] = ofKind(manifests, 'Deployment').find(({ metadata }) => metadata.name === `nifty-${part}`)!.spec
    .template.spec.containers
  const maps = container.envFrom.map(
    ({ configMapRef }: any) =>
      ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === configMapRef.name)!.data,
  )
  const secrets = (container.env ?? []).map(({ name, value }: any) => [
    name,
    value ?? secretValues[name] ?? 'made up for a test',
  ])
  return Object.assign({}, ...maps, Object.fromEntries(secrets))
}

async function accepts(part: string, environment: NodeJS.ProcessEnv) {
  const folder = part === 'gateway' ? 'gateway' : `services/${part}`
  const { readConfig } = await import(join(root, folder, 'src/config.ts'))
  return readConfig(environment)
}

describe.skipIf(!tools)("the chart's variables", () => {
  test.each(parts)('of %s are all that it reads, and none that it does not', async (part) => {
    const names = Object.keys(environmentOf(await render(tools!, { size: 'large', values: everyChoice }), part))
    const read = variablesOf(part).map(({ name }) => name)

    expect(names.filter((name) => !read.includes(name))).toEqual([])
    expect(read.filter((name) => !names.includes(name) && !leftToTheService.includes(name))).toEqual([])
  })

  test.each(sizes)('are accepted by every part: %s', async (size) => {
    const manifests = await render(tools!, { size, values: contracts })
    for (const part of parts) {
      const environment = environmentOf(manifests, part)
      await expect(accepts(part, environment), part).resolves.toBeTruthy()
      for (const { name, needed } of variablesOf(part))
        if (needed) expect(Object.keys(environment), `${part} needs ${name}`).toContain(name)
    }
  })

  test('give the signer its key, and nobody else', async () => {
    const manifests = await render(tools!, { size: 'large', values: everyChoice })
    const holders = manifests.filter((manifest) => JSON.stringify(manifest).includes('CHAIN_SIGNER_KEY'))
    expect(holders.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual([
      'Deployment nifty-minting',
      'ExternalSecret nifty-minting',
    ])
  })

  test('keep secrets out of what everybody may read', async () => {
    const values = {
      secrets: { from: 'values', values: Object.fromEntries(allSecrets.map((name) => [name, `secret-${name}`])) },
    }
    const manifests = await render(tools!, { size: 'small', values })
    const open = manifests.filter(({ kind }) => kind !== 'Secret')
    expect(ofKind(manifests, 'Secret').map(({ metadata }) => metadata.name)).toHaveLength(6)
    expect(JSON.stringify(open)).not.toContain('secret-')
  })
})

const allSecrets = [
  ...['INTERNAL_SECRET', 'POSTGRES_URL', 'AUTH_SIGNING_KEY', 'REDIS_URL', 'STRIPE_SECRET_KEY'],
  ...['STRIPE_WEBHOOK_SECRET', 'CHAIN_RPC_URL', 'CHAIN_SIGNER_KEY', 'SMTP_URL'],
]

const compose = parse(readFileSync(join(root, 'deploy/compose.yaml'), 'utf8'), { merge: true })

test.each(parts)("compose's variables of %s are read and accepted", async (part) => {
  const environment: Record<string, unknown> = compose.services[part].environment
  const texts = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]))
  const variables = variablesOf(part)

  expect(Object.keys(texts).filter((name) => !variables.some((variable) => variable.name === name))).toEqual([])
  expect(variables.filter(({ name, needed }) => needed && !texts[name]).map(({ name }) => name)).toEqual([])
  await expect(accepts(part, texts)).resolves.toBeTruthy()
})

test('compose gives everybody the same secrets', () => {
  const { payments, processor } = compose.services
  expect(payments.environment.STRIPE_SECRET_KEY).toBe(processor.environment.SECRET_KEY)
  expect(payments.environment.STRIPE_WEBHOOK_SECRET).toBe(processor.environment.WEBHOOK_SECRET)
})
