import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serviceNames } from '@nifty/api/services'
import { serviceKeyVariables } from '@nifty/service-kit/http/service-keys'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../repo-rules/tree.ts'
import { contracts, type Manifest, ofKind, render, sizes } from './chart.ts'
import { findTools } from './tools.ts'
import { variablesOf } from './variables.ts'

const components = ['gateway', ...serviceNames]
const tools = await findTools()

/** Variables with a default that suits every store; `services.<name>.config` overrides it. */
const defaultedByTheService = [
  'HOST',
  'PAY_ORIGIN',
  'HSTS_INCLUDE_SUBDOMAINS',
  'STRIPE_API_URL',
  'ALLOW_FOREIGN_PROCESSOR',
  'MARKET_CACHE_MB',
  'MINTS_PER_HOUR',
  'CHAIN_LOG_RANGE',
  'CHAIN_POLL_MS',
  'CHAIN_BUMP_AFTER_MS',
  'CHAIN_REBROADCAST_MS',
  'CHAIN_MAX_FEE_GWEI',
  'CHAIN_SIGNATURES_PER_MINUTE',
  'ORDERS_OPEN_PER_BUYER',
  'ORDERS_STARTED_PER_HOUR',
  'ORDERS_ATTEMPTED_PER_HOUR',
  'ORDERS_STARTED_PER_ITEM_AND_DAY',
  'WORKS_RESERVED_PER_BUYER',
  'WORKS_RESERVED_UNCONFIRMED',
  'WORKS_RESERVED_PER_NETWORK',
  'DELIVER_WITHIN_HOURS',
  'PAYMENTS_POLL_MS',
  'PAYMENTS_WORK_MS',
  'PAYMENTS_ORDER_WORKERS',
  'PAYMENTS_BACKFILL_MS',
  'PAYMENTS_START_MS',
  'KAFKA_SESSION_TIMEOUT_MS',
  'KAFKA_STALLED_AFTER_MS',
  'OTEL_BSP_SCHEDULE_DELAY',
  // In the address, where the chart has no PostgreSQL of its own.
  'POSTGRES_PASSWORD',
]

/** Read by Node itself. */
const readByNode = ['NODE_EXTRA_CA_CERTS']

/** Values with which the chart sets every variable that it can. */
const everyChoice = {
  chain: { ...contracts.chain, secondNode: true, walletDenyList: `0x${'e'.repeat(40)}` },
  store: {
    name: 'Galerie: Lumen & "Söhne"',
    contentConfigMap: 'texts',
    brandingConfigMap: 'look',
    company: { number: '0012', address: ['Deichstraße 1', '20459: Hamburg'] },
    tagManagerUrl: 'https://tags.example/a.js',
    thirdPartyOrigins: ['https://*.measure.example'],
    analyticsUrl: 'https://tags.example/b.js',
    videoUrl: 'https://video.example/v',
  },
  kafka: { username: 'nifty-{service}', caSecretName: 'kafka-ca' },
  tls: { enabled: true },
  tracing: { endpoint: 'http://collector.monitoring:4318' },
  secrets: { rotatingSigningKey: true },
}

const secretValues: Record<string, string> = {
  SMTP_URL: 'smtps://store:invented@mail.example',
  STRIPE_SECRET_KEY: 'sk_test_invented',
  CHAIN_SIGNER_KEY: `0x${'1'.repeat(64)}`,
  AUTH_SIGNING_KEY: 'a key',
  MAIL_TOKEN_KEY: 'a key of at least 32 characters of a test',
  SECOND_FACTOR_KEY: 'a key of at least 32 characters of a test',
  CHAIN_RPC_URL: 'https://node.example',
}

/** Environment of a component's container, with invented secrets. */
function environmentOf(manifests: Manifest[], component: string): Record<string, string> {
  const [container] = ofKind(manifests, 'Deployment').find(({ metadata }) => metadata.name === `nifty-${component}`)!
    .spec.template.spec.containers
  const maps = container.envFrom.map(
    ({ configMapRef }: any) =>
      ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === configMapRef.name)!.data,
  )
  const secrets = (container.env ?? []).map(({ name, value }: any) => [
    name,
    value ?? secretValues[name] ?? 'invented for a test',
  ])
  return Object.assign({}, ...maps, Object.fromEntries(secrets))
}

