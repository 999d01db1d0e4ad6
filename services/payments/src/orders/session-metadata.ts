import type { ReservedLine } from '@nifty/api/catalog/internal'
import { type OfferDays, offerDays } from '@nifty/api/offer-days'
import type { Config } from '../config.ts'
import type { Order } from '../db.ts'
import type { Session } from '../processor/processor.ts'

/**
 * What a database that was restored from an older backup needs to rebuild an order, in the metadata of its Checkout
 * Session. The processor allows 50 names, of 40 characters, with values of 500. No names of persons, nor the address
 * and text of a gift: the work of a rebuilt order is the buyer's, who can give it away again.
 */
export type SessionOrder = {
  id: string
  orderKind: Order['orderKind']
  /** Of an offer; null for any other order. */
  days: OfferDays | null
  buyerId: string
  /** Null: into custody. */
  wallet: string | null
  termsVersion: string
  commissionBps: number
  lines: (Omit<ReservedLine, 'category' | 'sellerUsername'> & { lineId: string })[]
}

const FORMAT = '1'
/** A process of a release without offers or bids reads no order from it, which it would deliver undecided. */
const FORMAT_OF_BIDS = '2'
const CUSTODY = 'custody'
const MAX_LINES = 10
const MAX_VALUE = 500
/** As the table `orders` allows. */
const MAX_COMMISSION_BPS = 5_000

type NewOrder = Pick<Order, 'id' | 'orderKind' | 'days' | 'buyerId' | 'wallet' | 'termsVersion' | 'commissionBps'>

/** `storeId`: other shops may use the same account of the processor. */
export function sessionMetadata(
  order: NewOrder,
  { lines, storeId }: { lines: SessionOrder['lines']; storeId: string },
): Record<string, string> {
  const metadata: Record<string, string> = {
    ...(order.orderKind === 'purchase' ? { format: FORMAT } : { format: FORMAT_OF_BIDS, kind: order.orderKind }),
    ...(order.orderKind === 'offer' ? { days: String(order.days) } : {}),
    order: order.id,
    store: storeId,
    buyer: order.buyerId,
    wallet: order.wallet ?? CUSTODY,
    terms: order.termsVersion,
    commission_bps: String(order.commissionBps),
  }
  for (const [index, line] of lines.entries()) {
    const { lineId, itemId, priceCents, sellerId, creatorId, royaltyBps, contract, identifier, listingVersion } = line
    metadata[`line_${index}`] = [
      lineId,
      itemId,
      priceCents,
      sellerId,
      creatorId,
      royaltyBps,
      contract,
      identifier,
      listingVersion,
    ].join(' ')
    metadata[`name_${index}`] = line.name.slice(0, MAX_VALUE)
    metadata[`image_${index}`] = line.image
  }
  return metadata
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const isUuid = (text = '') => new RegExp(`^${uuid}$`).test(text)
const linePattern = new RegExp(
  `^(${uuid}) (${uuid}) (\\d{2,8}) (${uuid}) (${uuid}) (\\d{1,5}) (0x[0-9a-fA-F]{40}) (\\d{1,78}) (\\d{1,10})$`,
)

/** How sessions name this store. */
type StoreNames = { storeId: string; config: Pick<Config, 'publicUrl'> }

/** Whether `store` in the metadata of a session names this store. A former release wrote its URL. */
export const isOfStore = (store: string | undefined, { storeId, config }: StoreNames): boolean =>
  store === storeId || store === config.publicUrl

/** The order of a session of this store; undefined for any other session. */
export function readSessionOrder(session: Session, names: StoreNames): SessionOrder | undefined {
  const { metadata } = session
  const { order: id = '', store, buyer: buyerId = '', wallet = '', terms: termsVersion = '' } = metadata
  const terms = readKind(metadata)
  const isOurs =
    terms !== undefined && isOfStore(store, names) && id === session.orderId && isUuid(id) && isUuid(buyerId)
  if (!isOurs || !/^(0x[0-9a-fA-F]{40}|custody)$/.test(wallet) || !termsVersion) return undefined
  const commissionBps = Number(metadata.commission_bps ?? Number.NaN)
  if (!Number.isInteger(commissionBps) || commissionBps < 0 || commissionBps > MAX_COMMISSION_BPS) return undefined
  const lines: SessionOrder['lines'] = []
  for (let index = 0; index < MAX_LINES && metadata[`line_${index}`]; index++) {
    const line = readLine(metadata, index)
    if (!line) return undefined
    lines.push(line)
  }
  const totalCents = lines.reduce((sum, { priceCents }) => sum + priceCents, 0)
  if (lines.length === 0 || totalCents !== session.amount || session.currency !== 'eur') return undefined
  return { id, ...terms, buyerId, wallet: wallet === CUSTODY ? null : wallet, termsVersion, commissionBps, lines }
}

/** Undefined for a format that this release does not have. */
function readKind({
  format,
  kind,
  days: text,
}: Record<string, string>): Pick<SessionOrder, 'orderKind' | 'days'> | undefined {
  if (format === FORMAT) return { orderKind: 'purchase', days: null }
  if (format !== FORMAT_OF_BIDS) return undefined
  if (kind === 'bid') return { orderKind: kind, days: null }
  const days = offerDays.find((each) => String(each) === text)
  return kind === 'offer' && days ? { orderKind: kind, days } : undefined
}

function readLine(metadata: Record<string, string>, index: number): SessionOrder['lines'][number] | undefined {
  const fields = linePattern.exec(metadata[`line_${index}`]!)
  if (!fields) return undefined
  const [, lineId, itemId, price, sellerId, creatorId, royalty, contract, identifier, version] = fields as string[]
  return {
    lineId: lineId!,
    itemId: itemId!,
    priceCents: Number(price),
    sellerId: sellerId!,
    creatorId: creatorId!,
    royaltyBps: Number(royalty),
    contract: contract!,
    identifier: identifier!,
    listingVersion: Number(version),
    name: metadata[`name_${index}`] ?? '',
    image: metadata[`image_${index}`] ?? '',
  }
}
