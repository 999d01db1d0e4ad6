import { setTimeout as sleep } from 'node:timers/promises'
import { type DatedEntry, datedLedger, heldFor } from '@nifty/testkit/dated-ledger'
import type { Campaign } from '../campaign/campaign.ts'
import { query } from '../campaign/databases.ts'
import { createRandom } from '../campaign/random.ts'
import { closeShop, openShop } from '../campaign/shop.ts'
import { type Bid, bid, bidAtOnce, biddersOf, chooseMove, openAuction, type Running, stepAbove } from './bidding.ts'
import { endAndCompare } from './outcome.ts'

const AUCTIONS = 10
const BIDDERS = 12
const BIDS = 240
const EVERY_MS = 1_000
const OPENING = 10
const INSTANTS = 100
const GIVEN_BACK_WITHIN_MS = 2_000

/**
 * Ten auctions run at the same time on a whole store, with one bid a second in all, whether earlier ones are decided or
 * not. Expected: the hold of each bid that is outbid or raised is gone from the processor's ledger within two seconds,
 * each work has one leader, who is charged the price; chain, market and mails agree. Of two cards that are held at one
 * instant, a hundred times, the higher bid leads.
 */
export const auctions: Campaign = async (log) => {
  const shop = await openShop({ log, works: AUCTIONS + 2 })
  const store = { run: shop.run, folder: shop.store.folder, chain: shop.chain }
  const random = createRandom('auctions')
  const bidders = await biddersOf(shop.run, BIDDERS)
  const running: Running[] = []
  for (const work of shop.works.slice(0, AUCTIONS)) running.push(await openAuction(shop.run, work, OPENING))
  log(`${running.length} auctions run, ${bidders.length} bidders`)

  const violations: string[] = []
  const leaders = watchLeaders(store.folder)
  const last = new Map<Running, Promise<void>>()
  const began = performance.now()
  for (let count = 0; count < BIDS; count++) {
    const auction = running[count % running.length]!
    const former = last.get(auction) ?? Promise.resolve()
    last.set(
      auction,
      former
        .then(() => bidOnce(auction))
        .catch((error: Error) => void violations.push(`bid ${count}: ${error.message}`)),
    )
    if (count % 60 === 59) log(`${count + 1} bids began`)
    await sleep(Math.max(0, began + (count + 1) * EVERY_MS - performance.now()))
  }
  await Promise.all(last.values())
  const seconds = (performance.now() - began) / 1_000
  const steady = running.flatMap(({ bids }) => bids).length
  log(`${steady} bids were decided in ${Math.round(seconds)} s`)
  const outcomes = new Map<string, number>()
  for (let count = 0; count < INSTANTS; count++) await bidTwice(running[count % running.length]!)
  violations.push(...(await leaders.stop()))

  async function bidTwice(auction: Running) {
    const { minimum } = (await bidders[0]!.client.item(auction.work)).auction!
    const others = bidders.filter((each) => each !== auction.leader?.bidder)
    const one = random.pick(others)
    const other = random.pick(others.filter((each) => each !== one))
    const limit = Math.max(Math.ceil(minimum), (auction.leader?.limit ?? 0) + random.between(1, 5))
    const low = { bidder: one, move: 'lower', limit } as const
    // Less than a step above the lower one, it would be too low whenever that is decided first.
    const high = { bidder: other, move: 'lead', limit: limit + stepAbove(limit) + random.between(0, 10) } as const
    violations.push(...(await bidAtOnce(store, auction, [low, high])))
    const { outcome } = auction.bids.at(-2)!
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }

  async function bidOnce(auction: Running) {
    const seen = (await bidders[0]!.client.item(auction.work)).auction!
    const { move, limit } = chooseMove(random, auction, seen)
    const others = bidders.filter((each) => each !== auction.leader?.bidder)
    const bidder = move === 'raise' ? auction.leader!.bidder : random.pick(others)
    violations.push(...(await bid(store, auction, { bidder, move, limit })))
  }

  const all = running.flatMap(({ bids }) => bids)
  log(`${INSTANTS} times two cards were held at one instant, the auctions end`)
  for (const auction of running) {
    const found = await endAndCompare(store, auction)
    violations.push(...found)
    log(`the auction of ${auction.work.name} is over${found.map((violation) => `\n  VIOLATION ${violation}`).join('')}`)
  }
  const entries = await datedLedger(store.folder)
  const lost = running.flatMap((auction) => lostOf(auction, entries))
  const slow = lost.filter(({ afterDecisionMs }) => !(afterDecisionMs <= GIVEN_BACK_WITHIN_MS))
  violations.push(
    ...slow.map(({ orderId, afterDecisionMs }) => `the hold of ${orderId} was gone after ${afterDecisionMs} ms`),
  )
  const held = all.filter(({ orderId }) => heldFor(entries, orderId) !== 0).length
  if (held > 0) violations.push(`${held} holds are left`)
  await closeShop(shop, { violations, log })

  const count = (move: Bid['move']) => all.filter((each) => each.move === move).length
  const afterDecision = lost.map(({ afterDecisionMs }) => afterDecisionMs).sort((one, other) => one - other)
  const afterHold = lost.map(({ afterHoldMs }) => afterHoldMs).sort((one, other) => one - other)
  return {
    metrics: {
      auctions: running.length,
      bids: all.length,
      'of these that took the lead, raised the own, were lower': `${count('lead')}, ${count('raise')}, ${count('lower')}`,
      'bids a second': (steady / seconds).toFixed(2),
      'times two cards were held at one instant': INSTANTS,
      'of these the lower bid was outbid, too low by then': `${outcomes.get('outbid') ?? 0}, ${outcomes.get('too_low') ?? 0}`,
      'holds given back': lost.length,
      'from outbid to gone from the ledger, median, ms': middleOf(afterDecision),
      'from outbid to gone from the ledger, longest, ms': afterDecision.at(-1)!,
      "from the other card's hold to gone, median, ms": middleOf(afterHold),
      "from the other card's hold to gone, longest, ms": afterHold.at(-1)!,
      'captured, cents': entries.filter(({ kind }) => kind === 'captured').reduce((sum, { amount }) => sum + amount, 0),
      'leaders compared': leaders.compared(),
    },
    violations,
  }
}

