import { runLauncher } from '../run-launcher.ts'

/** A folder of its own: events that are on their way in one engine are unknown to the other. */
const NIFTY_HOME = process.env.NIFTY_HOME || '.nifty-cluster'

await runLauncher(
  { load: async () => (await import('./cluster.ts')).startCluster, parts: { kafka: true, redis: true } },
  { ...process.env, NIFTY_HOME },
)
