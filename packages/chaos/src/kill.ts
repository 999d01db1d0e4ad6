import { setTimeout as sleep } from 'node:timers/promises'
import { kinds, openCluster } from '@nifty/testkit/cluster'
import type { Campaign } from './campaign.ts'
import { createRandom } from './random.ts'
import { sell } from './selling.ts'
import { leave, openShop } from './shop.ts'

const PURCHASES = 200
const REPLICAS = 2
/** So long at most the next victim lives on after its turn has come: anywhere within a purchase. */
const UNTIL_KILLED_MS = 4_000

/** Every process of the cluster is killed with SIGKILL once, in turn, while people buy. */
export const kill: Campaign = async (say) => {
  const env = { REPLICAS: String(REPLICAS) }
  const shop = await openShop({ say, works: 240, launcher: 'cluster/main.ts', env })
  const cluster = openCluster(shop.store.folder)
  const random = createRandom('kill')
  const victims = Array.from({ length: REPLICAS }, (_, place) => kinds.map((kind) => `${kind}-${place + 1}`)).flat()

  const awayMs: number[] = []
  const selling = sell(shop, shop.works.slice(0, PURCHASES), {
    ...{ everyMs: 500, atOnce: 8 },
    // The sale does not run ahead of the killing, so that each victim dies, and comes back, while people buy.
    mayBegin: (place) => place < ((awayMs.length + 1) / victims.length) * PURCHASES,
  })
  for (const [place, victim] of victims.entries()) {
    // Spread over the whole of the sale.
    while (selling.begun() < ((place + 0.5) / victims.length) * PURCHASES) await sleep(50)
    await sleep(random.unit() * UNTIL_KILLED_MS)
    const { begun, open } = { begun: selling.begun(), open: selling.open() }
    const killedAt = performance.now()
    await cluster.kill(victim)
    awayMs.push(performance.now() - killedAt)
    say(`${victim} was killed at purchase ${begun} (${open} under way) and is back`)
  }
  const faults = await selling.judge()
  const survivors = (await cluster.processes()).filter(({ ready, starts }) => !ready || starts !== 2)
  faults.push(...survivors.map(({ name, starts, ready }) => `${name}: started ${starts} times, ready: ${ready}`))
  await leave(shop, { faults, say })
  return {
    figures: {
      purchases: PURCHASES,
      completed: selling.completed(),
      'processes killed': victims.length,
      'killed until ready again, longest, ms': Math.round(Math.max(...awayMs)),
    },
    faults,
  }
}
