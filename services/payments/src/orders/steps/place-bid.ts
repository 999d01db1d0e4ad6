import { keepBidder } from '@nifty/api/auth/internal'
import { type BidState, placeBid as placeBidEndpoint } from '@nifty/api/catalog/bids'
import { ExpectedError } from '@nifty/service-kit/base/errors'
import { raiseAlarm } from '../../alarms/alarm.store.ts'
import type { Order } from '../../db.ts'
import type { Hold } from '../../processor/processor.ts'
import { publishBidHeld, releaseLines } from '../line.events.ts'
import { reservedLine } from '../line.store.ts'
import { changeOrder } from '../order.store.ts'
import { continueNow, retryIn, type StepContext, type StepResult } from '../run-step.ts'
import { adoptPayment } from './adopt-payment.ts'
import { startDelivery } from './authorise.ts'
import { readHold } from './missing-payment.ts'
import { awaitAcceptance } from './poll-session.ts'
import { POLL_FACTOR } from './watch-delivery.ts'

/**
 * How long after its end an offer or a bid may be undecided: where catalog has it as open, and where catalog does not
 * respond.
 */
const OPEN_MS = 5 * 60_000
const NO_RESPONSE_MS = 3_600_000
/** What a hold has to leave for the delivery and the capture: nothing is decided later. */
const DELIVERY_MS = 25 * 3_600_000

/** The reasons of ends that catalog did not decide. */
const [NOT_FOUND, UNDECIDED, BLOCKED] = ['bid_not_found', 'undecided', 'account'] as const
/** Catalog's reason for a bid that would have counted, had payments reported its hold in time. */
const LATE_BY_US = 'late_by_us'

/**
 * Lets an offer or a bid whose card is held stand in catalog, and reads whether it is decided. The first time that it
 * is not, its buyer is mailed that the card is held. Idempotent: events of catalog only wake the order. Accepted or
 * won: the delivery begins, at the price that catalog returns. Ended, or without its hold: released. Catalog has no
 * time for a bid, which its auction decides: it has to leave the delivery enough of the hold.
 */
export async function placeBid(context: StepContext): Promise<StepResult> {
  const { order } = context
  const hold = await readHold(context)
  if (hold.status === 'canceled') return endWithoutHold(context, hold)
  if (hold.status === 'succeeded')
    return hold.captureKey === null ? awaitAcceptance(context, hold) : stopBid(context, hold)

  const bid = await orEnded(context, reportHold(context, hold))
  const { auctionId } = bid
  if (auctionId !== undefined && auctionId !== order.auctionId) await changeOrder(context.trx, order.id, { auctionId })
  if (bid.state === 'won') return startDelivery(context, { hold, priceCents: bid.priceCents! })
  if (bid.state === 'ended') return endBid(context, hold, bid.why ?? 'ended')
  const decideBy = bid.decideBy === null ? latestDecision(hold.captureBeforeMs) : new Date(bid.decideBy)
  if (isPast(decideBy, order.now, OPEN_MS)) {
    await alarmUndecided(context, 'catalog has it as open')
    return endBid(context, hold, UNDECIDED)
  }
  const isFirstTime = order.decideBy === null && decideBy !== null
  if (isFirstTime) await publishBidHeld(context, { endsAt: bid.decideBy ?? bid.endsAt ?? null })
  return { ...askAgain(context, decideBy), changes: { decideBy } }
}

/**
 * Before a bid stands, auth keeps its bidder's account from deletion: an event of catalog would be too late. Of an
 * account that is blocked or deleted it ends, and catalog does not let it stand.
 */
async function reportHold({ auth, catalog, order, lines }: StepContext, hold: Hold): Promise<BidState> {
  const params = { orderId: order.id }
  if (order.orderKind === 'bid' && order.auctionId === null) {
    const { buyerId, sellerId, name } = reservedLine(lines[0]!)
    const until = new Date(hold.captureBeforeMs ?? order.now).toISOString()
    const { allowed } = await auth(keepBidder, { params, body: { buyerId, sellerId, name, until } })
    if (!allowed) return { state: 'ended', priceCents: null, why: BLOCKED, decideBy: null }
  }
  const body = { captureBefore: isoOf(hold.captureBeforeMs), heldAt: isoOf(hold.paidAtMs) }
  return catalog(placeBidEndpoint, { params, body })
}

/**
 * The state of an offer or a bid. One that catalog does not have has ended, with an alarm: catalog was restored. So has
 * one of which catalog, or auth before it, does not respond long after its end.
 */
