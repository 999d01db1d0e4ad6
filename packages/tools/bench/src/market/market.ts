import type { Figure } from '../results/target.ts'
import type { Run } from '../run/part.ts'
import { clusterReads, oneProcessReads } from '../run/targets.ts'
import { withStore } from '../store/store.ts'
import { measureHotReads } from './hot-reads.ts'

/** Hot responses of a cluster: CPU of the gateway's process and catalog's. */
export async function benchMarket({ form, cluster }: Run): Promise<Figure[]> {
  const { run, gatewayUrl, pids, untilQuiet } = await cluster()
  await untilQuiet()
  return measureHotReads({ run, url: gatewayUrl, pids: [pids.gateway, pids.catalog] }, { targets: clusterReads, form })
}

/** The same responses of a store in one process. */
export const benchMarketOfOneProcess = ({ form }: Run): Promise<Figure[]> =>
  withStore(({ run, pid }) => measureHotReads({ run, url: run.url, pids: [pid()] }, { targets: oneProcessReads, form }))
