import type { Line, Order } from '../../db.ts'
import { isAwaitingCapture, isInDelivery, isUndecided, isUnpaid, type LineState } from '../line.ts'
import { endsBids, linesToStop } from '../order.ts'
import { dueStep, type SaleStep, type SaleView } from '../run-step.ts'
import { beginBid } from './begin-bid.ts'
import { cancelHold } from './cancel-hold.ts'
import { capture, prepareCapture } from './capture.ts'
import { expireSession } from './expire-session.ts'
import { openSession } from './open-session.ts'
import { placeBid } from './place-bid.ts'
import { pollSession } from './poll-session.ts'
import { rebuild } from './rebuild.ts'
import { recheckSession } from './recheck-session.ts'
import { releaseBid } from './release-bid.ts'
import { abandon, reserve } from './reserve.ts'
import { stopDelivery } from './stop-delivery.ts'
import { watchDelivery } from './watch-delivery.ts'
import { writeOff } from './write-off.ts'

const has = ({ lines }: SaleView, test: (line: Line) => boolean) => lines.some(test)
const isRebuilt = ({ order }: SaleView) => order.rebuiltAt !== null
const hasPlaced = (sale: SaleView) => !isRebuilt(sale) && has(sale, ({ state }) => state === 'placed')
const hasUnreserved = (sale: SaleView) => hasPlaced(sale) && has(sale, ({ sellerId }) => sellerId === null)
const hasUnpaid = (sale: SaleView) => !isRebuilt(sale) && has(sale, isUnpaid)
const isPurchase = ({ order }: SaleView) => order.orderKind === 'purchase'
const hasUndecided = (sale: SaleView) => has(sale, isUndecided)
const isCancelled = ({ order }: SaleView) => order.cancelRequestedBy !== null
const isHeld = ({ order }: SaleView) => order.money === 'held'
const isDelivered = (sale: SaleView) => has(sale, isAwaitingCapture)

/** What a step does that may find the page paid. */
const movesOfPayment: SaleStep['moves'] = {
  awaiting_payment: ['held', 'authorised', 'released'],
  held: ['authorised', 'released'],
  authorised: ['delivering', 'released'],
  delivering: ['delivered'],
}

const stepsAfterPayment: SaleStep['next'] = [
  'place_bid',
  'release_bid',
  'watch_delivery',
  'stop_delivery',
  'prepare_capture',
  'write_off',
  'cancel_hold',
  'recheck_session',
]

/**
 * A sale from top to bottom: the steps of an order. The runner takes the first one that is due by the stored state
 * alone, and after the last one nothing is left to do. Each step is one file in `steps/`. It calls other systems with
 * parameters that are committed before; a step that fails is rolled back and repeated with all its calls. What a step
 * cannot undo, it compensates. `sale.test.ts` and every test that runs steps hold `moves` and `next` to what the steps
 * do.
 */
