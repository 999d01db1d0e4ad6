import { runLauncher } from '../launcher.ts'
import type { StartStore } from '../start.ts'
import type { RunningCluster } from './cluster.ts'

/** Apart from the one-process store's: events in PostgreSQL would be lost to Kafka, and the other way round. */
const NIFTY_HOME = process.env.NIFTY_HOME || '.nifty-cluster'

/** A parent process may send the root of another copy of the workspace: the cluster is updated to it, one by one. */
function acceptUpdates({ update }: RunningCluster) {
  process.on('message', ({ root }: { root: string }) => {
    update(root).then(
      () => process.send?.({ updated: root }),
      (error: unknown) => process.send?.({ failed: String(error) }),
    )
  })
}

async function load(): Promise<StartStore> {
  const { startCluster } = await import('./cluster.ts')
  return async (options) => {
    const cluster = await startCluster(options)
    acceptUpdates(cluster)
    return cluster
  }
}

await runLauncher({ load, needs: { kafka: true, redis: true } }, { ...process.env, NIFTY_HOME })
