import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '@nifty/testkit/until'
import pg from 'pg'
import type { Campaign } from './campaign.ts'
import { databaseOf, lostEvents } from './messages.ts'
import { createRandom } from './random.ts'
import { sell } from './selling.ts'
import { leave, openShop, type Shop } from './shop.ts'

const PURCHASES = 100
const ATTACKS = 20
const UNTIL_NEXT_MS = 5_000

/** The store's one process with all that is around it, or its database server alone, dies while people buy. */
export const crash: Campaign = async (say) => {
  const shop = await openShop({ say, works: PURCHASES })
  const random = createRandom('crash')
  let attacks = 0
  const selling = sell(shop, shop.works.slice(0, PURCHASES), {
    ...{ everyMs: 200, atOnce: 8 },
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
    say(`${victim} was killed with ${open} purchases under way, and is back`)
  }
  const faults = await selling.judge()
  const { events, faults: lost } = await lostEvents(shop.store.folder)
  faults.push(...lost)
  await leave(shop, { faults, say })
  return {
    figures: {
      purchases: PURCHASES,
      completed: selling.completed(),
      'the store killed': done['the store'],
      'PostgreSQL alone killed': done.PostgreSQL,
      'events compared': events,
    },
    faults,
  }
}

const attack = {
  'the store': async ({ store }: Shop) => {
    await store.kill()
    await store.startAgain()
  },
  PostgreSQL: async ({ store: { folder } }: Shop) => {
    const { pid } = await databaseOf(folder)
    process.kill(pid, 'SIGKILL')
    await until(async () => answers(folder), { patience: 120_000, every: 50 })
  },
}

async function answers(folder: string): Promise<boolean> {
  const { port } = await databaseOf(folder).catch(() => ({ port: 0 }))
  const client = new pg.Client({ connectionString: `postgres://nifty:nifty@127.0.0.1:${port}/postgres` })
  client.on('error', () => {})
  return client
    .connect()
    .then(() => client.query('select 1'))
    .then(
      () => true,
      () => false,
    )
    .finally(() => client.end().catch(() => {}))
}
