import { getBuyer } from '@nifty/api/auth/internal'
import type { Reservation, ReservedLine } from '@nifty/api/catalog/internal'
import { reserveItems } from '@nifty/api/catalog/internal'
import { conflict, ExpectedError, unauthenticated } from '@nifty/service-kit/base/errors'
import { customerOfPage } from '../../card-customers/card-customer.actions.ts'
import { abandonLine } from '../line.events.ts'
import { countBoughtWorks, countReservedUntil, saveReservedLines } from '../line.store.ts'
import { accountSuspended, tooManyReservedUnconfirmed } from '../order.errors.ts'
import { continueNow, done, type StepContext, type StepResult } from '../run-step.ts'
import type { SessionOrder } from '../session-metadata.ts'
import { sessionRequest } from './session-request.ts'

const itemTaken = () => conflict('item_reserved', 'Somebody else is buying this item right now')

/**
 * Reserves all items in catalog. Stores its response and the exact parameters of the session, before the call that uses
 * them. Releases an order whose buyer was deleted before it was stored: no later event would cancel it. Of an order
 * into custody the account is read here only, before anything is reserved.
 */
export async function reserve(context: StepContext): Promise<StepResult> {
  const { trx, order, lines, catalog, config } = context
  const reading = order.wallet === null ? checkBuyer(context) : readBuyer(context)
  if (order.wallet === null) {
    const { refusal, emailConfirmed } = await reading
    if (refusal) return releaseRefused({ trx, order, lines }, refusal)
    if (!emailConfirmed && (await countReservedUntil(trx, order)) > config.limits.reservedUnconfirmed)
      return releaseRefused({ trx, order, lines }, tooManyReservedUnconfirmed())
  }
  let reserved: ReservedLine[]
  try {
    const body: Reservation = {
      orderId: order.id,
      buyerId: order.buyerId,
      buyerWallet: order.wallet?.toLowerCase() ?? null,
      until: order.expiresAt.toISOString(),
      items: lines.map(({ itemId, priceCents }) => ({ itemId, priceCents })),
    }
    reserved = (await catalog(reserveItems, { body: body })).lines
  } catch (refusal) {
    // Only a 4xx ends the order; after a 5xx or a timeout the same request is sent again.
    if (!(refusal instanceof ExpectedError) || refusal.statusCode >= 500) throw refusal
    return releaseRefused({ trx, order, lines }, refusal)
  }

  const buyer = await reading
  if (buyer.refusal) return releaseRefused({ trx, order, lines }, buyer.refusal)
  const byItem = new Map(reserved.map((line) => [line.itemId, line]))
  if (lines.some(({ itemId, priceCents }) => byItem.get(itemId)?.priceCents !== priceCents))
    throw new Error(`catalog reserved something else for order ${order.id}`)
  const inOrder = lines.map(({ id: lineId, itemId }) => ({ lineId, ...byItem.get(itemId)! }))
  if (!(await saveReservedLines(trx, order.id, inOrder))) return releaseRefused({ trx, order, lines }, itemTaken())
  return storeRequest(context, { lines: inOrder, buyer })
}

/** Stores the exact parameters of the session, with the buyer's Customer at the processor. */
export async function storeRequest(
  context: StepContext,
  { lines, buyer: { email, createdAt } }: { lines: SessionOrder['lines']; buyer: Buyer },
): Promise<StepResult> {
  const { trx, order, config, storeId } = context
  const { publicUrl, processor, threeDSecureFromCents } = config
  const request = sessionRequest({
    order,
    lines,
    email,
    customerId: await customerOfPage(context, { userId: order.buyerId, email }),
    buyer: {
      accountDays: createdAt === null ? null : Math.floor((order.now.getTime() - createdAt.getTime()) / DAY_MS),
      works: await countBoughtWorks(trx, order.buyerId),
    },
    threeDSecureFromCents,
    storeId,
    publicUrl,
    sandboxUrl: processor.apiUrl,
  })
  return { ...continueNow, changes: { sessionRequest: JSON.stringify(request), sessionRequestedAt: order.now } }
}

const DAY_MS = 86_400_000

/** `createdAt` is null when auth does not respond, or is of an older release. */
export type Buyer = { email: string | null; emailConfirmed: boolean; createdAt: Date | null; refusal?: ExpectedError }

const unread = { email: null, emailConfirmed: false, createdAt: null }

/** The buyer's address, and why the order is refused, if it is. Throws when auth does not respond. */
export const checkBuyer = ({ auth, order }: StepContext): Promise<Buyer> =>
  auth(getBuyer, { params: { id: order.buyerId } }).then(
    ({ email, emailConfirmed, createdAt, suspended }) => ({
      email,
      emailConfirmed,
      createdAt: createdAt === undefined ? null : new Date(createdAt),
      refusal: suspended && order.wallet === null ? accountSuspended() : undefined,
    }),
    (error: unknown) => {
      if (error instanceof ExpectedError && error.statusCode === 404) return { ...unread, refusal: unauthenticated() }
      throw error
    },
  )

/** `email` is null when auth does not respond: the buyer types the address on the processor's page then. */
export const readBuyer = (context: StepContext): Promise<Buyer> =>
  checkBuyer(context).catch((error: unknown) => {
    context.log.warn(
      { err: error, orderId: context.order.id },
      'orders: auth returned no e-mail address, opening the session without',
    )
    return unread
  })

type Refused = Pick<StepContext, 'trx' | 'order' | 'lines'>

/**
 * An earlier request of the same order may still reach catalog, hence `order-line-abandoned` or `bid-released`: catalog
 * refuses it then.
 */
export async function releaseRefused({ trx, order, lines }: Refused, refusal: ExpectedError): Promise<StepResult> {
  for (const line of lines) await abandonLine({ trx, order }, line, refusal.code)
  return { ...done, refusal }
}

/** Releases a cancelled order whose reservation, offer or bid in catalog is unknown. */
export async function abandon({ trx, order, lines }: StepContext): Promise<StepResult> {
  for (const line of lines) await abandonLine({ trx, order }, line, order.cancelRequestedBy!)
  return done
}
