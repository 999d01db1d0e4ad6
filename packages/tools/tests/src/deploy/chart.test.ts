import { serviceNames, services } from '@nifty/api/services'
import { describe, expect, test } from 'vitest'
import { contracts, type Manifest, ofKind, render, sizes, withMutation } from './chart.ts'
import { mutations } from './mutations.ts'
import { bytes, cores } from './quantity.ts'
import { matches, podsOf, violations } from './rules.ts'
import { releases, schemaErrors } from './schemas.ts'
import { findTools } from './tools.ts'

const tools = await findTools()

const inObjectStore = {
  objectStore: {
    destinationPath: 's3://backups/nifty',
    configuration: {
      endpointURL: 'https://objects.example',
      s3Credentials: {
        accessKeyId: { name: 'objects', key: 'id' },
        secretAccessKey: { name: 'objects', key: 'secret' },
      },
      wal: { compression: 'zstd', maxParallel: 8 },
    },
  },
}
const everythingInside = {
  ...contracts,
  // The longest valid tag, longer than a label.
  image: { tag: `${'7'.repeat(62)}-${'f'.repeat(40)}` },
  publicUrl: 'https://shop.example:8443',
  // A single broker, for trials.
  kafka: { strimzi: { enabled: true, replicas: 1 } },
  postgres: { cloudNativePg: { enabled: true, backup: inObjectStore } },
}
const asSnapshots = { volumeSnapshot: { className: 'csi', schedule: '0 30 3 * * *' } }
const variants = [
  ...sizes.map((size) => ({ title: size, size, values: contracts })),
  { title: 'medium with Kafka and PostgreSQL inside', size: 'medium' as const, values: everythingInside },
  {
    title: 'medium with backups of PostgreSQL',
    size: 'medium' as const,
    values: { postgres: { cloudNativePg: { enabled: true, backup: { ...inObjectStore, ...asSnapshots } } } },
  },
  {
    title: 'medium with PostgreSQL recovered from its archive',
    size: 'medium' as const,
    values: {
      postgres: {
        cloudNativePg: {
          enabled: true,
          backup: { objectStore: { ...inObjectStore.objectStore, serverName: 'second' } },
          recovery: { serverName: 'nifty-postgres', targetTime: '2026-11-27T02:00:00Z' },
        },
      },
    },
  },
  {
    title: 'medium with PostgreSQL recovered from a snapshot',
    size: 'medium' as const,
    values: { postgres: { cloudNativePg: { enabled: true, recovery: { volumeSnapshot: 'of-the-night' } } } },
  },
  {
    title: 'large with Kafka credentials, a second node and a rotating key',
    size: 'large' as const,
    values: {
      chain: { ...contracts.chain, secondNode: true },
      kafka: { username: 'nifty-{service}', caSecretName: 'kafka-ca' },
      secrets: { rotatingSigningKey: true },
      store: { contentConfigMap: 'texts-2', brandingConfigMap: 'look-2' },
    },
  },
  {
    title: 'small without optional components',
    size: 'small' as const,
    values: {
      redis: { enabled: false },
      ingress: { enabled: false },
      migrations: { enabled: false },
      tls: { enabled: false, issuerName: '' },
    },
  },
]

