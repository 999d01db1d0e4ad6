import { type TObject, type TProperties, type TSchema, Type } from 'typebox'

/*
 * Schemas of custom resources, restricted to the fields that this chart uses: the operators' full definitions are
 * larger than the chart.
 */

const exactly = (properties: TProperties) => Type.Object(properties, { additionalProperties: false })
const text = Type.String({ minLength: 1 })
const count = Type.Integer({ minimum: 1 })
const texts = Type.Record(Type.String(), Type.String())
const amounts = exactly({ cpu: text, memory: text })
const resources = exactly({ requests: amounts, limits: amounts })
const duration = Type.String({ pattern: '^[0-9]+[mh]$' })
const scram = exactly({ type: Type.Literal('scram-sha-512') })

const scaling = (required: TProperties) =>
  exactly({
    stabilizationWindowSeconds: Type.Integer({ minimum: 0, maximum: 3600 }),
    policies: Type.Array(exactly({ type: Type.Enum(['Percent', 'Pods']), value: count, periodSeconds: count })),
    ...required,
  })

const snapshotOwner = Type.Enum(['none', 'cluster', 'backup'])
const secretKey = exactly({ name: text, key: text })
const secretKeys = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, Type.Optional(secretKey)] as const))
const flags = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, Type.Optional(Type.Boolean())] as const))
const archived = {
  encryption: Type.Optional(Type.Enum(['AES256', 'aws:kms'])),
  restoreAdditionalCommandArgs: Type.Optional(Type.Array(text)),
}
const compressions = ['bzip2', 'gzip', 'lz4', 'snappy'] as const

