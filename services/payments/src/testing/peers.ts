import { randomUUID } from 'node:crypto'
import { findSuspended, getBuyer, keepBidder } from '@nifty/api/auth/internal'
import { type BidState, beginBid, type NewBid, placeBid, withdrawBid } from '@nifty/api/catalog/bids'
import {
  findItemOwners,
  findReservations,
  listItemOwners,
  listOverdueReservations,
  type Reservation,
  type ReservedLine,
  reserveItems,
} from '@nifty/api/catalog/internal'
import type { EndpointBody, EndpointResponse } from '@nifty/api/endpoint'
import {
  checkFinalDeliveries,
  checkGift,
  findTokenOwners,
  listFinalDeliveries,
  listTokenOwners,
  listUnexpectedTokens,
  type Stop,
  stopDelivery,
} from '@nifty/api/minting/internal'
import { atEnd } from '@nifty/dev-servers/at-end'
import { conflict, ExpectedError, notFound } from '@nifty/service-kit/base/errors'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { startTestPeers } from '@nifty/service-kit/testing/peers'

/** The end of every auction of the fake catalog. */
export const auctionEndsAt = '2026-12-24T18:00:00.000Z'
export const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

export type Item = ReservedLine & { forSale: boolean; reservedBy: string | null; reservedUntil: string }
type Bid = BidState & { begun: NewBid; isHeld: boolean; captureBefore: string | null; heldAt: string | null }
type Account = EndpointResponse<typeof getBuyer>

type Failure = 'auth' | 'auth after' | 'catalog' | 'catalog after' | 'minting'

