import { type Program, programs, type ServiceName } from '@nifty/api/services'
import { createRandom, type Random } from '../campaign/random.ts'
import { rivalOf } from './cast/rival.ts'
import { type Point, points } from './points.ts'

/** How a purchase goes; `shares` has how many of a hundred. */
export const shares = {
  plain: 50,
  cart: 8,
  declined: 4,
  abandoned: 4,
  cancelled: 5,
  delisted: 5,
  'wallet changed': 3,
  'account deleted': 2,
  refunded: 3,
  disputed: 2,
  inquired: 2,
  warned: 2,
  undeliverable: 3,
  'recipient refuses': 3,
  'hold ended': 3,
  'foreign payment': 1,
} as const
export type Kind = keyof typeof shares

/** How a gift ends: `recipient` claims it with the mailed link, its giver takes it back, or 90 days pass. */
export type Gift = { ending: 'claimed'; recipient: string } | { ending: 'taken back' | 'lapsed' }

/**
 * How an offer ends: its owner accepts or declines it, its buyer withdraws it, both at once, its days pass, its bank
 * ends the hold while it is open, or the work is sold by another purchase.
 */
export type Offer =
  | { ending: 'accepted' | 'declined' | 'withdrawn' | 'accepted and withdrawn' | 'expired' | 'lost' }
  | { ending: 'outrun'; by: number }

/**
 * How a bid ends: it wins, that of another purchase takes the lead, its bank ends the hold while it leads and another
 * purchase bids afterwards, or the auction is cancelled by its seller while the payment page is open.
 */
export type Bid = { ending: 'won' | 'cancelled' } | { ending: 'outbid' | 'lost'; by: number }

export type Purchase = {
  kind: Kind
  /** Name of an account: shared ones, or one of its own for a purchase that changes the account. */
  buyer: string
  /** Number of works of its own; 0 of an offer or a bid for the work of another purchase. */
  works: number
  /** One in five, and those that are contested; not those whose wallet matters. */
  intoCustody: boolean
  /** Set for one purchase in ten, which is bought for another person. */
  gift?: Gift
  /** Set for one purchase in three, which is an offer or a bid. */
  offer?: Offer
  bid?: Bid
  /** Since the purchase before. */
  afterMs: number
  /** Between the payment and what happens at the same time; negative: before it. */
  offsetMs: number
}

export type Fault = {
  /** Since the fault before is over. */
  afterMs: number
} & (
  | { kind: 'kill'; program: Program; replica: number; point?: string; skip: number }
  | { kind: 'pause'; program: Program; replica: number; ms: number }
  | { kind: 'clock'; program: Program; replica: number; ms: number }
  | { kind: 'server killed'; server: 'kafka' | 'postgres' }
  | { kind: 'reorg'; depth: number }
  | { kind: 'transactions dropped' }
  | { kind: 'base fee'; factor: number }
  | { kind: 'fees above the cap'; ms: number }
  | { kind: 'no blocks'; ms: number }
  | { kind: 'key rotated'; how: 'drained' | 'removed' }
  | { kind: 'database restored'; ms: number }
)

export type Schedule = {
  seed: string
  replicas: number
  /** One process of this program is of the former version, all others are of the next one. */
  older?: ServiceName
  purchases: Purchase[]
  faults: Fault[]
}

/** A part of the purchases is kept for kills at points that are reached late. */
const SPREAD_OVER = 0.9

/** Number of purchases after which this many faults are due. */
export const dueAt = ({ purchases, faults }: Schedule, count: number) =>
  count > faults.length ? purchases.length : (count / faults.length) * SPREAD_OVER * purchases.length

type Size = { seed: string; purchases: number; kills: number; replicas: number }

/**
 * From these numbers of kills on, the run has a key rotation and a restored database, and the faults that take long
 * with a process of an older version.
 */
const MEDIUM = 30
const LARGE = 100
const POINT_SHARE = 0.6
const MEAN_GAP_MS = 700
const MINUTE_MS = 60_000

/** The programs that consume an event which the next version changes. */
const readers = ['payments', 'minting', 'catalog', 'notification'] as const

/** Whether a run is large enough to pass every point. */
export const isLarge = ({ faults }: Schedule) => faults.filter(({ kind }) => kind === 'kill').length >= LARGE

/** The whole schedule of a run: the same for the same seed and size. */
export function createSchedule({ seed, purchases, kills, replicas }: Size): Schedule {
  return {
    seed,
    replicas,
    ...(kills < LARGE ? {} : { older: createRandom(`${seed}.fleet`).pick(readers) }),
    purchases: createPurchases(createRandom(`${seed}.driver`), purchases),
    faults: createFaults(createRandom(`${seed}.nemesis`), { kills, replicas }),
  }
}

