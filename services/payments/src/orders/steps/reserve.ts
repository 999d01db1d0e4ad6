import { getBuyer } from '@nifty/api/auth/internal'
import type { Reservation, ReservedLine } from '@nifty/api/catalog/internal'
import { reserveItems } from '@nifty/api/catalog/internal'
import { anyOf } from '@nifty/service-kit/database'
import { conflict, ExpectedError, unauthenticated } from '@nifty/service-kit/errors'
import { abandonLine } from '../line.events.ts'
import { saveReservedLine } from '../line.store.ts'
import { continueNow, done, type StepContext, type StepResult } from '../run-step.ts'
import { sessionRequest } from './session-request.ts'

const itemTaken = () => conflict('item_reserved', 'Somebody else is buying this item right now')

/**
 * Reserves all items in catalog. Stores its response and the exact parameters of the session, before the call that uses them. Releases an order
 * whose buyer was deleted before it was stored: no later event would cancel it.
 */
export async function reserve(context: StepContext): Promise<StepResult> {
  const { trx, order, lines, catalog, config } = context
  const buyer = readBuyer(context)
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
    return refuse({ trx, order, lines }, refusal)
  }

  const { email, isDeleted } = await buyer
  if (isDeleted) return refuse({ trx, order, lines }, unauthenticated())
  const byItem = new Map(reserved.map((line) => [line.itemId, line]))
  if (lines.some(({ itemId, priceCents }) => byItem.get(itemId)?.priceCents !== priceCents))
    throw new Error(`catalog reserved something else for order ${order.id}`)
  if (await isTakenHere({ trx, order, lines })) return refuse({ trx, order, lines }, itemTaken())

  for (const line of lines) await saveReservedLine(trx, line, byItem.get(line.itemId)!)
  const inOrder = lines.map(({ id: lineId, itemId }) => ({ lineId, ...byItem.get(itemId)! }))
  const { publicUrl, processor } = config
  const request = sessionRequest({ order, lines: inOrder, email, publicUrl, sandboxUrl: processor.apiUrl })
  return { ...continueNow, changes: { sessionRequest: JSON.stringify(request), sessionRequestedAt: order.now } }
}

/** `email` is null when auth does not respond: the buyer types the address on the processor's page then. */
const readBuyer = ({ auth, order, log }: StepContext): Promise<{ email: string | null; isDeleted: boolean }> =>
  auth(getBuyer, { params: { id: order.buyerId } }).then(
    ({ email }) => ({ email, isDeleted: false }),
    (error: unknown) => {
      if (error instanceof ExpectedError && error.statusCode === 404) return { email: null, isDeleted: true }
      log.warn(
        { err: error, orderId: order.id },
        'orders: auth returned no e-mail address, opening the session without',
      )
      return { email: null, isDeleted: false }
    },
  )

type Refused = Pick<StepContext, 'trx' | 'order' | 'lines'>

/** An earlier request of the same order may still reach catalog, hence `order-line-abandoned`: catalog refuses it then. */
async function refuse({ trx, order, lines }: Refused, refusal: ExpectedError): Promise<StepResult> {
  for (const line of lines) await abandonLine(trx, line, { note: refusal.code, at: order.now })
  return { ...done, refusal }
}

/** Releases a cancelled order whose reservation in catalog is unknown. */
export async function abandon({ trx, order, lines }: StepContext): Promise<StepResult> {
  for (const line of lines) await abandonLine(trx, line, { note: order.cancelRequestedBy!, at: order.now })
  return done
}

/** Catalog may free an item before payments closes its order. The unique index `line_live` would refuse it as well. */
async function isTakenHere({ trx, order, lines }: Refused) {
  const itemIds = lines.map(({ itemId }) => itemId)
  const other = await trx
    .selectFrom('line')
    .select('id')
    .where('itemId', '=', anyOf(itemIds))
    .where('orderId', '!=', order.id)
    .where('sellerId', 'is not', null)
    .where('state', 'in', ['placed', 'awaiting_payment', 'authorised', 'delivering'])
    .executeTakeFirst()
  return other !== undefined
}
