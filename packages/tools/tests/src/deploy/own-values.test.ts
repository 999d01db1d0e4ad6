import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { serviceNames } from '@nifty/api/services'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { chart, type Manifest, merged, named, ofKind, render } from './chart.ts'
import { podsOf, violations } from './rules.ts'
import { releases, schemaErrors } from './schemas.ts'
import { findTools } from './tools.ts'

const tools = await findTools()
const components = ['gateway', ...serviceNames]

const rendered = (values: object) => render(tools!, { size: 'medium', values })
const deployment = (manifests: Manifest[], component: string) =>
  ofKind(manifests, 'Deployment').find(({ metadata }) => metadata.name === `nifty-${component}`)!

async function expectValid(manifests: Manifest[]) {
  expect(await schemaErrors(tools!, manifests, releases)).toEqual([])
  expect(violations(manifests)).toEqual([])
}

const own = {
  resources: {
    requests: { cpu: '10m', memory: '64Mi' },
    limits: { cpu: '100m', memory: '64Mi' },
  },
  securityContext: {
    readOnlyRootFilesystem: true,
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
  },
  image: 'registry.example/proxy:1',
}

describe.skipIf(!tools)("an operator's values", () => {
  test('of an environment go before those of the store, in the files of the README', async () => {
    const blocks = [...readFileSync(join(chart, 'README.md'), 'utf8').matchAll(/^```yaml\n([\s\S]*?)^```$/gm)]
    const files = blocks
      .map(([, block]) => parse(block!.replaceAll('0x…', `0x${'c'.repeat(40)}`).replaceAll('…', '')))
      .filter((file) => file.publicUrl)
    expect(files).toHaveLength(2)

    const manifests = await rendered(merged(files[0], files[1]))

    const config = (name: string) =>
      ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name.startsWith(name))!.data
    expect(config('nifty-minting')).toMatchObject({ CHAIN_ID: '80002', KAFKA_USERNAME: 'staging-minting' })
    expect(config('nifty-minting').KAFKA_BROKERS).toBe(files[0].kafka.brokers)
    expect(config('nifty-gateway').PUBLIC_URL).toBe('https://staging.shop.example')
    // Alerts are of all stores of a Prometheus: one that is up would hide that another is down.
    expect(ofKind(manifests, 'ServiceMonitor', 'PrometheusRule')).toEqual([])
  })

  test('place, label and extend every pod, and those of one component further', async () => {
    const pod = {
      labels: { team: 'shop' },
      annotations: { 'example.com/scraped': 'no' },
      nodeSelector: { pool: 'shop' },
      tolerations: [{ key: 'shop', operator: 'Exists', effect: 'NoSchedule' }],
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'arch', operator: 'In', values: ['arm64'] }] }],
          },
        },
      },
      priorityClassName: 'shop',
      runtimeClassName: 'gvisor',
      hostAliases: [{ ip: '10.0.0.9', hostnames: ['db.example'] }],
      dnsConfig: { options: [{ name: 'ndots', value: '1' }] },
      volumes: [{ name: 'more', emptyDir: {} }],
      initContainers: [{ name: 'first', ...own }],
      containers: [{ name: 'beside', ...own }],
      container: {
        env: [{ name: 'HTTPS_PROXY', value: 'http://proxy.example' }],
        envFrom: [{ secretRef: { name: 'more' } }],
        volumeMounts: [{ name: 'more', mountPath: '/more' }],
      },
    }
    const ofPayments = {
      nodeSelector: { disk: 'fast' },
      topologySpreadConstraints: [
        {
          topologyKey: 'topology.kubernetes.io/zone',
          maxSkew: 2,
          whenUnsatisfiable: 'DoNotSchedule',
          nodeTaintsPolicy: 'Honor',
        },
      ],
      container: {
        env: [{ name: 'STRIPE_SECRET_KEY', valueFrom: { secretKeyRef: { name: 'vault', key: 'stripe' } } }],
      },
    }
    const manifests = await rendered({ pod, services: { payments: { pod: ofPayments } } })

    await expectValid(manifests)
    const pods = podsOf(manifests)
    expect(pods).toHaveLength(components.length + serviceNames.length + 2)
    for (const { owner, spec, labels } of pods) {
      const { initContainers = [], containers } = spec
      expect(spec, named(owner)).toMatchObject({
        ...Object.fromEntries(
          [
            'nodeSelector',
            'tolerations',
            'affinity',
            'priorityClassName',
            'runtimeClassName',
            'hostAliases',
            'dnsConfig',
          ].map((field) => [field, pod[field as keyof typeof pod]]),
        ),
      })
      expect(labels).toMatchObject({ team: 'shop', 'app.kubernetes.io/instance': 'nifty' })
      expect(initContainers[0].name).toBe('first')
      // Beside a container that ends it would keep the pod from ending.
      expect(containers.at(-1).name === 'beside', named(owner)).toBe(owner.kind === 'Deployment')
      expect(spec.volumes).toContainEqual({ name: 'more', emptyDir: {} })
      for (const container of [...initContainers, ...containers].filter(({ image }) => image !== own.image)) {
        expect(container.env).toContainEqual({ name: 'HTTPS_PROXY', value: 'http://proxy.example' })
        expect(container.envFrom).toContainEqual({ secretRef: { name: 'more' } })
        expect(container.volumeMounts).toContainEqual({ name: 'more', mountPath: '/more' })
      }
    }
    const { spec } = deployment(manifests, 'payments').spec.template
    expect(spec.nodeSelector).toEqual({ pool: 'shop', disk: 'fast' })
    expect(deployment(manifests, 'auth').spec.template.spec.nodeSelector).toEqual({ pool: 'shop' })
    expect(
      spec.topologySpreadConstraints.map(({ topologyKey, maxSkew, labelSelector }: any) => [
        topologyKey,
        maxSkew,
        labelSelector.matchLabels['app.kubernetes.io/component'],
      ]),
    ).toEqual([
      ['kubernetes.io/hostname', 1, 'payments'],
      ['topology.kubernetes.io/zone', 2, 'payments'],
    ])
    expect(spec.containers[0].env.filter(({ name }: any) => name === 'STRIPE_SECRET_KEY')).toEqual(
      ofPayments.container.env,
    )
  })

  test('give Jobs a sidecar that ends with them, and containers of their own', async () => {
    const sidecar = { name: 'proxy', restartPolicy: 'Always', ...own }
    const manifests = await rendered({
      pod: { initContainers: [sidecar] },
      migrations: { pod: { containers: [{ name: 'own', ...own }] } },
    })
    await expectValid(manifests)
    for (const { owner, spec } of podsOf(manifests)) {
      expect(spec.initContainers[0], named(owner)).toMatchObject({ name: 'proxy', restartPolicy: 'Always' })
      const names = spec.containers.map(({ name }: any) => name)
      expect(names.includes('own'), named(owner)).toBe(/-migrate-/.test(owner.metadata.name))
    }
  })

  test('leave ids to OpenShift, or set one of its range', async () => {
    const securityContext = { runAsUser: null, runAsGroup: null, fsGroup: null }
    for (const { owner, spec } of podsOf(await rendered({ pod: { securityContext } })))
      expect(spec.securityContext, named(owner)).toEqual({
        runAsNonRoot: true,
        fsGroupChangePolicy: 'OnRootMismatch',
        seccompProfile: { type: 'RuntimeDefault' },
      })
    const manifests = await rendered({ pod: { securityContext: { runAsUser: 1_000_660_000 } } })
    await expectValid(manifests)
    for (const { spec } of podsOf(manifests)) expect(spec.securityContext.runAsUser).toBe(1_000_660_000)
  })

  test('label and annotate every object, without a change of selectors', async () => {
    const values = {
      commonLabels: { 'cost-centre': 'shop', 'app.kubernetes.io/component': 'other' },
      commonAnnotations: { 'reloader.example/auto': 'true' },
      kafka: { strimzi: { enabled: true } },
      postgres: { cloudNativePg: { enabled: true } },
      secrets: { from: 'external' },
    }
    const manifests = await rendered(values)
    expect(await schemaErrors(tools!, manifests)).toEqual([])
    for (const manifest of manifests) {
      expect(manifest.metadata.labels, named(manifest)).toMatchObject({ 'cost-centre': 'shop' })
      expect(manifest.metadata.annotations, named(manifest)).toMatchObject({ 'reloader.example/auto': 'true' })
    }
    for (const { labels } of podsOf(manifests)) expect(labels['cost-centre']).toBe('shop')
    expect(violations(manifests)).toEqual([])
  })

  test('use service accounts that exist, or name and annotate those of the chart', async () => {
    const annotations = { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/shop' }
    const manifests = await rendered({
      serviceAccount: { annotations },
      services: {
        auth: { serviceAccount: { create: false, name: 'made-before' } },
        minting: { serviceAccount: { automount: true } },
      },
    })
    expect(await schemaErrors(tools!, manifests)).toEqual([])
    const accounts = ofKind(manifests, 'ServiceAccount')
    expect(accounts.map(({ metadata }) => metadata.name).sort()).toEqual(
      ['ops', ...components]
        .filter((name) => name !== 'auth')
        .map((name) => `nifty-${name}`)
        .sort(),
    )
    for (const account of accounts) expect(account.metadata.annotations).toEqual(annotations)
    for (const { owner, spec } of podsOf(manifests).filter(({ owner }) => /auth/.test(owner.metadata.name)))
      expect(spec.serviceAccountName, named(owner)).toBe('made-before')
    expect(deployment(manifests, 'minting').spec.template.spec.automountServiceAccountToken).toBe(true)
  })

  test('name all objects', async () => {
    const manifests = await rendered({ fullnameOverride: 'gallery', resourcePrefix: 'gallery' })
    await expectValid(manifests)
    for (const manifest of manifests) expect(manifest.metadata.name).toMatch(/^gallery-/)
    const references = JSON.stringify(manifests).match(/"nifty-(auth|catalog|payments|minting|notification|gateway)"/g)
    expect(references).toBeNull()
  })

  test('keep uploads in a bucket: no volumes, credentials and a way to it for auth and minting alone', async () => {
    const bucket = { bucket: 'works', prefix: 'shop', region: 'eu-central-1', endpoint: 'https://storage.example:9000' }
    const network = { objectStorage: { ports: [9000], to: [{ ipBlock: { cidr: '10.0.0.9/32' } }] } }
    const manifests = await rendered({ objectStorage: bucket, network })
    await expectValid(manifests)
    expect(ofKind(manifests, 'PersistentVolumeClaim')).toEqual([])
    const url = 's3://works/shop?region=eu-central-1&endpoint=https://storage.example:9000'
    const reachable = { ports: [{ port: 9000, protocol: 'TCP' }], to: network.objectStorage.to }
    for (const component of components) {
      const has = ['auth', 'minting'].includes(component)
      const named = (kind: string) =>
        ofKind(manifests, kind).find(({ metadata }) => metadata.name === `nifty-${component}`)!
      const { UPLOADS_URL, UPLOADS_DIR } = named('ConfigMap').data
      expect([UPLOADS_URL, UPLOADS_DIR], component).toEqual([has ? url : undefined, undefined])
      const [container] = deployment(manifests, component).spec.template.spec.containers
      expect(container.volumeMounts.some(({ mountPath }: any) => mountPath === '/data')).toBe(false)
      const secrets = container.env.filter(({ name }: any) => name.startsWith('AWS_'))
      expect(secrets.map(({ name, valueFrom }: any) => [name, valueFrom.secretKeyRef.name])).toEqual(
        has ? ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'].map((name) => [name, `nifty-${component}`]) : [],
      )
      const { egress } = named('NetworkPolicy').spec
      expect(JSON.stringify(egress).includes('10.0.0.9/32'), component).toBe(has)
      if (has) expect(egress).toContainEqual(reachable)
    }
    const withIdentity = await rendered({ objectStorage: { ...bucket, accessKeys: false } })
    expect(JSON.stringify(withIdentity)).not.toContain('AWS_')
  })

  test('move uploads: volumes stay, and the pod of the tool has both and the bucket', async () => {
    const manifests = await rendered({
      objectStorage: { bucket: 'works', keepVolumes: true },
      uploads: { existingClaims: { minting: 'pictures' } },
    })
    await expectValid(manifests)
    for (const [component, claimName] of [
      ['auth', 'nifty-auth'],
      ['minting', 'pictures'],
    ] as const) {
      expect(deployment(manifests, component).spec.template.spec.volumes).toContainEqual({
        name: 'uploads',
        persistentVolumeClaim: { claimName },
      })
      const { data } = ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === `nifty-${component}`)!
      expect(data).toMatchObject({ UPLOADS_DIR: '/data', UPLOADS_URL: 's3://works?region=us-east-1' })
    }
    const { containers, volumes } = ofKind(manifests, 'CronJob').find(({ metadata }) => metadata.name === 'nifty-ops')!
      .spec.jobTemplate.spec.template.spec
    expect(containers[0].env).toContainEqual({ name: 'UPLOADS_URL', value: 's3://works?region=us-east-1' })
    for (const [name, claimName] of [
      ['auth', 'nifty-auth'],
      ['minting', 'pictures'],
    ]) {
      expect(containers[0].volumeMounts).toContainEqual({ name, mountPath: `/uploads/${name}`, readOnly: true })
      expect(volumes).toContainEqual({ name, persistentVolumeClaim: { claimName } })
    }
  })

  test('mount claims that exist, and choose the access mode of the others', async () => {
    const manifests = await rendered({ uploads: { existingClaims: { minting: 'works' }, accessMode: 'ReadWriteOnce' } })
    expect(
      ofKind(manifests, 'PersistentVolumeClaim').map(({ metadata, spec }) => [metadata.name, spec.accessModes]),
    ).toEqual([['nifty-auth', ['ReadWriteOnce']]])
    const volumes = (component: string) => deployment(manifests, component).spec.template.spec.volumes
    expect(volumes('minting')).toContainEqual({ name: 'uploads', persistentVolumeClaim: { claimName: 'works' } })
    expect(volumes('auth')).toContainEqual({ name: 'uploads', persistentVolumeClaim: { claimName: 'nifty-auth' } })
  })

  test('lead several hosts to the gateway by one Ingress without patterns, whose controller has the certificate', async () => {
    const ingress = { nginx: false, className: '', annotations: { 'alb.example/scheme': 'internet-facing' }, tls: [] }
    const manifests = await rendered({ hosts: ['www.gallery.example'], ingress })
    await expectValid(manifests)
    const ingresses = ofKind(manifests, 'Ingress')
    expect(ingresses.map(({ metadata, spec }) => [metadata.name, metadata.annotations, spec])).toEqual([
      [
        'nifty-gateway',
        ingress.annotations,
        {
          rules: ['nifty.example.com', 'www.gallery.example'].map((host) => ({
            host,
            http: {
              paths: [
                {
                  path: '/',
                  pathType: 'Prefix',
                  backend: { service: { name: 'nifty-gateway', port: { name: 'http' } } },
                },
              ],
            },
          })),
        },
      ],
    ])
  })

  test('give each host the certificate of its own', async () => {
    const certificates = [{ secretName: 'shop', hosts: ['nifty.example.com'] }, { secretName: 'others' }]
    const manifests = await rendered({ hosts: ['www.gallery.example'], ingress: { tls: certificates } })
    await expectValid(manifests)
    for (const { spec } of ofKind(manifests, 'Ingress'))
      expect(spec.tls).toEqual([
        certificates[0],
        { secretName: 'others', hosts: ['nifty.example.com', 'www.gallery.example'] },
      ])
  })

  test('attach the gateway to a Gateway, over TLS where pods have it', async () => {
    const values = {
      hosts: ['www.gallery.example'],
      ingress: { enabled: false },
      httpRoute: { enabled: true, parentRefs: [{ name: 'public', namespace: 'gateways' }] },
    }
    const manifests = await rendered(values)
    await expectValid(manifests)
    expect(ofKind(manifests, 'Ingress')).toEqual([])
    expect(ofKind(manifests, 'HTTPRoute')[0]!.spec).toMatchObject({
      parentRefs: values.httpRoute.parentRefs,
      hostnames: ['nifty.example.com', 'www.gallery.example'],
      rules: [{ backendRefs: [{ name: 'nifty-gateway', port: 8080 }] }],
    })
    const validation = { hostname: 'nifty-gateway', caCertificateRefs: [{ kind: 'Secret', name: 'nifty-gateway-tls' }] }
    expect(ofKind(manifests, 'BackendTLSPolicy')[0]!.spec.validation).toMatchObject(validation)
    const withConfigMap = await rendered({
      ...values,
      httpRoute: { ...values.httpRoute, caConfigMapName: 'authority' },
    })
    await expectValid(withConfigMap)
    expect(ofKind(withConfigMap, 'BackendTLSPolicy')[0]!.spec.validation.caCertificateRefs).toEqual([
      { group: '', kind: 'ConfigMap', name: 'authority' },
    ])
    await expect(rendered({ httpRoute: { enabled: true } })).rejects.toThrow(/parentRefs/)
  })

  test('make a load balancer for the public port alone, which every address may reach', async () => {
    const spec = { loadBalancerClass: 'example.com/nlb', externalTrafficPolicy: 'Local' }
    const manifests = await rendered({
      publicService: { type: 'LoadBalancer', annotations: { 'nlb.example/tls': 'yes' }, spec },
    })
    await expectValid(manifests)
    const [open, ...others] = ofKind(manifests, 'Service').filter((each) => each.spec.type)
    expect(others).toEqual([])
    expect(open).toMatchObject({
      metadata: { name: 'nifty-public', annotations: { 'nlb.example/tls': 'yes' } },
      spec: { ...spec, type: 'LoadBalancer', ports: [{ name: 'http', port: 443, targetPort: 'http' }] },
    })
    const policy = ofKind(manifests, 'NetworkPolicy').find(({ metadata }) => metadata.name === 'nifty-gateway')!
    expect(policy.spec.ingress.filter(({ from }: any) => !from)).toEqual([{ ports: [{ port: 8080, protocol: 'TCP' }] }])
  })

  test('do without network policies and CPU limits, annotate Services, and add objects', async () => {
    const manifests = await rendered({
      network: { enabled: false },
      services: {
        catalog: {
          serviceAnnotations: { 'service.kubernetes.io/topology-mode': 'Auto' },
          resources: { limits: { cpu: null, memory: '1Gi', 'ephemeral-storage': '1Gi' } },
        },
      },
      extraObjects: [
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'more', namespace: 'shop' }, data: { on: 'yes' } },
      ],
    })
    await expectValid(manifests)
    expect(ofKind(manifests, 'NetworkPolicy')).toEqual([])
    expect(deployment(manifests, 'catalog').spec.template.spec.containers[0].resources.limits).toEqual({
      memory: '1Gi',
      'ephemeral-storage': '1Gi',
    })
    const service = ofKind(manifests, 'Service').find(({ metadata }) => metadata.name === 'nifty-catalog')!
    expect(service.metadata.annotations).toEqual({ 'service.kubernetes.io/topology-mode': 'Auto' })
    expect(ofKind(manifests, 'ConfigMap').map(({ metadata }) => metadata.name)).toContain('more')
  })
})

