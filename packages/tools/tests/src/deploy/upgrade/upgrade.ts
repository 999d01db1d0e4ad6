import { type Program, programs, serviceNames } from '@nifty/api/services'
import { withDatabase } from '@nifty/chaos/campaign/databases'
import { lostEvents } from '@nifty/chaos/campaign/messages'
import { countRequests } from '@nifty/chaos/campaign/requests'
import { sell } from '@nifty/chaos/campaign/sales'
import { listAll } from '@nifty/chaos/campaign/shop'
import { startVisitors } from '@nifty/chaos/faults/visitors'
import { startReaders } from '@nifty/chaos/rolling/readers'
import { openChain } from '@nifty/testkit/chain'
import { buyersOf } from '@nifty/testkit/purchase'
import { waitUntil } from '@nifty/testkit/wait-until'
import type { Buildah } from '../images/buildah.ts'
import { checkProcess, compareOwners, loggedFailures, processorTimes, usedServers } from './checks.ts'
import type { Pod } from './pods.ts'
import type { Release } from './release.ts'
import { mintWork, openShop, withPictures } from './shop.ts'

const WORKS = 180
const SALE_EVERY_MS = 2_500
/** Where a step takes longer than these, sales pause until the next one, so that every step has works to sell. */
const SALES_OF_A_STEP = 15
const SALES_AT_ONCE = 6
/** Nobody buys these. */
const SEEN_WORKS = 3
const SOLD = { timeoutMs: 300_000 }

type Options = { folder: string; former: Release; next: Release; log: (text: string) => void }

/**
 * Installs the former release, migrates all databases by images of the next one, and replaces one component after the
 * other: the new process is ready before the former one gets SIGTERM. Works are sold in each step and minted before,
 * while each component has processes of both releases, and after.
 */
export async function upgrade(buildah: Buildah, { folder, former, next, log }: Options) {
  const shop = await openShop(buildah, { folder, former, next, log })
  const { run, pods } = shop
  const chain = openChain(run)
  const violations: string[] = []
  const times = { ran: 0, waited: 0 }
  async function stop(component: Program, pod: Pod) {
    const { ran, waited } = await processorTimes(pod)
    times.ran += ran
    times.waited += waited
    const code = await pods.stop(component, pod)
    if (code !== 0) violations.push(`${pod.name} ended with ${code} after SIGTERM`)
  }
  try {
    let checked = 0
    for (const component of programs) checked += await checkProcess(pods.of(component)[0]!)
    await shop.seed(WORKS)
    const works = await listAll(run, WORKS)
    log(`${works.length} works are for sale`)

    const buyers = await buyersOf(run)
    // All from here on counts.
    const requests = countRequests(run.url)
    const visitors = startVisitors(run, works.slice(0, SEEN_WORKS))
    const readers = startReaders(run, works.slice(0, SEEN_WORKS))
    let isOver = false
    let mayBegin = SALES_OF_A_STEP
    const selling = sell({ run, chain, buyers }, works.slice(SEEN_WORKS), {
      everyMs: SALE_EVERY_MS,
      atOnce: SALES_AT_ONCE,
      mayBegin: (place) => place < mayBegin,
      isOver: () => isOver,
    })
    /** A purchase that begins from now on is completed. */
    async function sellOne() {
      const begun = selling.begun()
      mayBegin = Math.max(mayBegin, begun + 1)
      await waitUntil(async () => selling.completed() > begun, SOLD)
    }
    const minted: string[] = []
    const mint = async (when: string) => {
      minted.push(await mintWork(run, `Minted ${when}`))
    }

    await mint('before the upgrade')
    await sellOne()
    log(`from the images of ${former.commit} a work was minted and ${selling.completed()} were sold`)

    mayBegin += SALES_OF_A_STEP
    const before = await countMigrations(folder)
    for (const service of serviceNames) await pods.migrate(service, next)
    const migrations = (await countMigrations(folder)) - before
    log(`${migrations} migrations of ${next.commit} were run, every process is of ${former.commit}`)
    async function replace(component: Program, whileBothRun = async () => {}) {
      mayBegin += SALES_OF_A_STEP
      const [old] = pods.of(component)
      checked += await checkProcess(await pods.start(component, next))
      await whileBothRun()
      await sellOne()
      const open = selling.open()
      await stop(component, old!)
      log(`${old!.name} was replaced with ${open} purchases under way, ${selling.completed()} completed`)
    }
    for (const component of programs)
      await replace(component, () => mint(`while ${component} has processes of both releases`))
    if (!former.knows.bucket) {
      await shop.moveToBucket()
      log('the bucket has the pictures of the folders')
      for (const component of withPictures) await replace(component)
    }
    await mint('after the upgrade')
    await sellOne()
    isOver = true

    violations.push(...(await selling.violations()))
    await readers.stop()
    await visitors.stop()
    const visits = visitors.take()
    const unanswered = visits.flatMap(({ url, error }) => (error ? [`a visitor of ${url}: ${error}`] : []))
    const failed = [...requests.failed.map((what) => `failed at the gateway: ${what}`), ...unanswered]
    violations.push(...failed, ...(failed.length > 0 ? await loggedFailures(folder) : []))
    const owners = await compareOwners(run, chain, { sales: selling.sales(), minted })
    const { events, violations: lost } = await lostEvents(folder)
    const servers = await usedServers(folder, { poolerUrl: shop.poolerUrl, hadFolders: !former.knows.bucket })
    violations.push(...owners.violations, ...lost, ...servers.violations)
    const reconciled = (await shop.ops(next, 'reconcile')).split('\n').at(-1)!
    if (reconciled !== 'Balanced.') violations.push(`reconcile: ${reconciled}`)
    for (const component of programs.toReversed()) await stop(component, pods.of(component)[0]!)
    return {
      metrics: {
        images: `${former.commit}, then ${next.commit}`,
        'processes with a read-only root': checked,
        'migrations run while the former release sold': migrations,
        'works minted': minted.length,
        purchases: selling.begun(),
        completed: selling.completed(),
        'of these refused at first': [...new Set(selling.refusals())].join(', ') || 'none',
        'owners on the chain compared': owners.compared,
        'events compared': events,
        ...servers.counts,
        'requests of visitors': visits.length,
        'of these failed': unanswered.length,
        'requests of accounts': requests.sent,
        'of those failed': requests.failed.length,
        'seconds for which processes ran': Math.round(times.ran),
        'seconds for which they waited for a processor': Math.round(times.waited),
        reconcile: reconciled,
      },
      violations,
    }
  } finally {
    chain.close()
    await shop.stop()
  }
}

/** In all databases of the store. */
async function countMigrations(folder: string) {
  const count = 'select count(*)::int as count from migration'
  const counts = serviceNames.map((service) =>
    withDatabase(folder, service, async (client) => (await client.query<{ count: number }>(count)).rows[0]!.count),
  )
  return (await Promise.all(counts)).reduce((sum, each) => sum + each, 0)
}