function createPurchases(random: Random, count: number): Purchase[] {
  const kinds: Kind[] = []
  for (const [kind, share] of Object.entries(shares) as [Kind, number][])
    if (kind !== 'plain') kinds.push(...Array<Kind>(Math.max(1, Math.round((share / 100) * count))).fill(kind))
  const rest = Math.max(0, count - kinds.length)
  const all = shuffled(random, [...kinds, ...Array<Kind>(rest).fill('plain')]).slice(0, count)
  const shared = Math.max(3, Math.min(30, Math.ceil(count / 20)))
  const seen: Partial<Record<Kind, number>> = {}
  const purchases = all.map((kind, place): Purchase => {
    const count = (seen[kind] ?? 0) + 1
    seen[kind] = count
    const isLate = endsOrder(kind) && count % 2 === 0
    return {
      kind,
      buyer: changesAccount(kind) ? `own-${place}` : `buyer-${random.between(1, shared)}`,
      works: kind === 'cart' ? random.between(2, 5) : 1,
      // Contested works in custody stay there.
      intoCustody: kind === 'inquired' || kind === 'warned' || (!needsWallet(kind) && random.chance(0.2)),
      // Exponential gaps: an open load.
      afterMs: Math.round(-Math.log(1 - random.unit()) * MEAN_GAP_MS),
      // Late ones find the payment authorised, and its delivery not signed or signed.
      offsetMs: isLate ? random.between(500, 2_500) : random.between(-200, 200),
    }
  })
  return withOffersAndBids(withGifts(purchases, shared), shared)
}

/** Every ending, first of plain purchases; a gift is claimed by a new account or by another buyer. */
function withGifts(purchases: Purchase[], buyers: number): Purchase[] {
  const endings: ((place: number, buyer: string) => Gift)[] = [
    (place) => ({ ending: 'claimed', recipient: `recipient-${place}` }),
    (_place, buyer) => ({ ending: 'claimed', recipient: nextBuyer(buyer, buyers) }),
    () => ({ ending: 'taken back' }),
    () => ({ ending: 'lapsed' }),
  ]
  const places = [...purchases.keys()].filter((place) => givable.has(purchases[place]!.kind))
  const plain = places.filter((place) => purchases[place]!.kind === 'plain').slice(0, endings.length)
  const others = places.filter((place) => !plain.includes(place))
  const wanted = Math.round(purchases.length * GIFT_SHARE) - plain.length
  const every = Math.max(1, Math.floor(others.length / Math.max(1, wanted)))
  const chosen = [...plain, ...others.filter((_, index) => index % every === 0).slice(0, Math.max(0, wanted))]
  const gifts = new Map(
    chosen.map((place, index) => [place, endings[index % endings.length]!(place, purchases[place]!.buyer)]),
  )
  return purchases.map((purchase, place) => {
    const gift = gifts.get(place)
    return gift ? { ...purchase, intoCustody: true, gift } : purchase
  })
}

const GIFT_SHARE = 0.1

/** One in three: every second purchase of these kinds, and plain ones with every ending, of which the last are bids. */
function withOffersAndBids(purchases: Purchase[], buyers: number): Purchase[] {
  const free = [...purchases.keys()].filter((place) => !purchases[place]!.gift)
  const disturbed = offerable.flatMap((kind) =>
    free.filter((place) => purchases[place]!.kind === kind).filter((_, index) => index % 2 === 1),
  )
  const plain = free.filter((place) => purchases[place]!.kind === 'plain')
  const wanted = Math.max(0, Math.round(purchases.length * OFFER_SHARE) - disturbed.length)
  const offers = new Map<number, Offer>(disturbed.map((place) => [place, { ending: 'accepted' }]))
  const bids = new Map<number, Bid>()
  const firstBid = Math.max(offerEndings.length, Math.ceil(wanted / 2))
  for (const [index, place] of plain.slice(firstBid, wanted).entries()) {
    const ending = bidEndings[index % bidEndings.length]!
    const by = plain.slice(0, wanted)[firstBid + index + 1]
    if (ending !== 'outbid' && ending !== 'lost') bids.set(place, { ending })
    else bids.set(place, by === undefined ? { ending: 'won' } : { ending, by })
  }
  for (const [index, place] of plain.slice(0, Math.min(wanted, firstBid)).entries()) {
    const ending = offerEndings[index % offerEndings.length]!
    const by = plain.slice(0, firstBid)[index + 1]
    if (ending !== 'outrun') offers.set(place, { ending })
    else if (by !== undefined) offers.set(place, { ending, by })
  }
  return purchases.map((purchase, place) => {
    const [offer, bid] = [offers.get(place), bids.get(place)]
    const how = { ...(offer && { offer }), ...(bid && { bid }) }
    const by = rivalOf(how)
    if (by === undefined) return { ...purchase, ...how }
    // An account has one offer for a work at a time, and does not outbid itself.
    const isOwnRival = purchase.buyer === purchases[by]!.buyer
    return { ...purchase, ...how, works: 0, buyer: isOwnRival ? nextBuyer(purchase.buyer, buyers) : purchase.buyer }
  })
}

