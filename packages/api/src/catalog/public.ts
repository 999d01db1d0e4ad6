import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { colorNames, marketSales, marketSorts, orientations } from '../market-filters.ts'
import { priceRange } from '../price.ts'
import { Euros, Id, IsoDate, Nullable, Price } from '../shapes.ts'
import { documentedPaging, Page, paging } from './paging.ts'

const Owner = Type.Object({
  username: Type.String(),
  avatar: Nullable(Type.String()),
  firstName: Type.String(),
  lastName: Type.String(),
})

/** Of an auction that is over, how it ended. */
export const auctionOutcomes = ['awarded', 'sold', 'unsold', 'cancelled', 'void', 'failed'] as const
export type AuctionOutcome = (typeof auctionOutcomes)[number]

/** A timed auction. Whether it has begun or is closing follows from its times and the clock. */
export type Auction = Static<typeof Auction>
export const Auction = Type.Object({
  _id: Id,
  /** Euros; the first bid is at least that. */
  opening: Euros,
  /** For how long it runs without late bids. */
  hours: Type.Integer(),
  /** An announced start; null: the first bid starts the clock. */
  startsAt: Nullable(IsoDate),
  /** Moves on with late bids; null until the clock runs. */
  endsAt: Nullable(IsoDate),
  /** What the leader would pay now, or what the winner pays, euros; null without a bid. */
  price: Nullable(Euros),
  /** Number of bids that stood. */
  bids: Type.Integer(),
  /** The least that a new bid names, euros. */
  minimum: Euros,
  /** Null while it is not decided. `awarded`: its delivery is under way. */
  outcome: Nullable(Type.Enum(auctionOutcomes)),
  /** Why it is `void` or `failed`: moved, hidden, account, undeliverable, operator and others; else null. */
  why: Nullable(Type.String()),
  /** When it was over, without the delivery: of a sale when that was final. Absent before. */
  endedAt: Type.Optional(IsoDate),
})

/**
 * One item, as lists and pages show it. The owner fields are null together if the token's holder has no account.
 * `image` is a path below /uploads/nfts/; `?w=320|640|960|1600` selects a width, the Accept header AVIF or WebP.
 */
export type Nft = Static<typeof Nft>
export const Nft = Type.Object({
  _id: Id,
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  image: Type.String(),
  display_image_url: Type.String(),
  /** Pixels of the original. */
  width: Type.Integer(),
  height: Type.Integer(),
  /** Dominant colour, `#rrggbb`. */
  color: Type.String(),
  /** Euros; null while it has never been listed. */
  price: Nullable(Euros),
  forSale: Type.Boolean(),
  /** True while a buyer is paying for it. */
  reserved: Type.Boolean(),
  /** Minted with a price, and neither listed nor delisted since: its owner may have to sign first. */
  listingPending: Type.Boolean(),
  contract: Type.String(),
  category: Type.String(),
  identifier: Type.String(),
  token_standard: Type.String(),
  owner: Nullable(Owner),
  ownerUsername: Nullable(Type.String()),
  ownerFirstName: Nullable(Type.String()),
  ownerLastName: Nullable(Type.String()),
  ownerAvatar: Nullable(Type.String()),
  creatorUsername: Nullable(Type.String()),
  /** From which price on its owner takes offers; null: none. */
  offers: Nullable(Type.Object({ minimum: Euros })),
  /** One that is not decided or whose delivery is under way. `price` of the item is then that of the auction. */
  auction: Nullable(Auction),
})

/** The fields of an item page: more than those of a card. */
export type NftDetail = Static<typeof NftDetail>
export const NftDetail = Type.Object({
  ...Nft.properties,
  /** Also the last one, while the work has not been for sale since; pages show it for a week after `endedAt`. */
  auction: Nullable(Auction),
  /** `count`, `highest`: of those whose card is held. */
  offers: Nullable(Type.Object({ minimum: Euros, count: Type.Integer(), highest: Nullable(Euros) })),
  /** Name of the dominant colour, as the market's `color` has it. */
  colorName: Nullable(Type.String()),
  /** When the payment page of the current reservation ends; null without one. */
  reservedUntil: Nullable(IsoDate),
  /** The seller requested to delist it: the listing ends unless the current purchase is paid. */
  delistRequested: Type.Boolean(),
  /** Royalty of every resale, in percent. */
  royaltyPercent: Type.Number(),
  creator: Nullable(Owner),
  listedAt: Nullable(IsoDate),
  /** Held by the store for its owner, or in a wallet of the owner's. */
  custody: Type.Boolean(),
  /** History of the token on the chain and of its sales, newest first. */
  history: Type.Array(
    Type.Object({
      what: Type.Union([Type.Literal('minted'), Type.Literal('listed'), Type.Literal('moved'), Type.Literal('sold')]),
      at: IsoDate,
      username: Nullable(Type.String()),
      price: Nullable(Euros),
      txHash: Nullable(Type.String()),
      /** Into the store's custody, or out of it into a wallet of the same owner. */
      custody: Nullable(Type.Union([Type.Literal('in'), Type.Literal('out')])),
    }),
  ),
})

