import { randomUUID } from 'node:crypto'
import { type Mint, startTestCatalog, wallet } from '../testing.ts'

export const DAY_MS = 86_400_000
/** How long the bank of a test holds a card. */
const HOLD_MS = 7 * DAY_MS

type Bid = {
  orderId: string
  kind: 'offer'
  itemId: string
  buyerId: string
  buyerWallet: string | null
  limitCents: number
  days: number
}

/** Starts the real service, with what payments, owners and buyers do about offers. */
export async function startTestBidding(...args: Parameters<typeof startTestCatalog>) {
  const catalog = await startTestCatalog(...args)
  const { app, post, put, putInternal, deleteInternal, peers, db, givenAccount, givenItem } = catalog
  const seller = await givenAccount({ admin: true, wallet: wallet() })

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
  const place = ({ orderId }: { orderId: string }, captureBefore: string | null = inMs(HOLD_MS)) =>
    putInternal(`/internal/bids/${orderId}`, { captureBefore })
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

  return {
    ...catalog,
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
