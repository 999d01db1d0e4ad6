import type { ClusterExtension } from '@nifty/testkit/cluster-extension'
import { createDatabases, createRedisUser, databaseVariables, kafkaVariables, redisVariables } from './servers.ts'

/** Every service has a role of PostgreSQL, a user of Kafka and a password of Redis, as in a cluster. */
export const extendCluster: ClusterExtension = async ({ POSTGRES_URL: postgres = '', REDIS_URL: redis = '' }) => {
  await Promise.all([createDatabases(postgres), createRedisUser(redis)])
  return {
    env: redisVariables(redis, 'former'),
    envOf: (program) =>
      program === 'gateway'
        ? {}
        : { ...databaseVariables(postgres, 'former', program), ...kafkaVariables('former', program) },
  }
}
