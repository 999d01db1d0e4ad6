import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StoreName, StoreTagline } from '@nifty/api/store'
import { createLog } from '@nifty/service-kit/base/logs'
import { openTraces } from '@nifty/service-kit/base/open-traces'
import { ResourcePrefix, StoreId } from '@nifty/service-kit/base/resources'
import { parseOperators } from '@nifty/service-kit/http/operator-token'
import { readKafkaSettings } from '@nifty/service-kit/messaging/kafka/settings'
import { Compile } from 'typebox/schema'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../repo-rules/tree.ts'
import { chart, contracts, render, required } from './chart.ts'
import { accepts, components, defaultedByTheService, environmentOf, everyChoice } from './environment.ts'
import { findTools } from './tools.ts'
import { variablesOf } from './variables.ts'

const tools = await findTools()
const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'))
const check = Compile(schema)

/** Values of a small store that starts. */
const complete = () => {
  const values = parse(readFileSync(join(chart, 'values.yaml'), 'utf8'))
  values.image.repository = required.image.repository
  Object.assign(values.store, structuredClone(required.store))
  Object.assign(values.chain, contracts.chain)
  values.operators = everyChoice.operators
  values.objectStorage.bucket = 'works'
  return values
}

/** Sections whose values become settings of components. */
const sections = [
  'publicUrl',
  'resourcePrefix',
  'storeId',
  'logLevel',
  'store',
  'chain',
  'kafka',
  'trustedProxies',
  'tracing',
  'rollout',
  'objectStorage',
]
/** Other programs read them. */
const ofOthers = /^(kafka\.(strimzi|caSecretName|tokenAudience)|store\.(content|branding)ConfigMap|rollout\.maxSurge)/

type Leaf = { path: string; type: string }
const leavesOf = (each: any, path: string): Leaf[] =>
  each.properties
    ? Object.entries(each.properties).flatMap(([name, property]) => leavesOf(property, `${path}.${name}`))
    : [{ path, type: each.type ?? schema.$defs[each.$ref?.split('/').at(-1)]?.type }]
const leaves = sections
  .flatMap((name) => leavesOf(schema.properties[name], name))
  .filter(({ path, type }) => ['integer', 'number', 'string'].includes(type) && !ofOthers.test(path))

const numbers = [-1, 0, 0.0005, 0.001, 0.5, 1, 2, 45, 61, 301, 366, 721, 5_001, 1_000_000, 4_000_000_000]
const texts = [
  '',
  ' padded ',
  'one\nLOG_LEVEL: debug',
  '- {a: # "é',
  '0012',
  '\u3164',
  '\u0301x',
  'x'.repeat(41),
  'x'.repeat(161),
  'https://a.example',
  'https://a.example/path?q',
  'https://a.example:99999',
  'https://[',
  'a@b',
  'a@b.example, c@d.example',
  'Name <a@b.example>',
  'Name, other <a@b.example>',
  'a.example:9092,b.example:9092',
  `0x${'1'.repeat(40)}`,
  'loopback, 10.0.0.0/8, fd00::/8',
  '10.0.0.1/99',
  '999.0.0.1',
  'fd00::/129',
]

const withValue = (path: string, value: unknown, values = complete()) => {
  const names = path.split('.')
  const parent = names.slice(0, -1).reduce((each, name) => each[name], values)
  parent[names.at(-1)!] = value
  return values
}

