/** In addition to its drain period; then it is killed. */
const STOP_WITHIN_MS = 25_000
const DEPENDENCIES_STOP_WITHIN_MS = 20_000

/** Time within which a process that is to stop has ended, ms. */
export const replicaStopLimitMs = (env: NodeJS.ProcessEnv) => Number(env.DRAIN_SECONDS ?? 0) * 1_000 + STOP_WITHIN_MS

/** Time within which a launcher's cluster has stopped, ms: the gateway, then the services, then the dependencies. */
export const clusterStopLimitMs = (env: NodeJS.ProcessEnv) => 2 * replicaStopLimitMs(env) + DEPENDENCIES_STOP_WITHIN_MS
