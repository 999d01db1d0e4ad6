import { randomUUID } from 'node:crypto'
import { type Mint, startTestCatalog, wallet } from '../testing.ts'

export const DAY_MS = 86_400_000
/** How long the bank of a test holds a card. */
const HOLD_MS = 7 * DAY_MS

type Bid = {
  orderId: string
  kind: 'offer' | 'bid'
  itemId: string
  buyerId: string
  buyerWallet: string | null
  limitCents: number
  days: number | null
}

/** Starts the real service, with what payments, owners and buyers do about offers. */
export async function startTestBidding(...args: Parameters<typeof startTestCatalog>) {
  const catalog = await startTestCatalog(...args)
  const { app, post, put, putInternal, deleteInternal, peers, db, givenAccount, givenItem } = catalog
  const seller = await givenAccount({ admin: true, wallet: wallet() })
  // The database may be older than the service: the time before it is no outage.
  await setClockSeen(0)

  const bidOn = ({ itemId }: Pick<Mint, 'itemId'>, changes: Partial<Bid> = {}): Bid => ({
    orderId: randomUUID(),
    kind: 'offer',
    itemId,
    buyerId: randomUUID(),
    buyerWallet: wallet(),
    limitCents: 9_000,
    days: 3,
    ...changes,
  })
  const begin = (bid: object) => post('/internal/bids', bid)
  const place = (
    { orderId }: { orderId: string },
    captureBefore: string | null = inMs(HOLD_MS),
    heldAt: string | null = null,
  ) => putInternal(`/internal/bids/${orderId}`, { captureBefore, heldAt })
  const withdraw = ({ orderId }: { orderId: string }) => deleteInternal(`/internal/bids/${orderId}`)

  const decide =
    (what: 'accept' | 'decline') =>
    async ({ orderId }: { orderId: string }, { userId = seller.userId, steppedUp = false } = {}) => {
      const headers = steppedUp ? peers.steppedUp(userId) : peers.bearer(userId)
      const url = `/api/received-offers/${orderId}/${what}`
      const response = await app.inject({ method: 'POST', url, headers })
      return { status: response.statusCode, body: response.json() }
    }
  const received = async (userId = seller.userId) =>
    (await app.inject({ url: '/api/received-offers', headers: peers.bearer(userId) })).json().offers as any[]

  const setMinimum = async ({ path }: { path: string }, minimum: unknown, userId = seller.userId) => {
    const response = await put(userId, `${path}/offers`, { minimum })
    return { status: response.statusCode, body: response.json() }
  }

  /** A work without a price, whose owner takes offers from 50 € on. */
  async function givenOfferable(mint: Partial<Mint> = {}, where: { inWallet?: string } = {}) {
    const item = await givenItem(seller.userId, { priceCents: null, ...mint }, where)
    await setMinimum(item, 50)
    return item
  }
  /** An offer whose card is held. */
  async function givenOffer(item: Pick<Mint, 'itemId'>, changes: Partial<Bid> = {}) {
    const bid = bidOn(item, changes)
    await begin(bid)
    await place(bid)
    return bid
  }
  const offerOf = ({ orderId }: { orderId: string }) =>
    db.selectFrom('offer').selectAll().where('orderId', '=', orderId).executeTakeFirstOrThrow()
  /** State, and why it ended. */
  const stateOf = async (bid: { orderId: string }) => {
    const { state, why } = await offerOf(bid)
    return why === null ? state : `${state}: ${why}`
  }

  const requestOf =
    (method: 'POST' | 'DELETE') =>
    async (
      url: string,
      { userId = seller.userId, steppedUp = false, payload = undefined as object | undefined } = {},
    ) => {
      const headers = steppedUp ? peers.steppedUp(userId) : peers.bearer(userId)
      const response = await app.inject({ method, url, headers, payload })
      return { status: response.statusCode, body: response.json() }
    }
  const [sendPost, sendDelete] = [requestOf('POST'), requestOf('DELETE')]
  const startAuction = (
    { itemId }: Pick<Mint, 'itemId'>,
    terms: { opening?: unknown; hours?: unknown; startsAt?: unknown } = {},
    who: { userId?: string; steppedUp?: boolean } = {},
  ) => sendPost('/api/auctions', { ...who, payload: { itemId, opening: 10, hours: 24, ...terms } })
  const cancelAuction = ({ id }: { id: string }, userId = seller.userId) =>
    sendDelete(`/api/auctions/${id}`, { userId })

  /** The last auction of an item. */
  const auctionOf = ({ itemId }: Pick<Mint, 'itemId'>) =>
    db
      .selectFrom('auction')
      .selectAll()
      .where('itemId', '=', itemId)
      .orderBy('createdAt', 'desc')
      .executeTakeFirstOrThrow()
  /** A work on auction, from 10 € on, for 24 hours from the first bid on. */
  async function givenAuction(
    terms: Parameters<typeof startAuction>[1] = {},
    { mint = {}, ...where }: { mint?: Partial<Mint>; inWallet?: string } = {},
  ) {
    const item = await givenItem(seller.userId, { priceCents: null, ...mint }, where)
    await startAuction(item, terms)
    const { id } = await auctionOf(item)
    return { ...item, id }
  }
  const limitOn = ({ itemId }: Pick<Mint, 'itemId'>, limitCents: number, changes: Partial<Bid> = {}) =>
    bidOn({ itemId }, { kind: 'bid', days: null, limitCents, ...changes })
  /** Begins a bid whose payment page is open. */
  async function givenPage(item: Pick<Mint, 'itemId'>, limitCents: number, changes: Partial<Bid> = {}) {
    const bid = limitOn(item, limitCents, changes)
    await begin(bid)
    return bid
  }
  /** A bid whose card is held. */
  async function givenBid(item: Pick<Mint, 'itemId'>, limitCents: number, changes: Partial<Bid> = {}) {
    const bid = await givenPage(item, limitCents, changes)
    await place(bid)
    return bid
  }
  const findBid = ({ orderId }: { orderId: string }) =>
    db.selectFrom('bid').selectAll().where('orderId', '=', orderId).executeTakeFirstOrThrow()
  const bidState = async (bid: { orderId: string }) => {
    const { state, why } = await findBid(bid)
    return why === null ? state : `${state}: ${why}`
  }
  /** Moves the end of the auction to `ms` from now, negative: before, and the latest end to a time after it. */
  const endIn = async ({ id }: { id: string }, ms: number, { latestIn = ms + DAY_MS } = {}) => {
    const times = { endsAt: inMs(ms), latestEndAt: inMs(latestIn) }
    await db.updateTable('auction').set(times).where('id', '=', id).execute()
  }

  /** The row lock of a work, until the transaction ends. */
  async function lockWork({ itemId }: Pick<Mint, 'itemId'>) {
    const lock = await db.startTransaction().execute()
    await lock.selectFrom('item').select('id').where('id', '=', itemId).forUpdate().execute()
    return lock
  }

  /** Stores that the worker of auctions ran `ms` from now, negative: before. */
  async function setClockSeen(ms: number) {
    await db
      .updateTable('auctionClock')
      .set({ seenAt: inMs(ms) })
      .execute()
  }

  return {
    ...catalog,
    lockWork,
    setClockSeen,
    startAuction,
    cancelAuction,
    auctionOf,
    givenAuction,
    limitOn,
    givenPage,
    givenBid,
    bidState,
    endIn,
    seller,
    bidOn,
    begin,
    place,
    withdraw,
    accept: decide('accept'),
    decline: decide('decline'),
    received,
    setMinimum,
    givenOfferable,
    givenOffer,
    offerOf,
    stateOf,
  }
}

export const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
