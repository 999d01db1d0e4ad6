import type { Cluster } from '../cluster/cluster.ts'
import type { Command } from '../command-line.ts'
import type { Figure, Target } from '../results/target.ts'

export type Run = {
  form: Command['form']
  /** Reports progress; the table follows when all parts have ended. */
  log: (text: string) => void
  /** The cluster that all parts of a run share, started for the first of them. */
  cluster: () => Promise<Cluster>
}

export type Part = {
  name: string
  /** Those that it measures in its whole form. */
  targets: Target[]
  /** Whether the short form runs it as well. */
  short: boolean
  /**
   * Whether it measures the cluster that the parts of a run share. It is removed before the first part that does not.
   */
  usesCluster?: boolean
  /** Variables that replace its sizes, to try it: targets are of the usual sizes, so they are not measured then. */
  sizes?: string[]
  measure: (run: Run) => Promise<Figure[]>
}