const OFFER_SHARE = 1 / 3

/** The purchase after one that is outrun buys the same work: it is one that completes. */
const offerEndings: Offer['ending'][] = [
  'accepted',
  'declined',
  'outrun',
  'accepted',
  'withdrawn',
  'accepted and withdrawn',
  'expired',
  'lost',
]

/** The bid after one that is outbid or lost is for the same work: it wins. */
const bidEndings: Bid['ending'][] = ['outbid', 'won', 'lost', 'won', 'cancelled']

const offerable: Kind[] = [
  'declined',
  'abandoned',
  'cancelled',
  'account deleted',
  'refunded',
  'disputed',
  'hold ended',
]

/** Whose gift may be claimed: of contested works none is. */
const givable = new Set<Kind>([
  'plain',
  'declined',
  'cancelled',
  'delisted',
  'refunded',
  'undeliverable',
  'hold ended',
  'foreign payment',
])

const nextBuyer = (buyer: string, count: number) => `buyer-${(Number(buyer.split('-')[1]) % count) + 1}`

const endsOrder = (kind: Kind) => kind === 'cancelled' || kind === 'delisted'

/** Their accounts buy nothing else. */
const changesAccount = (kind: Kind) => kind === 'account deleted' || needsWallet(kind)
const needsWallet = (kind: Kind) => kind === 'wallet changed' || kind === 'recipient refuses'

function createFaults(random: Random, { kills, replicas }: { kills: number; replicas: number }): Fault[] {
  const atPoints = Math.ceil(kills * POINT_SHARE)
  const order: Point[] = []
  const suitable = kills < LARGE ? points.filter(({ rare }) => !rare) : points
  while (order.length < atPoints) order.push(...shuffled(random, suitable))
  const victim = () => ({ program: random.pick(programs), replica: random.between(1, replicas) })
  const wait = () => ({ afterMs: random.between(0, kills < LARGE ? 3_000 : 1_000) })
  const faults: Fault[] = []
  for (const { program, name } of order.slice(0, atPoints))
    faults.push({ kind: 'kill', program, replica: 0, point: name, skip: random.between(0, 2), ...wait() })
  for (let count = atPoints; count < kills; count++) faults.push({ kind: 'kill', ...victim(), skip: 0, ...wait() })

  const times = (share: number) => Math.max(1, Math.round(kills * share))
  const add = (count: number, fault: () => Omit<Fault, 'afterMs'>) => {
    for (let done = 0; done < count; done++) faults.push({ ...fault(), ...wait() } as Fault)
  }
  add(times(0.05), () => ({ kind: 'pause', ...victim(), ms: random.between(3_000, kills < LARGE ? 6_000 : 30_000) }))
  add(times(0.03), () => ({ kind: 'clock', ...victim(), ms: random.pick([-1, 1]) * 10 * MINUTE_MS }))
  add(times(0.1), () => ({ kind: 'reorg', depth: 1 }))
  add(times(0.05), () => ({ kind: 'transactions dropped' }))
  add(times(0.02), () => ({ kind: 'base fee', factor: 5 }))
  add(times(0.02), () => ({ kind: 'fees above the cap', ms: random.between(10_000, 20_000) }))
  if (kills >= MEDIUM) {
    add(1, () => ({ kind: 'key rotated', how: random.pick(['drained', 'removed'] as const) }))
    add(1, () => ({ kind: 'database restored', ms: random.between(5_000, 15_000) }))
  }
  if (kills >= LARGE) {
    add(1, () => ({ kind: 'no blocks', ms: 2 * MINUTE_MS }))
    add(times(0.02), () => ({ kind: 'server killed', server: random.pick(['kafka', 'postgres'] as const) }))
  }
  return shuffled(random, faults)
}

function shuffled<Value>(random: Random, list: readonly Value[]): Value[] {
  const values = [...list]
  for (let last = values.length - 1; last > 0; last--) {
    const other = random.between(0, last)
    ;[values[last], values[other]] = [values[other]!, values[last]!]
  }
  return values
}
