import type { Program } from '@nifty/api/services'

/**
 * What a test or a benchmark adds to the local cluster. `deploy/local/src/cluster/main.ts` loads the module that
 * `CLUSTER_EXTENSION` names and calls its `extendCluster` with the variables of all services.
 */
export type ClusterExtension = (env: NodeJS.ProcessEnv) => Promise<{
  /** Variables that replace those of the services. */
  env: NodeJS.ProcessEnv
  /** Arguments of Node for a program. */
  nodeArguments?: (program: Program) => string[]
  /** The copy of the workspace that a process runs; undefined: this one. */
  rootOf?: (program: Program, count: number) => string | undefined
  /** Variables of one program. */
  envOf?: (program: Program) => NodeJS.ProcessEnv
  stop?: () => Promise<void>
}>