async function accepts(component: string, environment: NodeJS.ProcessEnv) {
  const folder = component === 'gateway' ? 'gateway' : `services/${component}`
  const { readConfig } = await import(join(root, folder, 'src/config.ts'))
  return readConfig(environment)
}

describe.skipIf(!tools)("the chart's variables", () => {
  test.each(components)('of %s are exactly those that it reads', async (component) => {
    const names = Object.keys(environmentOf(await render(tools!, { size: 'large', values: everyChoice }), component))
    const read = variablesOf(component).map(({ name }) => name)

    expect(names.filter((name) => ![...read, ...readByNode].includes(name))).toEqual([])
    expect(read.filter((name) => !names.includes(name) && !defaultedByTheService.includes(name))).toEqual([])
  })

  test.each(sizes)('are accepted by every component: %s', async (size) => {
    const manifests = await render(tools!, { size, values: contracts })
    for (const component of components) {
      const environment = environmentOf(manifests, component)
      await expect(accepts(component, environment), component).resolves.toBeTruthy()
      for (const { name, needed } of variablesOf(component))
        if (needed) expect(Object.keys(environment), `${component} needs ${name}`).toContain(name)
    }
  })

  test('name store and company as the operator wrote it', async () => {
    const environment = environmentOf(await render(tools!, { size: 'small', values: everyChoice }), 'gateway')
    expect(environment).toMatchObject({
      STORE_NAME: 'Galerie: Lumen & "Söhne"',
      COMPANY_NUMBER: '0012',
      COMPANY_ADDRESS: 'Deichstraße 1;20459: Hamburg',
    })
  })

  test('give the signer key to minting only', async () => {
    const manifests = await render(tools!, { size: 'large', values: everyChoice })
    const holders = manifests.filter((manifest) => JSON.stringify(manifest).includes('CHAIN_SIGNER_KEY'))
    expect(holders.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual([
      'Deployment nifty-minting',
      'ExternalSecret nifty-minting',
    ])
  })

  test('contain secrets in Secrets only', async () => {
    const values = {
      secrets: { from: 'values', values: Object.fromEntries(allSecrets.map((name) => [name, `secret-${name}`])) },
    }
    const manifests = await render(tools!, { size: 'small', values })
    const open = manifests.filter(({ kind }) => kind !== 'Secret')
    expect(ofKind(manifests, 'Secret').map(({ metadata }) => metadata.name)).toHaveLength(6 + serviceNames.length)
    expect(JSON.stringify(open)).not.toContain('secret-')
  })
})

const allSecrets = [
  ...serviceNames.flatMap(serviceKeyVariables),
  'OPERATORS',
  'CACHE_SIGNING_KEY',
  'POSTGRES_URL',
  'AUTH_SIGNING_KEY',
  'REDIS_URL',
  'STRIPE_SECRET_KEY',
  'POSTGRES_OWNER_URL',
  'SECOND_FACTOR_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'CHAIN_RPC_URL',
  'CHAIN_SIGNER_KEY',
  'SMTP_URL',
  'MAIL_TOKEN_KEY',
]

const compose = parse(readFileSync(join(root, 'deploy/compose.yaml'), 'utf8'), { merge: true })

test.each(components)("compose.yaml's variables of %s are read and accepted", async (component) => {
  const environment: Record<string, unknown> = compose.services[component].environment
  const texts = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]))
  const variables = variablesOf(component)

  expect(Object.keys(texts).filter((name) => !variables.some((variable) => variable.name === name))).toEqual([])
  expect(variables.filter(({ name, needed }) => needed && !texts[name]).map(({ name }) => name)).toEqual([])
  await expect(accepts(component, texts)).resolves.toBeTruthy()
})

test('compose.yaml gives payments and the card sandbox the same secrets', () => {
  const { payments, processor } = compose.services
  expect(payments.environment.STRIPE_SECRET_KEY).toBe(processor.environment.SECRET_KEY)
  expect(payments.environment.STRIPE_WEBHOOK_SECRET).toBe(processor.environment.WEBHOOK_SECRET)
})
