import { runLauncher } from '../run-launcher.ts'
import { startCluster } from './cluster.ts'

/** A folder of its own: events that are on their way in one engine are unknown to the other. */
const NIFTY_HOME = process.env.NIFTY_HOME || '.nifty-cluster'

await runLauncher({ start: startCluster, parts: { kafka: true, redis: true } }, { ...process.env, NIFTY_HOME })
