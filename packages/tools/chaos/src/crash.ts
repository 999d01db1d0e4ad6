import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '@nifty/testkit/wait-until'
import type { Campaign } from './campaign/campaign.ts'
import { acceptsQueries, databaseServerOf } from './campaign/databases.ts'
import { lostEvents } from './campaign/messages.ts'
import { createRandom } from './campaign/random.ts'
import { sell } from './campaign/sales.ts'
import { closeShop, openShop, type Shop } from './campaign/shop.ts'

const PURCHASES = 100
const ATTACKS = 20
const UNTIL_NEXT_MS = 5_000

/** Kills the one-process store with its dependencies, or PostgreSQL alone, under load. */
export const crash: Campaign = async (log) => {
  const shop = await openShop({ log, works: PURCHASES })
  const random = createRandom('crash')
  let attacks = 0
  const selling = sell(shop, shop.works.slice(0, PURCHASES), {
    everyMs: 200,
    atOnce: 8,
    mayBegin: (place) => place < ((attacks + 1) / ATTACKS) * PURCHASES,
  })
  const done = { 'the store': 0, PostgreSQL: 0 }
  for (; attacks < ATTACKS; attacks++) {
    while (selling.begun() < ((attacks + 0.5) / ATTACKS) * PURCHASES) await sleep(20)
    await sleep(random.unit() * UNTIL_NEXT_MS)
    const victim = random.chance(0.65) ? 'the store' : 'PostgreSQL'
    const open = selling.open()
    await attack[victim](shop)
    done[victim]++
    log(`${victim} was killed with ${open} purchases under way, and is back`)
  }
  const violations = await selling.violations()
  const { events, violations: lost } = await lostEvents(shop.store.folder)
  violations.push(...lost)
  await closeShop(shop, { violations, log })
  return {
    metrics: {
      purchases: PURCHASES,
      completed: selling.completed(),
      'the store killed': done['the store'],
      'PostgreSQL alone killed': done.PostgreSQL,
      'events compared': events,
    },
    violations,
  }
}

const attack = {
  'the store': async ({ store }: Shop) => {
    await store.kill()
    await store.restart()
  },
  PostgreSQL: async ({ store: { folder } }: Shop) => {
    const { pid } = await databaseServerOf(folder)
    process.kill(pid, 'SIGKILL')
    await waitUntil(async () => acceptsQueries(folder), { timeoutMs: 120_000, intervalMs: 50 })
  },
}
