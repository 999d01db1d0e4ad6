import { setTimeout as sleep } from 'node:timers/promises'
import { voidAuction } from '@nifty/api/catalog/auction-search'
import { getNft, type Nft } from '@nifty/api/catalog/public'
import { endpointUrl } from '@nifty/api/endpoint'
import { accountsOf, logIn } from '@nifty/testkit/api-client'
import { startAuction } from '@nifty/testkit/auctions'
import type { Cluster } from '../cluster/cluster.ts'
import { worksForSale } from '../cluster/works.ts'
import { measureIdle, sendLoad } from '../market/send-load.ts'
import { median } from '../results/statistics.ts'
import type { Figure } from '../results/target.ts'
import type { Run } from '../run/part.ts'
import * as targets from '../run/targets.ts'
import { createRow, dropRow, lockAndUpdate } from './bare-loop.ts'
import { type Catalog, catalogOf, decideBids } from './decisions.ts'
import { createBidding } from './steady-bids.ts'

const DECISION_ROUNDS = { whole: 7, short: 3 }
/** Rounds that do not count: code is compiled, connections are opened. */
const WARM_UP_ROUNDS = 2
const DECISIONS = 100
const AT_ONCE = { bids: 32, bare: [2, 32] }
const BARE_SECONDS = 2
const BIDS_AT_REST = { whole: 30, short: 5 }
const READ_ROUNDS = { whole: 7, short: 2 }
const READ_SECONDS = 4
const OPENING = 10
/** Response headers of a browser. */
const BROTLI = { 'accept-encoding': 'br, gzip' }
const BETWEEN_BIDS_MS = 250

/** Bids in auctions of a cluster: how many are decided a second, how soon one leads, and what readers notice. */
export async function benchAuction({ form, log, cluster }: Run): Promise<Figure[]> {
  const started = await cluster()
  const { run, folder, untilQuiet } = started
  await untilQuiet()
  const account = accountsOf(run, 'creator')[0]!
  const seller = await logIn(run, account)
  const works = (await worksForSale(run)).filter(({ ownerUsername }) => ownerUsername === account.username)
  const catalog = await catalogOf(folder)
  const decided = works.splice(0, 2 * (WARM_UP_ROUNDS + DECISION_ROUNDS[form]))
  const decisions = await measureDecisions(started, { catalog, seller, works: decided })
  log('decisions: measured')
  await untilQuiet()

  const work = works[0]!
  const { _id: id } = await startAuction(seller, work, OPENING)
  try {
    const bidders = [
      await logIn(run, accountsOf(run, 'collector')[0]!),
      await logIn(run, accountsOf(run, 'collector')[1]!),
    ]
    const bidding = createBidding(run, work, bidders as [typeof seller, typeof seller])
    const waits: number[] = []
    while (waits.length < BIDS_AT_REST[form]) {
      waits.push(await bidding.bid())
      await sleep(BETWEEN_BIDS_MS)
    }
    log('bids at rest: measured')
    const reads = await measureReads(started, { form, work, bidding })
    return [
      { target: targets.auction.decisions, ...decisions.alone },
      { target: targets.auction.reads, ...reads },
      {
        name: 'bids decided a second on one work, with four readers on the same cores',
        unit: '/s',
        ...decisions.beside,
      },
      { name: 'from the held card to the new price on the page, median', unit: 'ms', figure: median(waits) },
      { name: 'from the held card to the new price on the page, longest', unit: 'ms', figure: Math.max(...waits) },
    ]
  } finally {
    await catalog.operator(voidAuction, { params: { id }, body: { reason: 'the end of a measurement' } })
    await untilQuiet()
  }
}

/**
 * Decisions a second on one work, beside transactions that lock and update one row of the same server. Catalog decides
 * without the services that read its events, which have cores of their own in a store where that many bids arrive; and
 * with them on the cores of this machine. The ways take turns.
 */
async function measureDecisions(
  { postgres, pids, untilQuiet }: Cluster,
  { catalog, seller, works }: { catalog: Catalog; seller: Awaited<ReturnType<typeof logIn>>; works: Nft[] },
) {
  const bare: number[] = []
  const ways = { alone: [] as number[], beside: [] as number[] }
  const readers = [pids.auth, pids.payments, pids.minting, pids.notification]
  await createRow(postgres.url)
  try {
    for (const [place, work] of works.entries()) {
      await untilQuiet()
      const way = place % 2 === 0 ? 'alone' : 'beside'
      const loop = way === 'alone' ? [await fastestBareLoop(postgres.url)] : []
      const deciding = { catalog, seller, postgresUrl: postgres.url, count: DECISIONS, atOnce: AT_ONCE.bids }
      const perSecond = await decideBids(work, { ...deciding, stopped: way === 'alone' ? readers : [] })
      if (place < 2 * WARM_UP_ROUNDS) continue
      bare.push(...loop)
      ways[way].push(perSecond)
    }
  } finally {
    await dropRow(postgres.url)
  }
  const baseline = median(bare)
  return { alone: { figure: median(ways.alone), baseline }, beside: { figure: median(ways.beside), baseline } }
}

/** More connections than one wait for the row: the faster of both numbers is the baseline. */
async function fastestBareLoop(postgresUrl: string): Promise<number> {
  let fastest = 0
  for (const atOnce of AT_ONCE.bare)
    fastest = Math.max(fastest, await lockAndUpdate(postgresUrl, { seconds: BARE_SECONDS, atOnce }))
  return fastest
}

/** Requests a second for the page of a work on auction, with one bid a second in it and without. */
async function measureReads(
  { gatewayUrl, pids }: Cluster,
  { form, work, bidding }: { form: Run['form']; work: Nft; bidding: ReturnType<typeof createBidding> },
) {
  const serving = await measureIdle([pids.gateway, pids.catalog])
  const path = itemPath(work)
  const load = { url: gatewayUrl, path, headers: BROTLI, expected: 200 as const, seconds: READ_SECONDS }
  const rounds: { rest: number; bidden: number }[] = []
  for (let round = 0; round < READ_ROUNDS[form]; round++) {
    const rest = await sendLoad(load, serving)
    const steady = bidding.bidSteadily()
    const bidden = await sendLoad(load, serving).catch(async (error) => {
      await steady.stop().catch(() => {})
      throw error
    })
    await steady.stop()
    rounds.push({ rest: rest.perSecond, bidden: bidden.perSecond })
  }
  return { figure: median(rounds.map(({ bidden }) => bidden)), baseline: median(rounds.map(({ rest }) => rest)) }
}

const itemPath = ({ contract, identifier }: Nft) =>
  endpointUrl(getNft, { params: { username: 'anyone', contract, identifier } })