/** Schemas of `spec` by "apiVersion kind". */
export const operatorKinds: Record<string, TSchema> = {
  'keda.sh/v1alpha1 ScaledObject': exactly({
    scaleTargetRef: exactly({ name: text }),
    minReplicaCount: count,
    maxReplicaCount: count,
    pollingInterval: count,
    cooldownPeriod: count,
    fallback: exactly({ failureThreshold: count, replicas: count }),
    advanced: exactly({
      horizontalPodAutoscalerConfig: exactly({
        behavior: exactly({ scaleUp: scaling({ selectPolicy: Type.Literal('Max') }), scaleDown: scaling({}) }),
      }),
    }),
    triggers: Type.Array(
      exactly({
        type: Type.Literal('kafka'),
        metadata: exactly({
          bootstrapServers: text,
          consumerGroup: text,
          // KEDA requires a string.
          lagThreshold: Type.String({ pattern: '^[1-9][0-9]*$' }),
          offsetResetPolicy: Type.Enum(['earliest', 'latest']),
          tls: Type.Enum(['enable', 'disable']),
          sasl: Type.Enum(['none', 'plaintext', 'scram_sha256', 'scram_sha512']),
        }),
        authenticationRef: Type.Optional(exactly({ name: text })),
      }),
      { minItems: 1 },
    ),
  }),
  'keda.sh/v1alpha1 TriggerAuthentication': exactly({
    env: Type.Optional(
      Type.Array(exactly({ parameter: Type.Enum(['username', 'password']), name: text, containerName: text })),
    ),
    secretTargetRef: Type.Optional(Type.Array(exactly({ parameter: Type.Literal('ca'), name: text, key: text }))),
  }),
  'monitoring.coreos.com/v1 ServiceMonitor': exactly({
    selector: exactly({ matchLabels: texts }),
    namespaceSelector: exactly({ matchNames: Type.Array(text) }),
    endpoints: Type.Array(
      exactly({
        port: text,
        path: text,
        interval: Type.String({ pattern: '^[0-9]+(s|m)$' }),
        scheme: Type.Optional(Type.Literal('https')),
        tlsConfig: Type.Optional(
          exactly({ serverName: text, ca: exactly({ secret: exactly({ name: text, key: text }) }) }),
        ),
        relabelings: Type.Array(exactly({ sourceLabels: Type.Array(text), targetLabel: text })),
      }),
    ),
  }),
  'cert-manager.io/v1 Certificate': exactly({
    secretName: text,
    duration: text,
    renewBefore: text,
    privateKey: exactly({
      algorithm: Type.Enum(['RSA', 'ECDSA', 'Ed25519']),
      size: count,
      rotationPolicy: Type.Enum(['Always', 'Never']),
    }),
    usages: Type.Array(text, { minItems: 1 }),
    dnsNames: Type.Array(text, { minItems: 1 }),
    issuerRef: exactly({ name: text, kind: Type.Enum(['Issuer', 'ClusterIssuer']), group: text }),
  }),
  'gateway.networking.k8s.io/v1 HTTPRoute': exactly({
    parentRefs: Type.Array(exactly({ name: text, namespace: Type.Optional(text), sectionName: Type.Optional(text) }), {
      minItems: 1,
    }),
    hostnames: Type.Array(text, { minItems: 1 }),
    rules: Type.Array(
      exactly({
        matches: Type.Array(exactly({ path: exactly({ type: Type.Enum(['Exact', 'PathPrefix']), value: text }) })),
        backendRefs: Type.Array(exactly({ name: text, port: count })),
      }),
    ),
  }),
  'gateway.networking.k8s.io/v1 BackendTLSPolicy': exactly({
    targetRefs: Type.Array(exactly({ group: Type.Literal(''), kind: text, name: text, sectionName: text })),
    validation: exactly({
      hostname: text,
      caCertificateRefs: Type.Array(exactly({ group: Type.Literal(''), kind: text, name: text }), { minItems: 1 }),
    }),
  }),
  'monitoring.coreos.com/v1 PrometheusRule': exactly({
    groups: Type.Array(
      exactly({
        name: text,
        rules: Type.Array(
          Type.Union([
            exactly({
              alert: text,
              expr: text,
              for: duration,
              keep_firing_for: Type.Optional(duration),
              labels: texts,
              annotations: texts,
            }),
            exactly({ record: text, expr: text, labels: Type.Optional(texts) }),
          ]),
          { minItems: 1 },
        ),
      }),
      { minItems: 1 },
    ),
  }),
  'external-secrets.io/v1 ExternalSecret': exactly({
    refreshInterval: text,
    secretStoreRef: exactly({ kind: Type.Enum(['SecretStore', 'ClusterSecretStore']), name: text }),
    target: exactly({
      name: text,
      creationPolicy: Type.Enum(['Owner', 'Merge', 'Orphan', 'None']),
      template: Type.Optional(exactly({ type: text, metadata: exactly({ labels: texts }), data: texts })),
    }),
    data: Type.Array(exactly({ secretKey: text, remoteRef: exactly({ key: text, property: text }) }), { minItems: 1 }),
  }),
  'kafka.strimzi.io/v1 Kafka': exactly({
    kafka: exactly({
      listeners: Type.Array(
        exactly({
          name: text,
          port: count,
          type: Type.Literal('internal'),
          tls: Type.Literal(true),
          authentication: scram,
        }),
      ),
      authorization: exactly({ type: Type.Literal('simple') }),
      rack: Type.Optional(exactly({ topologyKey: text })),
      config: Type.Record(Type.String(), Type.Union([Type.Integer(), Type.Boolean()])),
    }),
    entityOperator: exactly({ userOperator: exactly({}) }),
  }),
  'kafka.strimzi.io/v1 KafkaNodePool': exactly({
    replicas: count,
    roles: Type.Array(Type.Enum(['controller', 'broker'])),
    resources,
    storage: exactly({
      type: Type.Literal('jbod'),
      volumes: Type.Array(
        exactly({
          id: Type.Integer(),
          type: Type.Literal('persistent-claim'),
          size: text,
          deleteClaim: Type.Boolean(),
          class: Type.Optional(text),
        }),
      ),
    }),
  }),
  'kafka.strimzi.io/v1 KafkaUser': exactly({
    authentication: scram,
    authorization: exactly({
      type: Type.Literal('simple'),
      acls: Type.Array(
        exactly({
          resource: exactly({
            type: Type.Enum(['topic', 'group']),
            name: text,
            patternType: Type.Enum(['literal', 'prefix']),
          }),
          operations: Type.Array(text, { minItems: 1 }),
        }),
      ),
    }),
  }),
  'postgresql.cnpg.io/v1 Cluster': exactly({
    imageName: Type.Optional(text),
    instances: count,
    bootstrap: Type.Union([
      exactly({
        initdb: exactly({
          database: text,
          owner: text,
          encoding: text,
          localeCollate: text,
          localeCType: text,
          postInitSQL: Type.Array(text),
        }),
      }),
      exactly({
        recovery: exactly({
          database: text,
          owner: text,
          source: Type.Optional(text),
          volumeSnapshots: Type.Optional(exactly({ storage: exactly({ name: text, kind: text, apiGroup: text }) })),
          recoveryTarget: Type.Optional(exactly({ targetTime: text })),
        }),
      }),
    ]),
    externalClusters: Type.Optional(
      Type.Array(exactly({ name: text, plugin: exactly({ name: text, parameters: texts }) })),
    ),
    plugins: Type.Optional(Type.Array(exactly({ name: text, isWALArchiver: Type.Literal(true), parameters: texts }))),
    backup: Type.Optional(
      exactly({
        volumeSnapshot: exactly({ className: text, snapshotOwnerReference: snapshotOwner, online: Type.Boolean() }),
      }),
    ),
    managed: exactly({
      roles: Type.Array(
        exactly({
          name: Type.String({ minLength: 1, maxLength: 63 }),
          ensure: Type.Literal('present'),
          login: Type.Literal(true),
          passwordSecret: exactly({ name: text }),
        }),
      ),
    }),
    certificates: Type.Optional(exactly({ serverAltDNSNames: Type.Array(text, { minItems: 1 }) })),
    postgresql: exactly({
      parameters: texts,
      synchronous: Type.Optional(
        exactly({
          method: Type.Enum(['any', 'first']),
          number: count,
          dataDurability: Type.Enum(['required', 'preferred']),
        }),
      ),
    }),
    storage: exactly({ size: text, storageClass: Type.Optional(text) }),
    resources,
    affinity: exactly({
      enablePodAntiAffinity: Type.Boolean(),
      podAntiAffinityType: Type.Enum(['preferred', 'required']),
      topologyKey: text,
    }),
  }),
  'postgresql.cnpg.io/v1 ScheduledBackup': exactly({
    cluster: exactly({ name: text }),
    // Six fields: the first is of seconds.
    schedule: Type.String({ pattern: '^[^ ]+( [^ ]+){5}$' }),
    immediate: Type.Boolean(),
    method: Type.Enum(['plugin', 'volumeSnapshot']),
    pluginConfiguration: Type.Optional(exactly({ name: text })),
    backupOwnerReference: Type.Enum(['none', 'self', 'cluster']),
  }),
  'barmancloud.cnpg.io/v1 ObjectStore': exactly({
    retentionPolicy: Type.String({ pattern: '^[1-9][0-9]*[dwm]$' }),
    instanceSidecarConfiguration: exactly({ resources }),
    configuration: exactly({
      destinationPath: text,
      endpointURL: Type.Optional(text),
      endpointCA: Type.Optional(secretKey),
      s3Credentials: Type.Optional(
        exactly({
          ...secretKeys('accessKeyId', 'secretAccessKey', 'sessionToken', 'region'),
          ...flags('inheritFromIAMRole'),
        }),
      ),
      azureCredentials: Type.Optional(
        exactly({
          ...secretKeys('connectionString', 'storageAccount', 'storageKey', 'storageSasToken'),
          ...flags('inheritFromAzureAD', 'useDefaultAzureCredentials'),
        }),
      ),
      googleCredentials: Type.Optional(
        exactly({ ...secretKeys('applicationCredentials'), ...flags('gkeEnvironment') }),
      ),
      wal: Type.Optional(
        exactly({
          ...archived,
          compression: Type.Optional(Type.Enum([...compressions, 'xz', 'zstd'])),
          maxParallel: Type.Optional(count),
          archiveAdditionalCommandArgs: Type.Optional(Type.Array(text)),
        }),
      ),
      data: Type.Optional(
        exactly({
          ...archived,
          compression: Type.Optional(Type.Enum([...compressions])),
          jobs: Type.Optional(count),
          immediateCheckpoint: Type.Optional(Type.Boolean()),
          additionalCommandArgs: Type.Optional(Type.Array(text)),
        }),
      ),
      tags: Type.Optional(texts),
      historyTags: Type.Optional(texts),
    }),
  }),
  'postgresql.cnpg.io/v1 Pooler': exactly({
    cluster: exactly({ name: text }),
    type: Type.Enum(['rw', 'ro']),
    instances: count,
    pgbouncer: exactly({ poolMode: Type.Enum(['session', 'transaction']), parameters: texts }),
    template: exactly({
      spec: exactly({ containers: Type.Array(exactly({ name: Type.Literal('pgbouncer'), resources })) }),
    }),
  }),
  'postgresql.cnpg.io/v1 Database': exactly({
    cluster: exactly({ name: text }),
    name: text,
    owner: text,
    databaseReclaimPolicy: Type.Enum(['retain', 'delete']),
  }),
} satisfies Record<string, TObject>