export const sale: readonly SaleStep[] = [
  {
    step: 'reserve',
    due: (sale) => isPurchase(sale) && hasUnreserved(sale) && !isCancelled(sale),
    does: 'Catalog reserves all items. The parameters of the payment page are stored.',
    run: reserve,
    moves: { placed: ['released'] },
    next: ['open_session'],
    compensation: 'Refused by catalog or auth: lines released, and an event frees what catalog may have reserved.',
  },
  {
    step: 'begin_bid',
    due: (sale) => !isPurchase(sale) && hasUnreserved(sale) && !isCancelled(sale),
    does: 'Catalog begins an offer or a bid, and reserves nothing. The parameters of the payment page are stored.',
    run: beginBid,
    moves: { placed: ['released'] },
    next: ['open_session'],
    compensation: 'Refused by catalog or auth: the line is released, and an event ends what catalog may have begun.',
  },
  {
    step: 'abandon',
    due: hasUnreserved,
    does: 'Cancelled before the outcome of the reservation, or of the begin of an offer or a bid, was stored.',
    run: abandon,
    moves: { placed: ['released'] },
    next: [],
    compensation: 'Lines released, and an event frees what catalog may have reserved, or ends what it may have begun.',
  },
  {
    step: 'open_session',
    due: hasPlaced,
    does: 'The processor creates the payment page; the buyer gets its URL.',
    run: openSession,
    moves: { placed: ['awaiting_payment', 'released'] },
    next: ['poll_session', 'expire_session'],
    compensation: 'No page exists: lines released, catalog frees the items or ends the offer or bid.',
  },
  {
    step: 'poll_session',
    due: (sale) => hasUnpaid(sale) && !isCancelled(sale),
    does: 'Reads whether the page was paid. Paid: the money is held, and minting gets the order to deliver; not of an offer or a bid.',
    run: pollSession,
    moves: movesOfPayment,
    next: stepsAfterPayment,
    compensation: 'Expired, or another amount was held: lines released, the hold is cancelled.',
  },
  {
    step: 'expire_session',
    due: hasUnpaid,
    does: 'Cancelled before the payment: the processor closes the page, unless the payment was faster.',
    run: expireSession,
    moves: movesOfPayment,
    next: stepsAfterPayment,
    compensation:
      'Lines released. Paid meanwhile: as in poll_session; released with the hold cancelled if the buyer cancelled.',
  },
  {
    step: 'rebuild',
    due: (sale) => isRebuilt(sale) && has(sale, isUnpaid),
    does: 'An order that a restored database lost: its state is that of the processor and the chain.',
    run: rebuild,
    moves: { placed: ['awaiting_payment', 'released'], ...movesOfPayment },
    next: stepsAfterPayment,
    compensation:
      'Unpaid: the page is closed, lines released. Paid and not delivered: lines released, the hold is cancelled.',
  },
  {
    step: 'release_bid',
    due: (sale) => hasUndecided(sale) && endsBids(sale.order.cancelRequestedBy),
    does: 'The end of a held offer or bid was requested. If by its buyer, catalog decides whether it can still end.',
    run: releaseBid,
    moves: {
      held: ['authorised', 'released'],
      authorised: ['delivering'],
      delivering: ['delivered'],
    },
    next: [
      'place_bid',
      'watch_delivery',
      'stop_delivery',
      'prepare_capture',
      'write_off',
      'cancel_hold',
      'recheck_session',
    ],
    compensation: 'Accepted or won before: place_bid delivers it. Delivered before a restore: it is charged.',
  },
  {
    step: 'place_bid',
    due: hasUndecided,
    does: 'An offer or a bid stands in catalog while its card is held. Accepted or won: minting gets the order to deliver.',
    run: placeBid,
    moves: {
      held: ['authorised', 'released'],
      authorised: ['delivering'],
      delivering: ['delivered'],
    },
    next: ['watch_delivery', 'stop_delivery', 'prepare_capture', 'write_off', 'cancel_hold', 'recheck_session'],
    compensation: 'Ended, undecided, or the hold is gone: the line is released, the hold is cancelled.',
  },
  {
    step: 'stop_delivery',
    due: ({ order, lines, now }) => linesToStop(order, lines, now).length > 0,
    does: 'Past the deadline, cancelled, contested, or the hold lapsed: minting stops what it still can.',
    run: stopDelivery,
    moves: { authorised: ['delivering', 'released'], delivering: ['delivered', 'released'] },
    next: ['watch_delivery', 'prepare_capture', 'write_off', 'cancel_hold', 'recheck_session'],
    compensation:
      'Lines of which nothing was signed are released; the nonces of the others are cancelled, and the chain decides.',
  },
  {
    step: 'watch_delivery',
    due: (sale) => has(sale, isInDelivery),
    does: 'Waits for the events of minting; checks that the hold still exists.',
    run: watchDelivery,
    moves: {},
    next: ['stop_delivery'],
    compensation: 'The hold lapsed: stop_delivery.',
  },
  {
    step: 'prepare_capture',
    due: (sale) => isHeld(sale) && isDelivered(sale) && !sale.order.captureRequestedAt,
    does: 'Stores the amount to capture: the sum of the delivered lines.',
    run: prepareCapture,
    moves: {},
    next: ['capture'],
    compensation: 'None: nothing was called.',
  },
  {
    step: 'capture',
    due: (sale) => isHeld(sale) && isDelivered(sale),
    does: 'The processor captures the amount. The books are written, seller and buyer get their mails.',
    run: capture,
    moves: { delivered: ['completed', 'capture_due'], capture_due: ['completed'], completed: ['refunded', 'disputed'] },
    next: ['write_off'],
    compensation: 'Refused: capture_due, repeated until the hold lapses.',
  },
  {
    step: 'cancel_hold',
    due: isHeld,
    does: 'Nothing was delivered: the processor cancels the hold.',
    run: cancelHold,
    moves: {},
    next: ['recheck_session'],
    compensation: 'Captured by hand meanwhile: alarm.',
  },
  {
    step: 'write_off',
    due: (sale) => sale.order.money === 'lapsed' && isDelivered(sale),
    does: 'Delivered and never captured: the buyer keeps the token, the platform bears the price.',
    run: writeOff,
    moves: { delivered: ['written_off'], capture_due: ['written_off'] },
    next: [],
    compensation: 'Seller and creator have their shares; alarm.',
  },
  {
    step: 'recheck_session',
    due: ({ order, lines }) =>
      (order.sessionId !== null || order.intentId !== null) && lines.every(({ state }) => state === 'released'),
    does: 'Released: reads once more that it was not paid.',
    run: recheckSession,
    moves: {},
    next: ['cancel_hold'],
    compensation: 'Paid after all: alarm, and cancel_hold.',
  },
]

/** Moves that no step makes, by what reports them. */
export const reported: Record<string, Partial<Record<LineState, readonly LineState[]>>> = {
  'minting: delivery-started': { authorised: ['delivering'] },
  'minting: delivery-final': { authorised: ['delivering'], delivering: ['delivered'] },
  'minting: delivery-failed': { authorised: ['released'], delivering: ['released'] },
  'processor: a refund, a dispute, or its end': {
    completed: ['refunded', 'disputed'],
    refunded: ['completed'],
    disputed: ['completed'],
  },
}

/** The step of an order that is due, by its stored state alone. */
export const nextStep = (order: Order, lines: Line[], now: Date): SaleStep | undefined =>
  dueStep(sale, { order, lines, now })
