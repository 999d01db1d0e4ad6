import { beginBid as beginBidEndpoint } from '@nifty/api/catalog/bids'
import type { ReservedLine } from '@nifty/api/catalog/internal'
import { ExpectedError } from '@nifty/service-kit/base/errors'
import { saveReservedLines } from '../line.store.ts'
import { bidKindOf } from '../order.ts'
import type { StepContext, StepResult } from '../run-step.ts'
import { checkBuyer, readBuyer, releaseRefused, storeRequest } from './reserve.ts'

/** Catalog returns them with 503, so that clients may try again later; the order ends nevertheless. */
const turnedOff: readonly string[] = ['offers_off', 'auctions_off']

/**
 * Has catalog begin an offer or a bid, which reserves nothing. Stores its description of the work, and the exact
 * parameters of the session before the call that uses them. The account is read as for a purchase.
 */
export async function beginBid(context: StepContext): Promise<StepResult> {
  const { trx, order, lines, catalog } = context
  const line = lines[0]!
  const reading = order.wallet === null ? checkBuyer(context) : readBuyer(context)
  if (order.wallet === null) {
    const { refusal } = await reading
    if (refusal) return releaseRefused({ trx, order, lines }, refusal)
  }
  let described: ReservedLine
  try {
    const body = {
      orderId: order.id,
      kind: bidKindOf(order),
      itemId: line.itemId,
      buyerId: order.buyerId,
      buyerWallet: order.wallet?.toLowerCase() ?? null,
      limitCents: line.priceCents,
      days: order.days,
      ...(order.sure ? { sure: true } : {}),
    }
    described = (await catalog(beginBidEndpoint, { body })).line
  } catch (refusal) {
    if (!(refusal instanceof ExpectedError)) throw refusal
    if (refusal.statusCode >= 500 && !turnedOff.includes(refusal.code)) throw refusal
    return releaseRefused({ trx, order, lines }, refusal)
  }

  const buyer = await reading
  if (buyer.refusal) return releaseRefused({ trx, order, lines }, buyer.refusal)
  if (described.itemId !== line.itemId || described.priceCents !== line.priceCents)
    throw new Error(`catalog began something else for order ${order.id}`)
  const inOrder = [{ lineId: line.id, ...described }]
  await saveReservedLines(trx, order.id, inOrder)
  return storeRequest(context, { lines: inOrder, buyer })
}
