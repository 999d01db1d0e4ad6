import type { Reservation, ReservedLine } from '@nifty/api/internal'
import { conflict, ExpectedError } from '@nifty/service-kit/errors'
import { abandonLine } from '../line.events.ts'
import { describeLine } from '../line.store.ts'
import { storeSessionRequest } from '../order.store.ts'
import { goOn, nothingLeft, type StepResult, type Work } from '../run-step.ts'
import { sessionRequest } from './session-request.ts'

const itemTaken = () => conflict('item_reserved', 'Somebody else is buying this item right now')

/** Asks catalog for all items. What it reserves and what the processor will be asked are stored in one commit. */
export async function reserve({ trx, order, lines, catalog, config }: Work): Promise<StepResult> {
  let reserved: ReservedLine[]
  try {
    const asked: Reservation = {
      orderId: order.id,
      buyerId: order.buyerId,
      buyerWallet: order.wallet.toLowerCase(),
      until: order.expiresAt.toISOString(),
      items: lines.map(({ itemId, priceCents }) => ({ itemId, priceCents })),
    }
    reserved = (await catalog<{ lines: ReservedLine[] }>('POST', '/internal/reservations', asked)).lines
  } catch (refusal) {
    // Only a clear answer ends the order; one that did not come is asked for again.
    if (!(refusal instanceof ExpectedError) || refusal.statusCode >= 500) throw refusal
    return refuse({ trx, order, lines }, refusal)
  }

  const byItem = new Map(reserved.map((line) => [line.itemId, line]))
  if (lines.some(({ itemId, priceCents }) => byItem.get(itemId)?.priceCents !== priceCents))
    throw new Error(`catalog reserved something else for order ${order.id}`)
  if (await isTakenHere({ trx, order, lines })) return refuse({ trx, order, lines }, itemTaken())

  for (const line of lines) await describeLine(trx, line, byItem.get(line.itemId)!)
  const inOrder = lines.map(({ itemId }) => byItem.get(itemId)!)
  const { id: orderId, expiresAt } = order
  await storeSessionRequest(
    trx,
    orderId,
    sessionRequest({ orderId, lines: inOrder, expiresAt, publicUrl: config.publicUrl }),
  )
  return goOn
}

type Refused = Pick<Work, 'trx' | 'order' | 'lines'>

/** An earlier ask may still be under way when a later one is refused: catalog is told that the order is over. */
async function refuse({ trx, order, lines }: Refused, refusal: ExpectedError): Promise<StepResult> {
  for (const line of lines) await abandonLine(trx, line, { note: refusal.code, at: order.now })
  return { ...nothingLeft, refusal }
}

/** Ends an order that nobody waits for, without knowing whether catalog reserved for it. */
export async function abandon({ trx, order, lines }: Work): Promise<StepResult> {
  for (const line of lines) await abandonLine(trx, line, { note: order.stop ?? 'abandoned', at: order.now })
  return nothingLeft
}

/** Catalog may have seen an item change hands before payments did. The index would refuse it; this says it first. */
async function isTakenHere({ trx, order, lines }: Refused) {
  const itemIds = lines.map(({ itemId }) => itemId)
  const other = await trx
    .selectFrom('line')
    .select('id')
    .where('itemId', 'in', itemIds)
    .where('orderId', '!=', order.id)
    .where('sellerId', 'is not', null)
    .where('state', 'in', ['placed', 'awaiting_payment', 'authorised', 'delivering'])
    .executeTakeFirst()
  return other !== undefined
}
