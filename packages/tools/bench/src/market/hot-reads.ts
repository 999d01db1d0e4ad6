import { join } from 'node:path'
import { getMarket, getNft, type Market, type Nft } from '@nifty/api/catalog/public'
import { endpointUrl } from '@nifty/api/endpoint'
import { accountsOf, createApiClient, logIn } from '@nifty/testkit/api-client'
import { takeOffers } from '@nifty/testkit/offers'
import type { RunFile } from '@nifty/testkit/run-file'
import { median } from '../results/statistics.ts'
import type { Figure, Target } from '../results/target.ts'
import type { Run } from '../run/part.ts'
import type { clusterReads } from '../run/targets.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import { recordAnswer, startBare } from './bare-server.ts'
import type { Load } from './load.ts'
import { changePrices, risingPrices } from './price-changes.ts'
import { measureIdle, type Serving, sendLoad } from './send-load.ts'
import { makeOffers } from './steady-offers.ts'

/** Many short rounds: the speed of shared cores changes within two seconds. */
const ROUNDS = { whole: 9, short: 2 }
const SECONDS = 1
const WRITE_ROUNDS = { whole: 5, short: 2 }
const WRITE_SECONDS = { whole: 4, short: 2 }
const MARKET = endpointUrl(getMarket, { query: { page: '1', limit: '200' } })
/** Request headers of a browser, and of a client without compression. */
const BROTLI = { 'accept-encoding': 'br, gzip' }
const PLAIN = { 'accept-encoding': 'identity' }
/** Items whose prices change. */
const CHANGED = 60
/** Items that get offers: a buyer's former offer for one is decided when the next one comes. */
const OFFERED = 20

/** `url` is where the load is sent to, `pids` the processes that serve it. */
type Store = { run: RunFile; url: string; pids: number[] }

/** CPU time of responses that a store sends again and again, beside a bare Fastify process with the same bytes. */
export async function measureHotReads(
  { run, url, pids }: Store,
  { targets, form }: { targets: typeof clusterReads; form: Run['form'] },
): Promise<Figure[]> {
  const { path: folder, remove: removeFolder } = await temporaryFolder()
  const works = (await createApiClient(run).market()).filter(({ forSale, reserved }) => forSale && !reserved)
  const item = itemPath(works.at(-1)!)
  const answers = {
    brotli: await recordAnswer(url, MARKET, BROTLI),
    plain: await recordAnswer(url, MARKET, PLAIN),
    item: await recordAnswer(url, item, BROTLI),
  }
  const bare = await startBare(join(folder, 'answers.json'), Object.values(answers))
  try {
    const serving = await measureIdle(pids)
    const bareServing = await measureIdle([bare.pid])
    const known = { ...BROTLI, 'if-none-match': answers.item.headers.etag! }
    const reads: { target: Target; path: string; headers: Load['headers']; expected: Load['expected'] }[] = [
      { target: targets.market, path: MARKET, headers: BROTLI, expected: 200 },
      { target: targets.marketPlain, path: MARKET, headers: PLAIN, expected: 200 },
      { target: targets.item, path: item, headers: BROTLI, expected: 200 },
      { target: targets.unchanged, path: item, headers: known, expected: 304 },
    ]
    const figures: Figure[] = []
    for (const { target, ...read } of reads) {
      const load = { ...read, seconds: SECONDS }
      const rounds: { own: number; least: number }[] = []
      for (let round = 0; round < ROUNDS[form]; round++) {
        const least = await sendLoad({ ...load, url: bare.url }, bareServing)
        const own = await sendLoad({ ...load, url }, serving)
        rounds.push({ own: own.cpuUs, least: least.cpuUs })
      }
      const figure = median(rounds.map(({ own }) => own))
      figures.push({ target, figure, baseline: median(rounds.map(({ least }) => least)) })
    }
    return [...figures, ...(await measureUnderWrites({ run, url, serving }, { targets, form, works }))]
  } finally {
    await bare.stop()
    await removeFolder()
  }
}

async function measureUnderWrites(
  { run, url, serving }: Omit<Store, 'pids'> & { serving: Serving },
  { targets, form, works }: { targets: typeof clusterReads; form: Run['form']; works: Nft[] },
): Promise<Figure[]> {
  const account = accountsOf(run, 'creator')[0]!
  const seller = await logIn(run, account)
  const own = works.filter(({ ownerUsername }) => ownerUsername === account.username).slice(0, CHANGED)
  const load = { url, path: MARKET, headers: BROTLI, expected: 200 as const, seconds: WRITE_SECONDS[form] }
  // The response that the load gets: a token would demand the latest state.
  const readMarket = async () => (await (await fetch(url + MARKET, { headers: BROTLI })).json()) as Market
  const clients = { seller, readMarket, nextCents: risingPrices() }
  const buyer = await logIn(run, accountsOf(run, 'collector')[0]!)
  const offered = own.slice(0, OFFERED)
  for (const work of offered) await takeOffers(seller, work)
  const rounds: { quiet: number; written: number; offered: number; oldestMs: number; changesPerSecond: number }[] = []
  for (let round = 0; round < WRITE_ROUNDS[form]; round++) {
    const quiet = await sendLoad(load, serving)
    const changing = changePrices(clients, own)
    const written = await sendLoad(load, serving).catch(async (error) => {
      await changing.stop().catch(() => {})
      throw error
    })
    const { oldestMs, changesPerSecond } = await changing.stop()
    const offering = makeOffers({ run, buyer, owner: seller }, offered)
    const underOffers = await sendLoad(load, serving).catch(async (error) => {
      await offering.stop().catch(() => {})
      throw error
    })
    await offering.stop()
    const perSecond = { quiet: quiet.perSecond, written: written.perSecond, offered: underOffers.perSecond }
    rounds.push({ ...perSecond, oldestMs, changesPerSecond })
  }
  const quiet = median(rounds.map((round) => round.quiet))
  return [
    {
      target: targets.underWrites,
      figure: median(rounds.map(({ written }) => written)),
      baseline: quiet,
    },
    { target: targets.underOffers, figure: median(rounds.map(({ offered }) => offered)), baseline: quiet },
    { target: targets.oldest, figure: Math.max(...rounds.map(({ oldestMs }) => oldestMs)) },
    {
      name: 'price changes under load',
      unit: '/s',
      figure: median(rounds.map((each) => each.changesPerSecond)),
    },
  ]
}

/** Without @: its percent-encoding would not match the route of the bare app. */
const itemPath = ({ contract, identifier }: Nft) =>
  endpointUrl(getNft, { params: { username: 'anyone', contract, identifier } })
