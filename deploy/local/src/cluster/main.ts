import { pathToFileURL } from 'node:url'
import type { ClusterExtension } from '@nifty/testkit/cluster-extension'
import { runLauncher } from '../launcher.ts'
import type { StartStore } from '../start.ts'
import type { ClusterUpdate, RunningCluster } from './cluster.ts'
import { clusterStopLimitMs } from './stop-limit.ts'

/** Apart from the one-process store's: events in PostgreSQL would be lost to Kafka, and the other way round. */
const NIFTY_HOME = process.env.NIFTY_HOME || '.nifty-cluster'

/** A parent process may send another copy of the workspace or other variables: processes are replaced one by one. */
function acceptUpdates({ update }: RunningCluster) {
  process.on('message', ({ root, variables }: ClusterUpdate) => {
    if (root === undefined && variables === undefined) return
    update({ root, variables }).then(
      () => process.send?.({ updated: true }),
      (error: unknown) => process.send?.({ failed: String(error) }),
    )
  })
}

const unextended: ClusterExtension = async () => ({ env: {} })

/** `CLUSTER_EXTENSION`: path of a module that adds faults or measurements to the cluster. */
async function loadExtension(path = process.env.CLUSTER_EXTENSION): Promise<ClusterExtension> {
  return path ? (await import(pathToFileURL(path).href)).extendCluster : unextended
}

async function load(): Promise<StartStore> {
  const [{ startCluster }, extend] = await Promise.all([import('./cluster.ts'), loadExtension()])
  return async (options) => {
    const { env, stop, ...processes } = await extend({ ...options.env, POSTGRES_URL: options.postgresUrl })
    const cluster = await startCluster({ ...options, env: { ...options.env, ...env } }, processes)
    acceptUpdates(cluster)
    return { ...cluster, stop: () => cluster.stop().finally(stop) }
  }
}

await runLauncher(
  {
    load,
    needs: { kafka: true, redis: true, pooler: true, objectStorage: true },
    stopWithinMs: clusterStopLimitMs(process.env),
  },
  { ...process.env, NIFTY_HOME },
)
