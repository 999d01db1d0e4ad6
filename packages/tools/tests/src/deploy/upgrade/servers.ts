import { join } from 'node:path'
import { startKafka } from '@nifty/dev-servers/kafka'
import { startObjectStorage } from '@nifty/dev-servers/object-storage'
import { startPgbouncer } from '@nifty/dev-servers/pgbouncer'
import { startRedis } from '@nifty/dev-servers/redis'
import { startServers } from '../images/servers.ts'

/** The servers of `deploy/compose.yaml`, and PgBouncer and a bucket, which the chart can be given. */
export async function startProductionServers(folder: string, onStop: (stop: () => Promise<void>) => void) {
  const servers = await startServers(folder, onStop)
  const [kafka, redis, pooler, bucket] = await Promise.all([
    startKafka({ folder: join(folder, 'kafka') }),
    startRedis({ folder: join(folder, 'redis') }),
    startPgbouncer({ folder: join(folder, 'pooler'), serverUrl: servers.postgresUrl }),
    startObjectStorage({ folder: join(folder, 'object-storage'), server: 'versitygw' }),
  ])
  for (const { stop } of [kafka, redis, pooler, bucket]) onStop(stop)
  return {
    ...servers,
    addresses: {
      ...servers.addresses,
      'kafka:9092': kafka.brokers.join(','),
      'redis:6379': new URL(redis.url).host,
    },
    brokers: kafka.brokers,
    poolerUrl: pooler.url,
    bucket: { UPLOADS_URL: bucket.url, ...bucket.credentials },
  }
}