/** Everything that a component reads from its environment before it starts. */
async function starts(component: string, environment: Record<string, string>) {
  await accepts(component, environment)
  const traces = await openTraces(
    { ...environment, OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    createLog({ name: 'test', level: environment.LOG_LEVEL ?? 'info' }),
  )
  await traces.stop()
  if (component === 'gateway') {
    const { readConfig } = await import(join(root, 'gateway/src/config.ts'))
    const { siteOfRequest } = await import(join(root, 'gateway/src/limits/limits.ts'))
    siteOfRequest(readConfig(environment).trustedProxies)
  } else {
    readKafkaSettings({ ...environment, KAFKA_SSL_CA_FILE: '' })
    parseOperators(environment.OPERATORS ?? '')
  }
}

describe.skipIf(!tools)('values that the chart accepts', () => {
  const accepted = leaves.map(({ path, type }) => ({
    path,
    values: (type === 'string' ? texts : numbers).filter((value) => check.Check(withValue(path, value))),
  }))
  const rounds = Math.max(...accepted.map(({ values }) => values.length))

  test('are of every setting', () => {
    expect(leaves.length).toBeGreaterThan(35)
    expect(accepted.filter(({ values }) => values.length === 0)).toEqual([])
  })

  test.each(Array.from({ length: rounds }, (_, round) => round))('let every component start: %i', async (round) => {
    const values = complete()
    for (const { path, values: own } of accepted) if (round < own.length) withValue(path, own[round], values)
    const { store, chain, tls: _, ...others } = values
    // The chart itself refuses a store without them.
    for (const name of ['mailFrom', 'operatorEmail'] as const) store[name] ||= required.store[name]
    for (const name of ['name', 'number', 'register', 'email'] as const)
      store.company[name] ||= required.store.company[name]
    const manifests = await render(tools!, {
      size: 'small',
      values: { ...others, store, chain: { ...chain, ...contracts.chain } },
    })
    for (const component of components) await starts(component, environmentOf(manifests, component))
  })
})

const furtherTexts = [
  '',
  'x',
  'true',
  '0',
  '01',
  '1',
  '9',
  '10',
  '24',
  '24.5',
  '0.0001',
  '0.001',
  '49',
  '50',
  '64',
  '65',
  '99',
  '100',
  '999',
  '1000',
  '1e3',
  'https://a.example',
  '::',
]

describe.skipIf(!tools)('further settings of a component', () => {
  test.each(components)('let %s start where the schema accepts them', async (component) => {
    const manifests = await render(tools!, { size: 'small', values: contracts })
    const environment = environmentOf(manifests, component)
    const names: string[] =
      schema.properties.services.properties[component].allOf[1].properties.config.propertyNames.enum
    for (const name of names) {
      const accepted = furtherTexts.filter((text) =>
        check.Check(withValue(`services.${component}.config`, { [name]: text })),
      )
      expect(accepted.length, name).toBeGreaterThan(0)
      for (const text of accepted) await starts(component, { ...environment, [name]: text })
    }
  })
})

const ofPostgres = (cloudNativePg: object) => ({ postgres: { cloudNativePg } })

describe.skipIf(!tools)('the chart refuses', () => {
  test.each([
    [
      'a log-in to Kafka by token beside a user',
      { kafka: { tokenAudience: 'kafka', username: 'nifty-{service}' } },
      /kafka.tokenAudience/,
    ],
    [
      'a user of Kafka beside those of Strimzi',
      { kafka: { username: 'nifty-{service}', strimzi: { enabled: true } } },
      /kafka.username: with kafka.strimzi/,
    ],
    ['reconciliations further apart than their alert waits', { store: { reconcileEveryHours: 31 } }, /maximum/],
    [
      'an autoscaler by lag beside a log-in by token',
      { kafka: { tokenAudience: 'kafka' }, services: { payments: { autoscaling: { by: 'lag' } } } },
      /payments.autoscaling.by: KEDA/,
    ],
    ['topics that keep events for longer than services do', { kafka: { retentionDays: 61 } }, /maximum/],
    ['a chain without confirmations', { chain: { finalityDepth: 0 } }, /finalityDepth/],
    ['a private authority without TLS', { kafka: { caSecretName: 'ca', ssl: false } }, /kafka\/ssl/],
    [
      'an autoscaler by lag of the gateway',
      { services: { gateway: { autoscaling: { by: 'lag' } } } },
      /gateway\/autoscaling\/by/,
    ],
    [
      'a minimum above the maximum',
      { services: { auth: { autoscaling: { by: 'cpu', min: 9, max: 3 } } } },
      /auth.autoscaling: min is above max/,
    ],
    [
      'more consumers than partitions',
      { services: { payments: { autoscaling: { by: 'lag', max: 40 } } } },
      /payments.autoscaling.max is above kafka.partitions/,
    ],
    ['a setting that another value sets', { services: { minting: { config: { CHAIN_ID: '1' } } } }, /CHAIN_ID/],
    [
      'a secret that anybody can read',
      { services: { payments: { config: { STRIPE_SECRET_KEY: 'sk_test_1' } } } },
      /STRIPE_SECRET_KEY/,
    ],
    ['a misspelt setting', { services: { minting: { config: { MINT_PER_HOUR: '1' } } } }, /MINT_PER_HOUR/],
    [
      'an operator with an unknown role',
      { operators: { ben: { publicKey: everyChoice.operators.ada, roles: ['mony'] } } },
      /operators\/ben/,
    ],
    [
      'an operator with no role',
      { operators: { ben: { publicKey: everyChoice.operators.ada, roles: [] } } },
      /operators\/ben/,
    ],
    ['a misspelt field of pods', { pod: { nodeSelectors: {} } }, /nodeSelectors/],
    [
      'a schedule of backups without seconds',
      ofPostgres({ backup: { volumeSnapshot: { className: 'csi', schedule: '0 2 * * *' } } }),
      /volumeSnapshot\/schedule/,
    ],
    [
      'a folder of backups in this cluster',
      ofPostgres({ backup: { objectStore: { destinationPath: '/backups' } } }),
      /objectStore\/destinationPath/,
    ],
    ['a parameter of its own value', ofPostgres({ parameters: { max_connections: '9' } }), /max_connections/],
    [
      'a recovery to a time without its zone',
      ofPostgres({ recovery: { targetTime: '2026-11-27T02:00:00' } }),
      /recovery\/targetTime/,
    ],
    [
      'a recovery to a time of a snapshot alone',
      ofPostgres({ recovery: { volumeSnapshot: 'night', targetTime: '2026-11-27T02:00:00Z' } }),
      /recovery.targetTime needs recovery.serverName/,
    ],
    [
      'a recovery without an object store',
      ofPostgres({ recovery: { serverName: 'former' } }),
      /recovery.serverName needs backup.objectStore.destinationPath/,
    ],
    [
      'a recovered cluster that archives into the folder of the former one',
      ofPostgres({
        backup: { objectStore: { destinationPath: 's3://backups' } },
        recovery: { serverName: 'nifty-postgres' },
      }),
      /archives into a new folder/,
    ],
    ['secrets too short', { secrets: { from: 'values', values: { MAIL_TOKEN_KEY: 'short' } } }, /MAIL_TOKEN_KEY/],
  ])('%s', async (_what, values, reason) => {
    await expect(render(tools!, { size: 'small', values })).rejects.toThrow(reason)
  })
})

describe('the schema of the chart', () => {
  test('has the patterns of the services', () => {
    const literal = (pattern: string) =>
      pattern.replace(/\\u([0-9A-F]{4})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    const pairs: [string, { pattern: string }][] = [
      ['store.name', StoreName as never],
      ['store.tagline', StoreTagline as never],
      ['resourcePrefix', ResourcePrefix as never],
    ]
    for (const [path, { pattern }] of pairs) {
      const own = path.split('.').reduce((each, name) => each.properties[name], schema)
      expect(own.pattern, path).toBe(literal(pattern))
    }
    expect(schema.properties.storeId.pattern).toBe(
      `^(${(StoreId as unknown as { pattern: string }).pattern.slice(1, -1)})?$`,
    )
  })

  test.each(components)('names the further settings of %s', (component) => {
    const [, { properties }] = schema.properties.services.properties[component].allOf
    const read = variablesOf(component).map(({ name }) => name)
    // They come with others, some of them from Secrets.
    const apart = /^(POSTGRES_PASSWORD|KAFKA_OAUTH_.*)$/
    expect([...properties.config.propertyNames.enum].sort()).toEqual(
      read.filter((name) => defaultedByTheService.includes(name) && !apart.test(name)).sort(),
    )
  })
})
