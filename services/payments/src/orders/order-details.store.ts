import { type Kysely, sql } from 'kysely'
import type { Database, Line, Order } from '../db.ts'
import type { LineState } from './line.ts'

type LineDetails = Pick<
  Line,
  | 'id'
  | 'itemId'
  | 'priceCents'
  | 'state'
  | 'reason'
  | 'txHash'
  | 'contract'
  | 'identifier'
  | 'name'
  | 'image'
  | 'sellerUsername'
>

/** `at`: ISO 8601, with microseconds. */
type HistoryEntry = { itemId: string; toState: LineState; at: string; note: string | null }

/** An order with its lines in the sequence of the cart, and what happened to them in the sequence of time. */
export type OrderDetails = Pick<
  Order,
  | 'id'
  | 'orderKind'
  | 'buyerId'
  | 'totalCents'
  | 'capturedCents'
  | 'wallet'
  | 'isGift'
  | 'gift'
  | 'termsVersion'
  | 'createdAt'
  | 'sessionUrl'
  | 'expiresAt'
  | 'authorisedAt'
  | 'deliverBy'
  | 'decideBy'
  | 'auctionId'
  | 'cancelRequestedBy'
  | 'declined'
> & { lines: LineDetails[]; history: HistoryEntry[] }

/** One statement: a response mixes no two states, and needs no transaction. */
const selectDetails = (db: Kysely<Database>) =>
  db
    .selectFrom('orders')
    .select(['id', 'orderKind', 'buyerId', 'totalCents', 'capturedCents', 'wallet', 'isGift', 'gift', 'termsVersion'])
    .select([
      'createdAt',
      'sessionUrl',
      'expiresAt',
      'authorisedAt',
      'deliverBy',
      'decideBy',
      'auctionId',
      'cancelRequestedBy',
      'declined',
    ])
    .select(
      sql<LineDetails[]>`(
        select coalesce(json_agg(json_build_object(
          'id', id, 'itemId', item_id, 'priceCents', price_cents, 'state', state, 'reason', reason, 'txHash', tx_hash,
          'contract', contract, 'identifier', identifier, 'name', name, 'image', image, 'sellerUsername', seller_username
        ) order by position), '[]')
        from line where order_id = orders.id)`.as('lines'),
    )
    .select(
      sql<HistoryEntry[]>`(
        select coalesce(json_agg(json_build_object(
          'itemId', line.item_id, 'toState', entry.to_state, 'at', entry.at, 'note', entry.note
        ) order by entry.id), '[]')
        from line join line_history entry on entry.line_id = line.id where line.order_id = orders.id)`.as('history'),
    )

export const findOrderDetails = (db: Kysely<Database>, id: string): Promise<OrderDetails | undefined> =>
  selectDetails(db).where('id', '=', id).executeTakeFirst()

/** `offers`: all offers and bids. `purchases`: also the offers that were accepted, and the bids that won. */
export const ordersOfBuyer = (
  db: Kysely<Database>,
  buyerId: string,
  { limit, kind = 'purchases' }: { limit: number; kind?: 'purchases' | 'offers' },
): Promise<OrderDetails[]> =>
  selectDetails(db)
    .where('buyerId', '=', buyerId)
    .where((eb) =>
      kind === 'offers'
        ? eb('orderKind', '<>', 'purchase')
        : eb.or([eb('orderKind', '=', 'purchase'), eb('authorisedAt', 'is not', null)]),
    )
    // Orders that catalog rejected are not shown to their buyer.
    .where((eb) =>
      eb.exists(
        eb.selectFrom('line').select('id').whereRef('orderId', '=', 'orders.id').where('sellerId', 'is not', null),
      ),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
