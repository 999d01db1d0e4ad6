import type { DeclineReason } from '@nifty/api/payments/decline'
import {
  bidHeld,
  bidReleased,
  orderLineAbandoned,
  orderLineCleared,
  orderLineContested,
  orderLineDisputed,
  orderLineReleased,
  orderPaymentFailed,
} from '@nifty/events/payments'
import { tokenOf } from '@nifty/events/shapes'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import { sql, type Transaction } from 'kysely'
import type { Database, Line, Order } from '../db.ts'
import { moveLine, reservedLine } from './line.store.ts'
import { isUnpaid, type Reason } from './line.ts'
import type { LockedOrder } from './order.store.ts'
import { bidKindOf } from './order.ts'

/** The fields that all events of a line share. Throws for a line without a reservation. */
export function eventLine(line: Line, at: Date) {
  const { orderId, id, itemId, contract, identifier, name, image, buyerId, sellerId, priceCents } = reservedLine(line)
  return {
    orderId,
    lineId: id,
    itemId,
    token: tokenOf(contract, identifier),
    name,
    image,
    buyerId,
    sellerId,
    priceCents,
    at: at.toISOString(),
  }
}

/** The fields that the events of a whole order share. Throws for a line without a reservation. */
export const eventOrder = ({ id, buyerId }: Pick<Order, 'id' | 'buyerId'>, lines: Line[], at: Date) => ({
  orderId: id,
  buyerId,
  totalCents: lines.reduce((sum, { priceCents }) => sum + priceCents, 0),
  works: lines.map((line) => {
    const { lineId, itemId, token, name, image, priceCents } = eventLine(line, at)
    return { lineId, itemId, token, name, image, priceCents }
  }),
  at: at.toISOString(),
})

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

/** Recipient fields of `order-line-authorised`. An older minting, without `custody`, refuses the zero address. */
export const recipientOf = ({ wallet }: { wallet: string | null }) =>
  wallet === null ? { wallet: ZERO_ADDRESS, custody: true as const } : { wallet }

/** The gift of `order-line-authorised`, by which minting mails its link once the line is completed. */
export const giftOf = ({ gift }: Pick<Order, 'gift'>) => (gift === null ? {} : { gift })

/** The fields about custody and gift of `order-line-completed` and `order-line-written-off`. */
export const custodyAndGiftOf = ({ wallet, isGift, gift }: Pick<Order, 'wallet' | 'isGift' | 'gift'>) => ({
  ...(wallet === null ? { custody: true as const } : {}),
  ...(isGift ? { gift: true as const } : {}),
  ...(gift === null ? {} : { giftTo: gift }),
})

type OfOrder = { trx: Transaction<Database>; order: LockedOrder }

type Release = { reason: Reason; note?: string; moneyWasHeld: boolean }

/**
 * Releases a line without a charge and publishes it: catalog frees the item, minting stops, the buyer gets a mail. Of
 * an offer or a bid that was not decided it publishes its end, by its note.
 */
export async function releaseLine(
  { trx, order }: OfOrder,
  line: Line,
  { reason, note, moneyWasHeld }: Release,
): Promise<Line> {
  const released = await moveLine(trx, line, 'released', { reason, note })
  if (reason === 'lost' || (line.conditional && isUnpaid(line)))
    await publishBidReleased({ trx, order }, line, {
      why: reason === 'lost' ? note! : 'not_held',
      ...(moneyWasHeld ? { held: eventLine(line, order.now) } : {}),
    })
  else await publishEvent(trx, orderLineReleased, { ...eventLine(released, order.now), reason, moneyWasHeld })
  await clearReleased(trx, released)
  return released
}

/**
 * Publishes that the card of an offer or a bid is held, which its buyer gets a mail about. `endsAt`: ISO 8601, of the
 * offer or the auction.
 */
