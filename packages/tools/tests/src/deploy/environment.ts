import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { operatorRoles } from '@nifty/api/endpoint'
import { serviceNames } from '@nifty/api/services'
import { root } from '../repo-rules/tree.ts'
import { contracts, type Manifest, ofKind } from './chart.ts'

export const components = ['gateway', ...serviceNames]
/** Variables with a default that suits every store; `services.<name>.config` overrides it. */
export const defaultedByTheService = [
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
  'OFFERS_OPEN_PER_BUYER',
  'OFFERS_STARTED_PER_HOUR',
  'OFFERS_HELD_PER_BUYER',
  'DELIVER_WITHIN_HOURS',
  'PAYMENTS_POLL_MS',
  'PAYMENTS_WORK_MS',
  'PAYMENTS_ORDER_WORKERS',
  'PAYMENTS_BACKFILL_MS',
  'PAYMENTS_START_MS',
  'KAFKA_SESSION_TIMEOUT_MS',
  'KAFKA_STALLED_AFTER_MS',
  'OTEL_BSP_SCHEDULE_DELAY',
  // In place of KAFKA_USERNAME; one from a token of the service account: `kafka.tokenAudience`.
  'KAFKA_OAUTH_TOKEN_FILE',
  'KAFKA_OAUTH_TOKEN_URL',
  'KAFKA_OAUTH_CLIENT_ID',
  'KAFKA_OAUTH_CLIENT_SECRET',
  'KAFKA_OAUTH_SCOPE',
  // In the address, where the chart has no PostgreSQL of its own.
  'POSTGRES_PASSWORD',
]

const newOperatorKey = () =>
  generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).toString('base64')

/** Values with which the chart sets every variable that it can. */
export const everyChoice = {
  operators: {
    ada: newOperatorKey(),
    'ben+1@shop.example': { publicKey: newOperatorKey(), roles: [...operatorRoles] },
  },
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
  tracing: { endpoint: 'http://collector.monitoring:4318' },
  secrets: { rotatingSigningKey: true },
  objectStorage: { bucket: 'works', prefix: 'shop/a', endpoint: 'https://storage.example:9000', keepVolumes: true },
  postgres: { pooler: { enabled: true } },
}

/** Invented secrets whose form is checked. */
export const wellFormed: Record<string, string> = {
  SMTP_URL: 'smtps://store:invented@mail.example',
  STRIPE_SECRET_KEY: 'sk_test_invented',
  CHAIN_SIGNER_KEY: `0x${'1'.repeat(64)}`,
}

const secretValues: Record<string, string> = {
  ...wellFormed,
  AUTH_SIGNING_KEY: 'a key',
  MAIL_TOKEN_KEY: 'a key of at least 32 characters of a test',
  SECOND_FACTOR_KEY: 'a key of at least 32 characters of a test',
  CHAIN_RPC_URL: 'https://node.example',
}

/** Environment of a component's container, with invented secrets. */
export function environmentOf(manifests: Manifest[], component: string): Record<string, string> {
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

/** Throws where the component refuses its settings. */
export async function accepts(component: string, environment: NodeJS.ProcessEnv) {
  const folder = component === 'gateway' ? 'gateway' : `services/${component}`
  const { readConfig } = await import(join(root, folder, 'src/config.ts'))
  return readConfig(environment)
}