const middleOf = (sorted: number[]) => sorted[Math.floor(sorted.length / 2)]!

/**
 * When the holds of bids that do not lead were gone, ms after catalog's decision and after the hold that decided it:
 * that of the bid which took the lead, or the own one of a lower bid.
 */
function lostOf({ bids, leader }: Running, entries: DatedEntry[]) {
  const at = ({ orderId }: Bid, kind: string) =>
    entries.find((entry) => entry.reference === orderId && entry.kind === kind)?.at ?? Number.NaN
  return bids.flatMap((each, place) => {
    if (each === leader) return []
    const deciding = each.move === 'lower' ? each : bids.slice(place + 1).find(({ move }) => move !== 'lower')!
    const gone = at(each, 'released')
    const heldAt = at(deciding, 'held')
    // A raise takes the place of the former bid in the history, with its time.
    const decidedAt = deciding.move === 'raise' ? heldAt : (deciding.stoodAt ?? heldAt)
    return [{ orderId: each.orderId, afterDecisionMs: gone - decidedAt, afterHoldMs: gone - heldAt }]
  })
}

const LEADERS = `
  select auction.id, auction.leader_order, array_agg(bid.order_id) as leading
    from auction left join bid on bid.auction_id = auction.id and bid.state in ('leading', 'won')
   group by auction.id, auction.leader_order`

/** Reads again and again which bids lead: one of each auction that has a bid, the one that the auction names. */
function watchLeaders(folder: string) {
  const wrong = new Set<string>()
  let compared = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      for (const { id, leader_order, leading } of await query<{
        id: string
        leader_order: string | null
        leading: (string | null)[]
      }>(folder, 'catalog', LEADERS)) {
        compared++
        if (leading.length !== 1 || leading[0] !== leader_order) wrong.add(`${id} has the leaders ${leading.join()}`)
      }
      await sleep(500)
    }
  })()
  return {
    compared: () => compared,
    stop: async () => {
      isOver = true
      await watching
      return [...wrong]
    },
  }
}
