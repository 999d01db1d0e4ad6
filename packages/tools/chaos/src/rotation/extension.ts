import { join } from 'node:path'
import type { ServiceName } from '@nifty/api/services'
import { accessKeys } from '@nifty/dev-servers/object-storage'
import { startPgbouncer } from '@nifty/dev-servers/pgbouncer'
import type { ClusterExtension } from '@nifty/testkit/cluster-extension'
import * as servers from './servers.ts'

/** What the campaign started before the cluster. */
export type Started = {
  nodesUrl: string
  /** Addresses of the two nodes. */
  nodes: { CHAIN_RPC_URL: string; CHAIN_RPC_URL_2: string }
  tokenUrl: string
  tokenSecret: string
  tokenFile: string
  poolerPort: number
  tls: { TLS_CERT_FILE: string; TLS_KEY_FILE: string; NODE_EXTRA_CA_CERTS: string }
}

/** Has a `Started` in JSON. */
export const STARTED_VARIABLE = 'ROTATION_STARTED'

/** The folder of PgBouncer, below that of the store. */
export const POOLER_FOLDER = 'pooler-of-roles'

/**
 * Every service has a role of PostgreSQL and of PgBouncer, a user of Kafka or a token for it, a password of Redis and a
 * key of the object storage, as in a cluster, and serves HTTPS, as the gateway does.
 */
export const extendCluster: ClusterExtension = async ({
  POSTGRES_URL: postgres = '',
  REDIS_URL: redis = '',
  UPLOADS_URL: uploads = '',
  CHAIN_RPC_URL: chain = '',
}) => {
  const { nodesUrl, nodes, tokenUrl, tokenSecret, tokenFile, poolerPort, tls }: Started = JSON.parse(
    process.env[STARTED_VARIABLE]!,
  )
  const storagePort = Number(new URL(new URL(uploads).searchParams.get('endpoint')!).port)
  await Promise.all([
    servers.createDatabases(postgres),
    servers.createRedisUser(redis),
    accessKeys(storagePort).add(servers.storageKey('former')),
    fetch(nodesUrl, { method: 'PUT', body: chain }),
  ])
  const pooler = await startPgbouncer({
    folder: join(process.env.NIFTY_HOME!, POOLER_FOLDER),
    port: poolerPort,
    serverUrl: postgres,
    roles: servers.poolerRoles('former'),
  })
  function kafkaVariables(service: ServiceName) {
    if (service === servers.BY_TOKEN) return servers.tokenVariables(tokenUrl, tokenSecret)
    if (service === servers.BY_TOKEN_FILE) return servers.tokenFileVariables(tokenFile)
    return servers.kafkaVariables('former', service)
  }
  return {
    env: { ...servers.redisVariables(redis, 'former'), ...servers.storageVariables('former'), ...nodes, ...tls },
    envOf: (program) =>
      program === 'gateway'
        ? {}
        : {
            ...servers.databaseVariables(postgres, 'former', program),
            ...servers.poolerVariables(postgres, poolerPort, 'former', program),
            ...kafkaVariables(program),
          },
    stop: pooler.stop,
  }
}