export const orEnded = (context: StepContext, response: Promise<BidState>): Promise<BidState> =>
  response.catch(async (error: unknown) => {
    const { trx, order, log } = context
    const ended = { state: 'ended', priceCents: null, decideBy: null } as const
    if (error instanceof ExpectedError && error.code === NOT_FOUND) {
      const detail = `catalog does not have this ${order.orderKind}, whose card is held: the hold is given back unless the work was delivered`
      await raiseAlarm(trx, log, { name: NOT_FOUND, subject: order.id, orderId: order.id, detail })
      return { ...ended, why: NOT_FOUND }
    }
    if (!isPast(decideByOf(order), order.now, NO_RESPONSE_MS)) throw error
    await alarmUndecided(context, 'catalog or auth does not respond')
    return { ...ended, why: UNDECIDED }
  })

/**
 * Ends an offer or a bid for the reason that catalog has. Where the work is gone, or this database or catalog was
 * restored, it may have been decided and delivered in the time that was lost: minting has whether it was.
 */
export async function endBid(context: StepContext, hold: Hold, why: string): Promise<StepResult> {
  if (why === LATE_BY_US) await alarmLate(context, hold)
  const isOfLostTime = context.order.rebuiltAt !== null || hold.captureKey !== null
  if (isOfLostTime || goneBecause.includes(why)) return stopBid(context, hold, why)
  await releaseLines(context, { reason: 'lost', note: why, moneyWasHeld: true })
  return continueNow
}

const goneBecause: readonly string[] = [NOT_FOUND, 'moved', 'sold', 'void']

/** Signed or delivered, it goes on as a payment of the lost time. Else minting never delivers it: it is released. */
export const stopBid = (context: StepContext, hold: Hold, lostBecause?: string): Promise<StepResult> =>
  adoptPayment(context, { id: context.order.sessionId ?? hold.id, hold }, { lostBecause })

const isoOf = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

const latestDecision = (captureBeforeMs: number | null) =>
  captureBeforeMs === null ? null : new Date(captureBeforeMs - DELIVERY_MS)

const decideByOf = ({ decideBy, captureBefore }: Order): Date | null =>
  decideBy ?? latestDecision(captureBefore?.getTime() ?? null)

const isPast = (end: Date | null, now: Date, afterMs: number) => end !== null && now.getTime() > end.getTime() + afterMs

/** At its end, and meanwhile as often as a delivery is checked: events are faster. */
function askAgain({ order, config }: StepContext, decideBy: Date | null): StepResult {
  const everyMs = config.pollMs * POLL_FACTOR
  if (decideBy === null) return retryIn(everyMs)
  const untilEndMs = decideBy.getTime() - order.now.getTime()
  return retryIn(untilEndMs > 0 ? Math.min(everyMs, untilEndMs) : config.pollMs)
}

/**
 * Its bank ended the hold, or somebody at the processor. One that catalog has as open was not delivered: it ends at
 * once, so that its auction is open again, also while the chain does not respond. Minting has whether others were.
 */
async function endWithoutHold(context: StepContext, hold: Hold): Promise<StepResult> {
  const { trx, order } = context
  if (!(await isOpen(context, hold))) return stopBid(context, hold)
  await changeOrder(trx, order.id, { money: hold.cancelledBecause === 'automatic' ? 'lapsed' : 'released' })
  await releaseLines(context, { reason: 'lost', note: 'hold_lost', moneyWasHeld: true })
  return continueNow
}

/** Whether catalog has an offer or a bid as open that it had before; false where catalog does not respond. */
async function isOpen({ catalog, order }: StepContext, { paidAtMs }: Hold): Promise<boolean> {
  if (order.decideBy === null) return false
  // A restored catalog, in which it has only begun, ends it: its hold lasts no longer.
  const body = { captureBefore: order.now.toISOString(), heldAt: isoOf(paidAtMs) }
  const reading = catalog(placeBidEndpoint, { params: { orderId: order.id }, body })
  return reading.then(({ state }) => state === 'open').catch(() => false)
}

async function alarmUndecided({ trx, order, log }: StepContext, because: string) {
  const detail = `not decided by ${decideByOf(order)?.toISOString()}, ${because}: the hold is given back`
  await raiseAlarm(trx, log, { name: 'bid_undecided', subject: order.id, orderId: order.id, detail })
}

async function alarmLate({ trx, order, log }: StepContext, { paidAtMs }: Hold) {
  const detail = `its bank held the card by ${isoOf(paidAtMs)}, in time for the auction, but payments reported it too late: the hold is given back`
  await raiseAlarm(trx, log, { name: 'bid_late_by_us', subject: order.id, orderId: order.id, detail })
}