/** Fakes of the called routes of auth, catalog and minting. Tests write their state. */
export async function fakePeers() {
  const accounts = new Map<string, Account>()
  const items = new Map<string, Item>()
  /**
   * Lines with a signed delivery in no block: minting cancels their nonces, for a buyer only while the chain is late.
   */
  const signedLines = new Set<string>()
  const chain = { isLate: false }
  /** Lines of which minting does not know yet whether the chain has delivered them. */
  const pendingLines = new Set<string>()
  const deliveredLines = new Map<string, NonNullable<Stop['delivered']>>()
  /** Lines with a final delivery, as minting has them. */
  const finalLines = new Set<string>()
  /** Addresses to which minting mails no more gifts today. */
  const refusedGifts = new Set<string>()
  /** Owners by token, on the chain and in catalog. */
  const tokenOwners = new Map<string, string | null>()
  const itemOwners = new Map<string, string | null>()
  /** Tokens without a mint, as in a restored minting. */
  const unknownTokens = new Set<string>()
  /** Deliveries of the chain that minting has no line for. */
  const unexpected: EndpointResponse<typeof listUnexpectedTokens>['deliveries'] = []
  const stopRequests: { lineId: string; reason: string; keepFor?: string }[] = []
  const reservationRequests: Reservation[] = []
  /** Offers and bids by order. */
  const bids = new Map<string, Bid>()
  /** While set, catalog refuses to begin an offer or a bid, or has begun another one. */
  const beginning = { refusal: undefined as ExpectedError | undefined, other: {} as Partial<ReservedLine> }
  /** While set, catalog responds to no request about the state of an offer or a bid. */
  const deciding = { blocked: undefined as Promise<void> | undefined, waiting: 0 }
  /** By order, the bids whose accounts auth keeps, and whether they stood before. */
  const keptBids = new Map<string, EndpointBody<typeof keepBidder> & { stood: boolean }>()
  /** Ids of the accounts that auth got requests for. */
  const buyerRequests: string[] = []
  /** While set, catalog responds to no reservation. */
  const reserving = { blocked: undefined as Promise<void> | undefined }
  const failing = new Set<Failure>()

  const givenBid = (begun: NewBid) => {
    const auction = begun.kind === 'bid' ? { auctionId: randomUUID() } : {}
    const undecided = { state: 'open' as const, priceCents: null, why: null, decideBy: null, ...auction }
    bids.set(begun.orderId, { begun, ...undecided, isHeld: false, captureBefore: null, heldAt: null })
  }

  const fail = (what: Failure) => {
    if (failing.has(what)) throw new ExpectedError('unavailable', 'down', 'down')
  }

  const { url, peerUrls, bearer, steppedUp, exports, stop } = await startTestPeers((app) => {
    registerRoute(app, getBuyer, async ({ params }) => {
      buyerRequests.push(params.id)
      fail('auth')
      const account = accounts.get(params.id)
      if (!account) throw notFound('not_found', 'no such account')
      return account
    })
    registerRoute(app, findSuspended, async ({ body }) => {
      fail('auth')
      return { userIds: body.userIds.filter((id) => accounts.get(id)?.suspended) }
    })
    registerRoute(app, keepBidder, async ({ params: { orderId }, body }) => {
      fail('auth')
      const account = accounts.get(body.buyerId)
      const allowed = keptBids.has(orderId) || (account !== undefined && !account.suspended)
      if (allowed && !keptBids.has(orderId))
        keptBids.set(orderId, { ...body, stood: bids.get(orderId)?.isHeld ?? false })
      fail('auth after')
      return { allowed }
    })
    registerRoute(app, reserveItems, async ({ body }) => {
      reservationRequests.push(body)
      await reserving.blocked
      fail('catalog')
      const reserved = body.items.map(({ itemId, priceCents }) => {
        const item = items.get(itemId)
        if (!item) throw notFound('nft_not_found', 'NFT not found')
        if (item.reservedBy === body.orderId) return item
        if (item.sellerId === body.buyerId)
          throw new ExpectedError('forbidden', 'own_item', 'You cannot buy your own item')
        if (!item.forSale) throw conflict('not_for_sale', 'This item is not for sale')
        if (item.reservedBy) throw conflict('item_reserved', 'Somebody else is buying this item right now')
        if (item.priceCents !== priceCents) throw conflict('price_changed', 'The price has changed, please reload')
        return item
      })
      for (const item of reserved) Object.assign(item, { reservedBy: body.orderId, reservedUntil: body.until })
      fail('catalog after')
      return { lines: reserved }
    })
    registerRoute(app, beginBid, async ({ body }) => {
      fail('catalog')
      const item = items.get(body.itemId)
      if (!item) throw notFound('item_not_found', 'NFT not found')
      if (beginning.refusal) throw beginning.refusal
      if (item.sellerId === body.buyerId)
        throw new ExpectedError('forbidden', 'own_item', 'You cannot bid for your own item')
      if (!bids.has(body.orderId)) givenBid(body)
      fail('catalog after')
      return { line: { ...item, priceCents: body.limitCents, ...beginning.other } }
    })
    const decide = async () => {
      if (deciding.blocked) deciding.waiting++
      await deciding.blocked
    }
    const needBid = (orderId: string) => {
      const bid = bids.get(orderId)
      if (!bid) throw notFound('bid_not_found', 'Offer not found')
      return bid
    }
    const stateOf = ({
      begun: _begun,
      isHeld: _isHeld,
      captureBefore: _before,
      heldAt: _heldAt,
      ...state
    }: Bid): BidState => state
    registerRoute(app, placeBid, async ({ params, body }) => {
      await decide()
      fail('catalog')
      const bid = needBid(params.orderId)
      if (bid.state === 'open' && !bid.isHeld) {
        const { days } = bid.begun
        const decideBy = days === null ? null : new Date(Date.now() + days * 86_400_000).toISOString()
        const ends = days === null ? { endsAt: auctionEndsAt } : {}
        Object.assign(bid, { isHeld: true, decideBy, ...ends, ...body })
      }
      fail('catalog after')
      return stateOf(bid)
    })
    registerRoute(app, withdrawBid, async ({ params }) => {
      await decide()
      fail('catalog')
      const bid = needBid(params.orderId)
      const isLeading = bid.begun.kind === 'bid' && bid.isHeld
      if (bid.state === 'open' && !isLeading) Object.assign(bid, { state: 'ended', why: 'withdrawn', decideBy: null })
      fail('catalog after')
      return stateOf(bid)
    })
    const held = () =>
      [...items.values()].flatMap(({ itemId, reservedBy, reservedUntil }) =>
        reservedBy ? [{ itemId, orderId: reservedBy, until: reservedUntil }] : [],
      )
    registerRoute(app, listOverdueReservations, async () => ({
      reservations: held().filter(({ until }) => Date.parse(until) < Date.now()),
      next: null,
    }))
    registerRoute(app, findReservations, async ({ body }) => ({
      reservations: held().filter(({ itemId }) => body.itemIds.includes(itemId)),
    }))
    registerRoute(app, checkGift, async ({ body }) => {
      fail('minting')
      return { allowed: !refusedGifts.has(body.email) }
    })
    registerRoute(app, checkFinalDeliveries, async ({ body }) => {
      fail('minting')
      return { lineIds: body.lineIds.filter((id) => finalLines.has(id) || deliveredLines.has(id)) }
    })
    registerRoute(app, listFinalDeliveries, async ({ query }) => {
      const { rows, next } = pageOf([...finalLines], query.after)
      return { lineIds: rows, next }
    })
    registerRoute(app, listUnexpectedTokens, async () => ({
      deliveries: [...unexpected],
      tokens: [...unknownTokens],
    }))
    registerRoute(app, listTokenOwners, async ({ query }) => {
      const { rows, next } = pageOf(entries(tokenOwners), query.after)
      return { tokens: rows, next }
    })
    registerRoute(app, findTokenOwners, async ({ body }) => ({
      tokens: entries(tokenOwners, body.tokens).map((each) => ({ ...each, hasMint: !unknownTokens.has(each.token) })),
    }))
    registerRoute(app, listItemOwners, async ({ query }) => {
      const { rows, next } = pageOf(entries(itemOwners), query.after)
      return { items: rows, next }
    })
    registerRoute(app, findItemOwners, async ({ body }) => ({ items: entries(itemOwners, body.tokens) }))
    registerRoute(app, stopDelivery, async ({ params, body }) => {
      stopRequests.push({ lineId: params.lineId, reason: body.reason, keepFor: body.keepFor })
      fail('minting')
      if (pendingLines.has(params.lineId)) return { stopped: false, pending: true as const }
      const delivered = deliveredLines.get(params.lineId)
      if (delivered) return { stopped: false, delivered }
      if (!signedLines.has(params.lineId)) return { stopped: true }
      return body.reason === 'cancelled' && !chain.isLate
        ? { stopped: false }
        : { stopped: false, cancelling: true as const }
    })
  })
  atEnd(stop)

  return {
    url,
    peerUrls,
    steppedUp,
    exports,
    refusedGifts,
    items,
    bids,
    givenBid,
    beginning,
    deciding,
    accounts,
    signedLines,
    chain,
    pendingLines,
    deliveredLines,
    finalLines,
    tokenOwners,
    itemOwners,
    unknownTokens,
    unexpected,
    stopRequests,
    reservationRequests,
    keptBids,
    buyerRequests,
    reserving,
    failing,
    /** Its owner accepts an offer, or a bid wins: the work is reserved for its order. */
    acceptOffer: (orderId: string, priceCents?: number) => {
      const bid = bids.get(orderId)!
      const price = priceCents ?? bid.begun.limitCents
      Object.assign(bid, { state: 'won', priceCents: price, decideBy: null })
      Object.assign(items.get(bid.begun.itemId)!, { reservedBy: orderId })
    },
    endOffer: (orderId: string, why: string) =>
      Object.assign(bids.get(orderId)!, { state: 'ended', why, priceCents: null, decideBy: null }),
    /** Of an account that a test made. */
    bearerOf: (userId: string) => ({ headers: bearer(userId) }),
    givenBuyer: (changes: Partial<Account> = {}) => {
      const userId = randomUUID()
      const reached = { username: '@ben', email: 'ben@example.com', emailConfirmed: true }
      accounts.set(userId, { userId, ...reached, wallet, suspended: false, ...changes })
      return { userId, headers: bearer(userId) }
    },
    givenItem: (changes: Partial<Item> = {}): Item => {
      const creatorId = randomUUID()
      const item: Item = {
        itemId: randomUUID(),
        contract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
        identifier: String(items.size + 1),
        name: 'Dusk',
        image: '/uploads/nfts/dusk',
        category: 'Art',
        sellerId: creatorId,
        sellerUsername: '@cleo',
        creatorId,
        royaltyBps: 500,
        priceCents: 12_000,
        listingVersion: 1,
        forSale: true,
        reservedBy: null,
        reservedUntil: '',
        ...changes,
      }
      items.set(item.itemId, item)
      return item
    },
  }
}

/** As many rows as minting and catalog list at a time. The cursor is the number of rows before. */
function pageOf<Row>(rows: Row[], after = '0') {
  const end = Number(after) + 500
  return { rows: rows.slice(Number(after), end), next: end < rows.length ? String(end) : null }
}

const entries = (owners: Map<string, string | null>, of = [...owners.keys()]) =>
  of.filter((token) => owners.has(token)).map((token) => ({ token, ownerId: owners.get(token)! }))

export type FakePeers = Awaited<ReturnType<typeof fakePeers>>
export type TestBuyer = ReturnType<FakePeers['givenBuyer']>
