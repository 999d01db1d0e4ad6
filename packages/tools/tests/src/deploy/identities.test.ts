import { serviceNames } from '@nifty/api/services'
import { databaseRoles } from '@nifty/service-kit/database/database-roles'
import { kafkaRights } from '@nifty/service-kit/messaging/kafka/rights'
import { readKafkaSettings } from '@nifty/service-kit/messaging/kafka/settings'
import { describe, expect, test } from 'vitest'
import { type Manifest, ofKind, render } from './chart.ts'
import { wellFormed } from './environment.ts'
import { podsOf } from './rules.ts'
import { schemaErrors } from './schemas.ts'
import { findTools } from './tools.ts'

const tools = await findTools()
const inside = { kafka: { strimzi: { enabled: true } }, postgres: { cloudNativePg: { enabled: true } } }
const outside = { kafka: { username: 'shop-{service}', caSecretName: 'kafka-ca' } }
const external = { secrets: { from: 'external' } }

/** Secrets that one container reads, each with the keys. */
const secretsOf = (container: Manifest) =>
  (container.env ?? []).flatMap(({ valueFrom }: any) =>
    valueFrom ? [`${valueFrom.secretKeyRef.name} ${valueFrom.secretKeyRef.key}`] : [],
  )

describe.skipIf(!tools)('identities in the chart', () => {
  test.each([
    ['PostgreSQL outside', {}],
    ['CloudNativePG', inside],
  ])('only migrations have the role that owns a database, each its own: %s', async (_what, values) => {
    const manifests = await render(tools!, { size: 'large', values })
    const containers = podsOf(manifests).flatMap(({ owner, spec }) =>
      [...(spec.initContainers ?? []), ...spec.containers].map((container) => ({ owner, container })),
    )
    const holders = containers.filter(({ container }) =>
      secretsOf(container).some((secret: string) => /-owner /.test(secret)),
    )
    expect(holders.map(({ container }) => container.name)).toEqual(
      Array.from({ length: 2 * serviceNames.length }, () => 'migrate'),
    )
    for (const { owner, container } of containers) {
      const own = owner.metadata.name.replace(/^nifty-(migrate-)?/, '')
      const others = serviceNames.filter((name) => name !== own)
      const pattern = new RegExp(`^nifty-(postgres-)?(${others.join('|')})(-owner)? `)
      expect(
        secretsOf(container).filter((secret: string) => pattern.test(secret)),
        owner.metadata.name,
      ).toEqual([])
    }
  })

  test.each(['', 'staging'])(
    'Strimzi has a user per service, with exactly the rights of its events: %s',
    async (resourcePrefix) => {
      const manifests = await render(tools!, { size: 'large', values: { ...inside, resourcePrefix } })
      const users = ofKind(manifests, 'KafkaUser')
      const prefix = resourcePrefix || 'nifty'
      expect(users.map(({ metadata }) => metadata.name).sort()).toEqual(
        serviceNames.map((name) => `nifty-kafka-${name}`).sort(),
      )
      for (const name of serviceNames) {
        const user = users.find(({ metadata }) => metadata.name === `nifty-kafka-${name}`)!
        const rights = user.spec.authorization.acls.map(({ resource, operations }: any) => ({
          ...resource,
          operations,
        }))
        expect(rights, name).toEqual(kafkaRights({ prefix, storeId: 'nifty.example.com' }, name))
      }
    },
  )

  test.each([
    ['Strimzi', inside, 'nifty-kafka-', 'nifty-kafka-cluster-ca-cert'],
    ['Kafka outside', outside, 'shop-', 'kafka-ca'],
  ])(
    'each service logs in to Kafka as itself and over TLS, as KEDA does for it: %s',
    async (_what, values, prefix, authority) => {
      const manifests = await render(tools!, { size: 'large', values })
      expect(await schemaErrors(tools!, manifests)).toEqual([])
      for (const name of serviceNames) {
        const config = ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === `nifty-${name}`)!
        expect(config.data).toMatchObject({
          KAFKA_USERNAME: `${prefix}${name}`,
          KAFKA_SSL: 'true',
          KAFKA_SSL_CA_FILE: '/tls/kafka/ca.crt',
        })
        const { spec } = ofKind(manifests, 'Deployment').find(({ metadata }) => metadata.name === `nifty-${name}`)!
        expect(spec.template.spec.volumes.find((volume: any) => volume.name === 'tls-kafka').secret.secretName).toBe(
          authority,
        )
        const [container] = spec.template.spec.containers
        expect(container.volumeMounts).toContainEqual({ name: 'tls-kafka', mountPath: '/tls/kafka', readOnly: true })
        const password = container.env.find((variable: any) => variable.name === 'KAFKA_PASSWORD').valueFrom
          .secretKeyRef
        expect(password.name).toBe(values === inside ? `nifty-kafka-${name}` : `nifty-${name}`)
      }
      for (const { spec } of ofKind(manifests, 'ScaledObject')) expect(spec.triggers[0].metadata.tls).toBe('enable')
      for (const { spec } of ofKind(manifests, 'TriggerAuthentication'))
        expect(spec.secretTargetRef).toEqual([{ parameter: 'ca', name: authority, key: 'ca.crt' }])
    },
  )

  test('each service logs in to Kafka by a token of its service account, where an audience is set', async () => {
    const manifests = await render(tools!, { size: 'small', values: { kafka: { tokenAudience: 'kafka' } } })
    expect(await schemaErrors(tools!, manifests)).toEqual([])
    for (const name of serviceNames) {
      const { spec } = ofKind(manifests, 'Deployment').find(({ metadata }) => metadata.name === `nifty-${name}`)!.spec
        .template
      const { data } = ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === `nifty-${name}`)!
      expect(data).toMatchObject({
        KAFKA_SASL_MECHANISM: 'oauthbearer',
        KAFKA_OAUTH_TOKEN_FILE: '/tokens/kafka/token',
      })
      expect(readKafkaSettings(data)?.login).toEqual({ mechanism: 'oauthbearer', tokenFile: '/tokens/kafka/token' })
      expect(spec.volumes.find((volume: any) => volume.name === 'kafka-token').projected.sources).toEqual([
        { serviceAccountToken: { audience: 'kafka', expirationSeconds: 3600, path: 'token' } },
      ])
      expect(spec.containers[0].volumeMounts).toContainEqual({
        name: 'kafka-token',
        mountPath: '/tokens/kafka',
        readOnly: true,
      })
    }
  })

  test('CloudNativePG has two roles per service, with a password each, and the owner owns the database', async () => {
    const manifests = await render(tools!, { size: 'medium', values: { ...inside, ...external } })
    expect(await schemaErrors(tools!, manifests)).toEqual([])
    const [cluster] = ofKind(manifests, 'Cluster')
    const names = serviceNames.flatMap((name) => [`nifty-${name}`, `nifty-${name}-owner`]).sort()
    expect(cluster!.spec.managed.roles.map(({ name }: any) => name).sort()).toEqual(names)
    for (const name of serviceNames) {
      const { database, owner, role } = databaseRoles('nifty', name)
      expect(ofKind(manifests, 'Database').find(({ spec }) => spec.name === database)!.spec.owner).toBe(owner)
      for (const each of [owner, role]) {
        const { passwordSecret } = cluster!.spec.managed.roles.find((one: any) => one.name === each)
        const secret = ofKind(manifests, 'ExternalSecret').find(({ metadata }) => metadata.name === passwordSecret.name)
        expect(secret!.spec.target.template).toMatchObject({ data: { username: each } })
      }
      const service = ofKind(manifests, 'Deployment').find(({ metadata }) => metadata.name === `nifty-${name}`)!
      const [container] = service.spec.template.spec.containers
      const { value } = container.env.find((variable: any) => variable.name === 'POSTGRES_URL')
      const url = new URL(value)
      expect([url.username, url.hostname, url.searchParams.get('sslmode')]).toEqual([
        role,
        'nifty-postgres-rw.shop.svc',
        'verify-full',
      ])
    }
  })

  test('a Pooler of CloudNativePG is verified by its name, and migrations and locks go past it', async () => {
    const values = { postgres: { ...inside.postgres, pooler: { enabled: true, poolSize: 30 } } }
    const manifests = await render(tools!, { size: 'medium', values: { ...values, ...external } })
    expect(await schemaErrors(tools!, manifests)).toEqual([])
    const [pooler] = ofKind(manifests, 'Pooler')
    expect(pooler!.spec.pgbouncer).toMatchObject({
      poolMode: 'transaction',
      parameters: { default_pool_size: '30', max_prepared_statements: '500' },
    })
    const host = `${pooler!.metadata.name}.shop.svc`
    const [cluster] = ofKind(manifests, 'Cluster')
    expect(pooler!.spec.cluster.name).toBe(cluster!.metadata.name)
    expect(cluster!.spec.certificates.serverAltDNSNames).toContain(host)
    for (const name of serviceNames) {
      const { spec } = ofKind(manifests, 'Deployment').find(({ metadata }) => metadata.name === `nifty-${name}`)!
      const { containers, initContainers } = spec.template.spec
      const hostIn = (container: any, variable: string) => {
        const value = container.env.find((each: any) => each.name === variable)?.value
        return value && new URL(value).hostname
      }
      expect(hostIn(containers[0], 'POSTGRES_POOLER_URL')).toBe(host)
      expect(hostIn(containers[0], 'POSTGRES_URL')).toBe('nifty-postgres-rw.shop.svc')
      const [migrate] = initContainers
      expect([hostIn(migrate, 'POSTGRES_POOLER_URL'), hostIn(migrate, 'POSTGRES_OWNER_URL')]).toEqual([
        undefined,
        'nifty-postgres-rw.shop.svc',
      ])
    }
  })

  test('a second role of a service replaces the first in every variable that names it, also of the pooler', async () => {
    const second = (name: string, server: string) => ({
      name,
      value: `postgres://nifty-auth-2@${server}.shop.svc:5432/postgres`,
    })
    const secretKeyRef = { name: 'nifty-auth-2', key: 'password' }
    const env = [
      second('POSTGRES_URL', 'nifty-postgres-rw'),
      { name: 'POSTGRES_PASSWORD', valueFrom: { secretKeyRef } },
      second('POSTGRES_POOLER_URL', 'nifty-postgres-pooler'),
    ]
    const postgres = { ...inside.postgres, pooler: { enabled: true } }
    const values = { postgres, services: { auth: { pod: { container: { env } } } } }
    const manifests = await render(tools!, { size: 'medium', values })
    const { spec } = ofKind(manifests, 'Deployment').find(({ metadata }) => metadata.name === 'nifty-auth')!
    const [container] = spec.template.spec.containers
    expect(container.env.filter(({ name }: any) => name.startsWith('POSTGRES_'))).toEqual(env)
    expect(JSON.stringify(container.env)).not.toMatch(/nifty-auth@|nifty-postgres-auth"/)
  })

  test('Secrets from values give each role the password of its own', async () => {
    const passwords = serviceNames.flatMap((name) =>
      ['POSTGRES_PASSWORD', 'POSTGRES_OWNER_PASSWORD'].map((key) => [`${name.toUpperCase()}_${key}`, `${name} ${key}`]),
    )
    const keys = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'CHAIN_RPC_URL', 'CHAIN_SIGNER_KEY', 'SMTP_URL']
    const others = [
      ...keys,
      'MAIL_TOKEN_KEY',
      'AUTH_SIGNING_KEY',
      'AUTH_SECOND_FACTOR_KEY',
      'REDIS_URL',
      'CACHE_SIGNING_KEY',
      ...serviceKeys,
    ]
    const secret = (key: string) => wellFormed[key] ?? 'x'.repeat(32)
    const secrets = {
      from: 'values',
      values: Object.fromEntries([...passwords, ...others.map((key) => [key, secret(key)])]),
    }
    const manifests = await render(tools!, { size: 'small', values: { ...inside, secrets } })
    for (const name of serviceNames)
      expect(
        ofKind(manifests, 'Secret').find(({ metadata }) => metadata.name === `nifty-postgres-${name}-owner`),
      ).toMatchObject({
        type: 'kubernetes.io/basic-auth',
        stringData: { username: `nifty-${name}-owner`, password: `${name} POSTGRES_OWNER_PASSWORD` },
      })
  })
})

const serviceKeys = serviceNames.flatMap((caller) =>
  serviceNames.map((called) => `${caller.toUpperCase()}_TO_${called.toUpperCase()}_KEYS`),
)