export type Market = Static<typeof Market>
export const Market = Type.Object({
  nfts: Type.Array(Nft),
  ...Page.properties,
  /** Present if no item has the words of the search: these have similar ones. */
  similar: Type.Optional(Type.Literal(true)),
})

/** Euros with at most two decimals. */
const Amount = Type.Number({ minimum: 0, maximum: priceRange.max, multipleOf: 0.01 })
/** An empty value counts as absent. */
const oneOf = (names: readonly string[]) => Type.String({ enum: ['', ...names] })

export const getMarket = endpoint({
  summary: 'Searches the market',
  description:
    'A wrong value of the query has a message of its own. `creator` is a username with its "@", or, without, also ' +
    'words of the names of artists.',
  method: 'GET',
  path: '/api/nfts/market',
  access: 'public',
  query: Type.Object({
    ...paging.properties,
    search: Type.Optional(Type.String()),
    category: Type.Optional(Type.String()),
    buyOption: Type.Optional(Type.String()),
    sort: Type.Optional(Type.String()),
    minPrice: Type.Optional(Type.String()),
    maxPrice: Type.Optional(Type.String()),
    color: Type.Optional(Type.String()),
    orientation: Type.Optional(Type.String()),
    creator: Type.Optional(Type.String()),
    sale: Type.Optional(Type.String()),
  }),
  documented: {
    query: Type.Object({
      ...documentedPaging.properties,
      search: Type.Optional(Type.String({ maxLength: 400 })),
      category: Type.Optional(Type.String()),
      buyOption: Type.Optional(Type.String()),
      sort: Type.Optional(oneOf(marketSorts)),
      minPrice: Type.Optional(Amount),
      maxPrice: Type.Optional(Amount),
      color: Type.Optional(oneOf(colorNames)),
      orientation: Type.Optional(oneOf(orientations)),
      creator: Type.Optional(Type.String({ pattern: '^(|@?[^@]+)$', maxLength: 299 })),
      sale: Type.Optional(oneOf(marketSales)),
    }),
  },
  cached: true,
  response: Market,
})

export const listNftsOfUser = endpoint({
  summary: 'Lists the works that an account owns',
  method: 'GET',
  path: '/api/nfts/user/:username',
  access: 'public',
  params: Type.Object({ username: Type.String({ minLength: 1, maxLength: 300 }) }),
  cached: true,
  response: Type.Object({ nfts: Type.Array(Nft) }),
})

const tokenPath = Type.Object({ contract: Type.String(), identifier: Type.String() })

export const getNft = endpoint({
  summary: 'Returns a work',
  description: 'With its history, artist and owner.',
  method: 'GET',
  path: '/api/nfts/:username/:contract/:identifier',
  access: 'public',
  params: Type.Object({ username: Type.String({ minLength: 1 }), ...tokenPath.properties }),
  cached: true,
  response: NftDetail,
})

export const setPrice = endpoint({
  summary: 'Lists a work for sale, or changes its price',
  description:
    'Only `price` counts (a number of euros), with `forSale: true`; everything else is ignored. A price below ' +
    'half of the listed or paid ones of 90 days needs a step-up.',
  method: 'PUT',
  path: '/api/nfts/:contract/:identifier/set-price',
  access: 'seller',
  stepUp: 'sometimes',
  params: tokenPath,
  body: Type.Record(Type.String(), Type.Unknown()),
  documented: { body: Type.Object({ price: Price, forSale: Type.Optional(Type.Literal(true)) }) },
  response: Type.Object({ success: Type.Literal(true), nft: NftDetail }),
})

export const removeFromSale = endpoint({
  summary: 'Ends the listing of a work',
  description: 'During a purchase it ends unless that is paid.',
  method: 'PUT',
  path: '/api/nfts/:contract/:identifier/remove-from-sale',
  access: 'seller',
  params: tokenPath,
  response: Type.Object({ success: Type.Literal(true), nft: NftDetail }),
})

export const listTopItems = endpoint({
  summary: 'Lists "Top Items"',
  description: 'Works for sale of the creators of whom most persons bought, newest first.',
  method: 'GET',
  path: '/api/nfts/top-items',
  access: 'public',
  cached: true,
  response: Type.Object({ nfts: Type.Array(Nft) }),
})

export const listFeatured = endpoint({
  summary: 'Lists featured works',
  description: 'Those that are for sale, then the newest work for sale of each other artist: at most six in all.',
  method: 'GET',
  path: '/api/nfts/featured',
  access: 'public',
  cached: true,
  response: Type.Object({ nfts: Type.Array(Nft) }),
})