export async function publishBidHeld(
  { trx, order, lines }: OfOrder & { lines: Line[] },
  { endsAt }: { endsAt: string | null },
) {
  const { orderId, itemId, buyerId, token, name, image, priceCents, at } = eventLine(lines[0]!, order.now)
  const work = { orderId, itemId, buyerId, token, name, image, priceCents }
  await publishEvent(trx, bidHeld, { ...work, kind: bidKindOf(order), endsAt, at })
}

/** Ends an offer or a bid in catalog; one whose card was held (`held`) has a mail. */
export const publishBidReleased = (
  { trx, order }: OfOrder,
  { orderId, id, itemId }: Pick<Line, 'orderId' | 'id' | 'itemId'>,
  { why, held }: { why: string; held?: ReturnType<typeof eventLine> },
) => {
  const ended = { orderId, lineId: id, itemId, kind: bidKindOf(order), why, at: order.now.toISOString() }
  if (!held) return publishEvent(trx, bidReleased, ended)
  const { buyerId, token, name, image, priceCents } = held
  return publishEvent(trx, bidReleased, { ...ended, held: { buyerId, token, name, image, priceCents } })
}

type Ending = { reason: Reason; note?: string; moneyWasHeld?: boolean }

/** Releases all lines of an order without a charge. */
export async function releaseLines(
  { trx, order, lines }: OfOrder & { lines: Line[] },
  { moneyWasHeld = false, ...ending }: Ending,
) {
  for (const line of lines) await releaseLine({ trx, order }, line, { ...ending, moneyWasHeld })
}

/**
 * Publishes that a purchase ended because its card was declined, unless somebody cancelled it: then that is why it
 * ended.
 */
export async function publishPaymentFailed(
  { trx, order, lines }: OfOrder & { lines: Line[] },
  declined: DeclineReason | null,
) {
  const endedByDeclines = order.cancelRequestedBy === null || order.cancelRequestedBy === 'declines'
  if (declined === null || !endedByDeclines || order.orderKind !== 'purchase') return
  await publishEvent(trx, orderPaymentFailed, { ...eventOrder(order, lines, order.now), declined })
}

/** Releases a line whose reservation, offer or bid in catalog is unknown. */
export async function abandonLine({ trx, order }: OfOrder, line: Line, note: string) {
  const { orderId, id, itemId } = line
  await moveLine(trx, line, 'released', { reason: 'cancelled', note })
  if (line.conditional) await publishBidReleased({ trx, order }, line, { why: 'not_held' })
  else await publishEvent(trx, orderLineAbandoned, { orderId, lineId: id, itemId, at: order.now.toISOString() })
}

/** Events have milliseconds. */
const laterTime = sql`greatest(clock_timestamp(), contested_line.at + interval '1 millisecond')`

/**
 * Stores whether a bank contests the payment of a line, and publishes it if it was not stored so before: also that it
 * does not, because a restored database may have lost that it did. The order is locked.
 */
export async function setContested(trx: Transaction<Database>, line: Line, { contested }: { contested: boolean }) {
  const { rows } = await sql<{ at: Date }>`
    insert into contested_line (line_id, contested, at) values (${line.id}, ${contested}, clock_timestamp())
    on conflict (line_id) do update set contested = excluded.contested, at = ${laterTime}
      where contested_line.contested <> excluded.contested
    returning at`.execute(trx)
  for (const { at } of rows) {
    const data = eventLine(line, at)
    await (contested ? publishEvent(trx, orderLineContested, data) : publishEvent(trx, orderLineCleared, data))
  }
}

export const publishDispute = (
  trx: Transaction<Database>,
  line: Line,
  { reversalId, stage, at }: { reversalId: string; stage: 'opened' | 'won'; at: Date },
) => publishEvent(trx, orderLineDisputed, { ...eventLine(line, at), reversalId, stage })

/** A released line is contested no more. Nothing happens to one that never was. */
async function clearReleased(trx: Transaction<Database>, line: Line) {
  const contested = await trx
    .selectFrom('contestedLine')
    .select('lineId')
    .where('lineId', '=', line.id)
    .executeTakeFirst()
  if (contested) await setContested(trx, line, { contested: false })
}