describe.skipIf(!tools)('servers in the cluster', () => {
  const inside = { kafka: { strimzi: { enabled: true } }, postgres: { cloudNativePg: { enabled: true } } }

  test('are spread over zones, brokers where every node has one', async () => {
    const large = await render(tools!, { size: 'large', values: inside })
    expect(await schemaErrors(tools!, large)).toEqual([])
    const rack = { topologyKey: 'topology.kubernetes.io/zone' }
    expect(ofKind(large, 'Kafka')[0]!.spec.kafka.rack).toEqual(rack)
    expect(ofKind(large, 'Cluster')[0]!.spec.affinity).toMatchObject(rack)
    expect(ofKind(await rendered(inside), 'Kafka')[0]!.spec.kafka).not.toHaveProperty('rack')
  })

  test('have every field of their operators', async () => {
    const [parameters, metrics] = [{ work_mem: '16MB' }, { type: 'jmxPrometheusExporter' }]
    const manifests = await rendered({
      postgres: { cloudNativePg: { enabled: true, parameters, spec: { logLevel: 'debug' } } },
      kafka: {
        strimzi: {
          enabled: true,
          spec: { kafka: { metricsConfig: metrics } },
          nodePoolSpec: { template: { pod: { priorityClassName: 'servers' } } },
        },
      },
    })
    expect(ofKind(manifests, 'Cluster')[0]!.spec).toMatchObject({
      logLevel: 'debug',
      postgresql: { parameters: { ...parameters, max_connections: '700' } },
    })
    expect(ofKind(manifests, 'Kafka')[0]!.spec.kafka).toMatchObject({
      metricsConfig: metrics,
      authorization: { type: 'simple' },
    })
    expect(ofKind(manifests, 'KafkaNodePool')[0]!.spec).toMatchObject({
      roles: ['controller', 'broker'],
      template: { pod: { priorityClassName: 'servers' } },
    })
  })
})

