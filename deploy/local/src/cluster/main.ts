import type { StartStore } from '../launch.ts'
import { runLauncher } from '../run-launcher.ts'
import type { RunningCluster } from './cluster.ts'

/** A folder of its own: events that are on their way in one engine are unknown to the other. */
const NIFTY_HOME = process.env.NIFTY_HOME || '.nifty-cluster'

/** Whoever started this as a child process may name the root of another copy of the workspace, to be run from then on. */
function hearUpdates({ update }: RunningCluster) {
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
    hearUpdates(cluster)
    return cluster
  }
}

await runLauncher({ load, parts: { kafka: true, redis: true } }, { ...process.env, NIFTY_HOME })
