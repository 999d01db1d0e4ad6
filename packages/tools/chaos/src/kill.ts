import { setTimeout as sleep } from 'node:timers/promises'
import { programs } from '@nifty/api/services'
import { connectCluster } from '@nifty/testkit/cluster'
import type { Campaign } from './campaign/campaign.ts'
import { createRandom } from './campaign/random.ts'
import { sell } from './campaign/sales.ts'
import { closeShop, openShop } from './campaign/shop.ts'

const PURCHASES = 200
const REPLICAS = 2
/** Maximum delay before a kill, so that it falls anywhere within a purchase. */
const MAX_DELAY_MS = 4_000

/** Kills every process of the cluster once, in turn, under load (SIGKILL). */
export const kill: Campaign = async (log) => {
  const env = { REPLICAS: String(REPLICAS) }
  const shop = await openShop({ log, works: 240, launcher: 'cluster/main.ts', env })
  const cluster = connectCluster(shop.store.folder)
  const random = createRandom('kill')
  const victims = Array.from({ length: REPLICAS }, (_, place) => programs.map((kind) => `${kind}-${place + 1}`)).flat()

  const downMs: number[] = []
  const selling = sell(shop, shop.works.slice(0, PURCHASES), {
    everyMs: 500,
    atOnce: 8,
    // Keeps pace with the kills, so that each process is killed and restarts under load.
    mayBegin: (place) => place < ((downMs.length + 1) / victims.length) * PURCHASES,
  })
  for (const [place, victim] of victims.entries()) {
    // Spread over the whole of the sale.
    while (selling.begun() < ((place + 0.5) / victims.length) * PURCHASES) await sleep(50)
    await sleep(random.unit() * MAX_DELAY_MS)
    const { begun, open } = { begun: selling.begun(), open: selling.open() }
    const killedAt = performance.now()
    await cluster.kill(victim)
    downMs.push(performance.now() - killedAt)
    log(`${victim} was killed at purchase ${begun} (${open} under way) and is back`)
  }
  const violations = await selling.violations()
  const survivors = (await cluster.processes()).filter(({ ready, starts }) => !ready || starts !== 2)
  violations.push(...survivors.map(({ name, starts, ready }) => `${name}: started ${starts} times, ready: ${ready}`))
  await closeShop(shop, { violations, log })
  return {
    metrics: {
      purchases: PURCHASES,
      completed: selling.completed(),
      'processes killed': victims.length,
      'killed until ready again, longest, ms': Math.round(Math.max(...downMs)),
    },
    violations,
  }
}