describe.skipIf(!tools)('backups of PostgreSQL', () => {
  const destinationPath = 's3://backups/nifty'
  const withBackups = (values: object) => rendered({ postgres: { cloudNativePg: { enabled: true, ...values } } })
  const archive = (serverName: string) => ({ barmanObjectName: 'nifty-postgres', serverName })

  test('archive into the object store, and are scheduled by each way that has a place', async () => {
    expect(ofKind(await withBackups({}), 'ScheduledBackup', 'ObjectStore')).toEqual([])

    const backup = {
      objectStore: { destinationPath, retention: '8w' },
      volumeSnapshot: { className: 'csi', schedule: '0 30 3 * * *' },
    }
    const manifests = await withBackups({ backup })
    const [store] = ofKind(manifests, 'ObjectStore')
    expect(store!.spec).toMatchObject({ configuration: { destinationPath }, retentionPolicy: '8w' })
    expect(ofKind(manifests, 'Cluster')[0]!.spec).toMatchObject({
      plugins: [{ isWALArchiver: true, parameters: archive('nifty-postgres') }],
      backup: { volumeSnapshot: { className: 'csi', online: true } },
      bootstrap: { initdb: { database: 'nifty' } },
    })
    expect(
      ofKind(manifests, 'ScheduledBackup').map(({ spec }) => [spec.method, spec.schedule, spec.cluster.name]),
    ).toEqual([
      ['plugin', '0 0 2 * * *', 'nifty-postgres'],
      ['volumeSnapshot', '0 30 3 * * *', 'nifty-postgres'],
    ])
    const [alone] = ofKind(await withBackups({ backup: { volumeSnapshot: { className: 'csi' } } }), 'Cluster')
    expect(alone!.spec.backup.volumeSnapshot.online).toBe(false)
    expect(alone!.spec).not.toHaveProperty('plugins')
  })

  test('are what a new cluster recovers from, which archives into a folder of its own', async () => {
    const [cluster] = ofKind(
      await withBackups({
        backup: { objectStore: { destinationPath, serverName: 'second' } },
        recovery: { serverName: 'nifty-postgres', targetTime: '2026-11-27T02:00:00Z' },
      }),
      'Cluster',
    )
    expect(cluster!.spec.bootstrap).toEqual({
      recovery: {
        database: 'nifty',
        owner: 'nifty',
        source: 'former',
        recoveryTarget: { targetTime: '2026-11-27T02:00:00Z' },
      },
    })
    expect(cluster!.spec.externalClusters).toEqual([
      {
        name: 'former',
        plugin: { name: 'barman-cloud.cloudnative-pg.io', parameters: archive('nifty-postgres') },
      },
    ])
    expect(cluster!.spec.plugins[0].parameters).toEqual(archive('second'))
  })
})