describe.skipIf(!tools)('the chart', () => {
  test.each(variants)('is accepted by every schema and rule: $title', async ({ size, values }) => {
    const manifests = await render(tools!, { size, values })

    expect(ofKind(manifests, 'Deployment')).toHaveLength(serviceNames.length + 1)
    expect(await schemaErrors(tools!, manifests, releases)).toEqual([])
    expect(violations(manifests)).toEqual([])
  })

  test('requests more CPU from size to size', async () => {
    const most = await Promise.all(
      sizes.map(async (size) => {
        const manifests = await render(tools!, { size })
        const fewest = (deployment: Manifest) =>
          deployment.spec.replicas ??
          ofKind(manifests, 'HorizontalPodAutoscaler', 'ScaledObject')
            .filter(({ metadata }) => metadata.name === deployment.metadata.name)
            .map(({ spec }) => spec.minReplicas ?? spec.minReplicaCount)[0]
        return ofKind(manifests, 'Deployment')
          .map((each) => fewest(each) * cores(each.spec.template.spec.containers[0].resources.requests.cpu))
          .reduce((sum, each) => sum + each)
      }),
    )
    expect(most).toEqual([...most].sort((one, other) => one - other))
    expect(new Set(most).size).toBe(sizes.length)
  })

  test.each(['medium', 'large'] as const)('has at most as many consumers as partitions: %s', async (size) => {
    const manifests = await render(tools!, { size })
    const partitions = Number(
      ofKind(manifests, 'ConfigMap').find(({ data }) => data.KAFKA_PARTITIONS)?.data.KAFKA_PARTITIONS,
    )
    const scaled = ofKind(manifests, 'ScaledObject')
    expect(scaled.map(({ spec }) => spec.triggers[0].metadata.consumerGroup).sort()).toEqual([
      'nifty-minting',
      'nifty-notification',
      'nifty-payments',
    ])
    for (const { spec } of scaled) expect(spec.maxReplicaCount).toBeLessThanOrEqual(partitions)
  })

  test.each([
    ['the release name', {}, 'nifty'],
    ['resourcePrefix', { resourcePrefix: 'staging' }, 'staging'],
  ])(
    'puts %s before databases, topics and consumer groups, and names the store everywhere',
    async (_what, own, prefix) => {
      const servers = { kafka: { strimzi: { enabled: true } }, postgres: { cloudNativePg: { enabled: true } } }
      const values = { ...own, ...servers, publicUrl: 'https://shop.example.com' }
      const manifests = await render(tools!, { size: 'large', values })
      const configs = ofKind(manifests, 'ConfigMap').filter(({ data }) => data?.KAFKA_BROKERS)
      expect(configs).toHaveLength(serviceNames.length)
      for (const { data } of configs)
        expect(data).toMatchObject({ RESOURCE_PREFIX: prefix, STORE_ID: 'shop.example.com' })
      expect(
        ofKind(manifests, 'Database')
          .map(({ spec }) => spec.name)
          .sort(),
      ).toEqual(serviceNames.map((name) => `${prefix}-${name}`).sort())
      for (const { spec } of ofKind(manifests, 'ScaledObject'))
        expect(spec.triggers[0].metadata.consumerGroup).toMatch(new RegExp(`^${prefix}-[a-z]+$`))
      const rights = ofKind(manifests, 'KafkaUser').flatMap(({ spec }) => spec.authorization.acls)
      for (const { resource } of rights) expect(resource.name).toMatch(new RegExp(`^${prefix}-`))
      // The Jobs that migrate before an update.
      const jobs = ofKind(manifests, 'Job').filter(({ metadata }) => metadata.name.includes('-migrate-'))
      expect(jobs).toHaveLength(serviceNames.length)
      for (const { spec } of jobs)
        expect(spec.template.spec.containers[0].env).toEqual(
          expect.arrayContaining([
            { name: 'STORE_ID', value: 'shop.example.com' },
            { name: 'RESOURCE_PREFIX', value: prefix },
          ]),
        )
    },
  )

  test.each(mutations)('is rejected with $what', async ({ template, change: [right, wrong], violation }) => {
    const copy = await withMutation(template, right!, wrong!)
    try {
      const manifests = await render(tools!, { size: 'medium', values: everythingInside, from: copy.folder })
      const own = violations(manifests).join('\n')
      expect(violation.test(own) ? own : (await schemaErrors(tools!, manifests)).join('\n')).toMatch(violation)
    } finally {
      await copy.remove()
    }
  })

  test.each([
    { services: { auth: { replica: 3 } } },
    { publicUrl: 'nifty.example.com' },
    { kafka: { partitions: 'many' } },
    { secrets: { from: 'nowhere' } },
    { services: { auth: { resources: { limits: { memory: '512MB' } } } } },
  ])('is not rendered with invalid values: %j', async (values) => {
    await expect(render(tools!, { size: 'small', values })).rejects.toThrow(/values/)
  })

  test('is not rendered without the company and its addresses, which are named all at once', async () => {
    const store = {
      mailFrom: '',
      operatorEmail: '',
      company: { name: '', number: '', register: '', address: [], email: '' },
    }
    const names = ['mailFrom', 'operatorEmail', ...Object.keys(store.company).map((name) => `company.${name}`)]
    const refusal = await render(tools!, { size: 'small', values: { store } }).catch((error: Error) => error.message)
    for (const name of names) expect(refusal).toContain(`store.${name}\n`)
  })

  test('is public on the gateway only, and allows internal calls of configured callers only', async () => {
    const manifests = await render(tools!, { size: 'medium' })
    const pods = podsOf(manifests)
    const policies = ofKind(manifests, 'NetworkPolicy')
    const component = (labels: Record<string, string>) => labels['app.kubernetes.io/component']!
    const allowed = (port: number) =>
      policies.flatMap(({ spec }) =>
        (spec.ingress ?? [])
          .filter(({ ports }: any) => ports.some((each: any) => each.port === port))
          .flatMap(({ from }: any) =>
            from.map(
              ({ podSelector, namespaceSelector }: any) =>
                `${podSelector ? component(podSelector.matchLabels) : namespaceSelector.matchLabels['kubernetes.io/metadata.name']} → ${component(spec.podSelector.matchLabels)}`,
            ),
          ),
      )

    for (const { labels } of pods) {
      const own = policies.filter(({ spec }) => matches(spec.podSelector.matchLabels, labels))
      // The default-deny policy, and the component's own.
      expect(own.filter(({ spec }) => !spec.ingress && !spec.egress)).toHaveLength(1)
      expect(own).toHaveLength(2)
    }
    expect(allowed(8080)).toEqual(['ingress-nginx → gateway', 'ops → gateway'])
    expect(allowed(3000).filter((rule) => !rule.startsWith('gateway '))).toEqual([])
    expect(
      allowed(3100)
        .filter((rule) => !rule.startsWith('ops '))
        .sort(),
    ).toEqual(
      [
        ...services.flatMap(({ name, calls }) => calls.map((called) => `${name} → ${called}`)),
        ...['gateway', ...serviceNames].map((component) => `monitoring → ${component}`),
      ].sort(),
    )
    expect(ofKind(manifests, 'Service').filter(({ spec }) => spec.type && spec.type !== 'ClusterIP')).toEqual([])
  })

  test.each([
    { volume: 'content', value: 'contentConfigMap', readers: ['gateway', 'payments'] },
    { volume: 'branding', value: 'brandingConfigMap', readers: ['gateway', 'notification'] },
  ])('mounts the $value where it is read, and nowhere else', async ({ volume, value, readers }) => {
    const deploymentsWith = async (map: string) =>
      ofKind(await render(tools!, { size: 'medium', values: { store: { [value]: map } } }), 'Deployment')
        .filter(({ spec }) => JSON.stringify(spec.template.spec).includes(`"mountPath":"/${volume}"`))
        .map(({ metadata, spec }) => [
          metadata.labels!['app.kubernetes.io/component'],
          spec.template.spec.volumes.find(({ name }: { name: string }) => name === volume).configMap.name,
        ])

    expect((await deploymentsWith('map-2')).sort()).toEqual(readers.map((reader) => [reader, 'map-2']))
    expect(await deploymentsWith('')).toEqual([])
  })

  test('allows a load balancer outside the cluster, and configured DNS servers', async () => {
    const balancer = { ipBlock: { cidr: '10.0.0.0/16' } }
    const cache = { ipBlock: { cidr: '169.254.20.10/32' } }
    const network = { ingressPeers: [balancer], dns: { ports: [5353], to: [cache] } }
    const manifests = await render(tools!, { size: 'small', values: { network } })

    expect(await schemaErrors(tools!, manifests)).toEqual([])
    const [defaultDeny, ...policies] = ofKind(manifests, 'NetworkPolicy').map(({ spec }) => spec)
    expect(defaultDeny).not.toHaveProperty('egress')
    for (const { egress } of policies)
      expect(egress[0]).toEqual({
        ports: ['UDP', 'TCP'].map((protocol) => ({ port: 5353, protocol })),
        to: [cache],
      })
    const open = policies
      .flatMap(({ ingress = [] }) => ingress)
      .filter(({ from }) => from.some(({ ipBlock }: any) => ipBlock))
    expect(open).toEqual([
      { from: [expect.anything(), expect.anything(), balancer], ports: [{ port: 8080, protocol: 'TCP' }] },
    ])
  })

  test('parses quantities as Kubernetes does', () => {
    expect([bytes('512Mi'), bytes('128MB'), bytes('1m')]).toEqual([512 * 1024 * 1024, Number.NaN, Number.NaN])
    expect([cores('250m'), cores('2'), cores('2 cores')]).toEqual([0.25, 2, Number.NaN])
  })
})