describe.skipIf(!tools)('`helm test`', () => {
  test('passes where gateway, market and all components answer, and only there', async () => {
    const [pod] = ofKind(await rendered({}), 'Pod')
    expect(pod!.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'test' })
    const [, , script] = pod!.spec.containers[0].command
    const environment: string[] = pod!.spec.containers[0].env.map(({ name }: any) => name)
    const names = environment.filter((name) => name !== 'NODE_EXTRA_CA_CERTS')
    expect(names.sort()).toEqual(components.map((name) => `${name.toUpperCase()}_INTERNAL_URL`).sort())

    const outcomes = async (down: string) => {
      const asked: string[] = []
      const server = createServer(({ url }, response) => {
        asked.push(url!)
        response.writeHead(url === down ? 503 : 200).end()
      })
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
      onTestFinished(() => void server.close())
      const address = `http://127.0.0.1:${(server.address() as { port: number }).port}`
      const env = Object.fromEntries(names.map((name) => [name, `${address}/${name}`]))
      const code = await promisify(execFile)(
        process.execPath,
        ['-e', script.replace('https://nifty-gateway:8080', address)],
        { env },
      ).then(
        () => 0,
        ({ code }) => code,
      )
      return { code, asked: asked.length }
    }
    const asked = components.length + 2
    expect(await outcomes('')).toEqual({ code: 0, asked })
    expect(await outcomes('/api/nfts/market')).toEqual({ code: 1, asked })
    expect(await outcomes('/MINTING_INTERNAL_URL/metrics')).toEqual({ code: 1, asked })
  })
})
