import { type Static, Type } from 'typebox'
import { responses } from './problem.ts'
import { Euros, Id, IsoDate } from './shapes.ts'

const Owner = Type.Object({
  username: Type.String(),
  avatar: Type.Union([Type.String(), Type.Null()]),
  firstName: Type.String(),
  lastName: Type.String(),
})

/**
 * One work, as every page reads it. The owner fields are null together when nobody has proven to hold the token.
 * `image` is a path below /uploads/nfts/; `?w=320|640|960|1600` asks for a width, the Accept header picks AVIF or WebP.
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
  price: Type.Union([Euros, Type.Null()]),
  forSale: Type.Boolean(),
  /** True while somebody is paying for it. */
  reserved: Type.Boolean(),
  contract: Type.String(),
  category: Type.String(),
  identifier: Type.String(),
  token_standard: Type.String(),
  owner: Type.Union([Owner, Type.Null()]),
  ownerUsername: Type.Union([Type.String(), Type.Null()]),
  ownerFirstName: Type.Union([Type.String(), Type.Null()]),
  ownerLastName: Type.Union([Type.String(), Type.Null()]),
  ownerAvatar: Type.Union([Type.String(), Type.Null()]),
  creatorUsername: Type.Union([Type.String(), Type.Null()]),
})

/** An item page knows more than a card. */
export type NftDetail = Static<typeof NftDetail>
export const NftDetail = Type.Object({
  ...Nft.properties,
  /** When the hold of whoever is paying now ends at the latest; null when nobody is. */
  reservedUntil: Type.Union([IsoDate, Type.Null()]),
  /** The seller wants it back: it leaves the market unless the payment that is under way arrives. */
  delistRequested: Type.Boolean(),
  /** Royalty of every resale, in percent. */
  royaltyPercent: Type.Number(),
  creator: Type.Union([Owner, Type.Null()]),
  listedAt: Type.Union([IsoDate, Type.Null()]),
  /** Held by the store for its owner, or in a wallet of the owner's. */
  custody: Type.Boolean(),
  /** What the chain says happened to the token, newest first. */
  history: Type.Array(
    Type.Object({
      what: Type.Union([Type.Literal('minted'), Type.Literal('listed'), Type.Literal('moved'), Type.Literal('sold')]),
      at: IsoDate,
      username: Type.Union([Type.String(), Type.Null()]),
      price: Type.Union([Euros, Type.Null()]),
      txHash: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
})

export type Creator = Static<typeof Creator>
export const Creator = Type.Object({
  _id: Id,
  username: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  avatar: Type.Union([Type.String(), Type.Null()]),
  description: Type.String(),
  works: Type.Integer(),
  sales: Type.Integer(),
  /** The newest works, at most two. */
  items: Type.Array(Nft),
})

export type Market = Static<typeof Market>
export const Market = Type.Object({
  nfts: Type.Array(Nft),
  /** Exact up to 10,000 and capped there. */
  total: Type.Integer(),
  page: Type.Integer(),
  limit: Type.Integer(),
})

/** Query values stay text: the rules in `market.ts` read them, so that a wrong one gets its own message. */
export const market = {
  querystring: Type.Object({
    page: Type.Optional(Type.String()),
    limit: Type.Optional(Type.String()),
    search: Type.Optional(Type.String()),
    category: Type.Optional(Type.String()),
    buyOption: Type.Optional(Type.String()),
  }),
  response: responses({ 200: Market }),
}

export const nftsOfUser = {
  params: Type.Object({ username: Type.String({ maxLength: 300 }) }),
  response: responses({ 200: Type.Object({ nfts: Type.Array(Nft) }) }),
}

const tokenPath = Type.Object({ contract: Type.String(), identifier: Type.String() })

export const nft = {
  params: Type.Object({ username: Type.String(), ...tokenPath.properties }),
  response: responses({ 200: NftDetail }),
}

/**
 * Only `price` counts (a number of euros), with `forSale: true`; the page sends the whole item, and everything else is
 * ignored. `listing.ts` reads it, so that a wrong price gets its own message.
 */
export const setPrice = {
  params: tokenPath,
  body: Type.Record(Type.String(), Type.Unknown()),
  response: responses({ 200: Type.Object({ success: Type.Literal(true), nft: NftDetail }) }),
}

export const removeFromSale = {
  params: tokenPath,
  response: responses({ 200: Type.Object({ success: Type.Literal(true), nft: NftDetail }) }),
}

/** Accounts with works, `sort=best` (the only order): by completed sales, then by works. */
export const creators = {
  querystring: Type.Object({ sort: Type.Optional(Type.String()), limit: Type.Optional(Type.String()) }),
  response: responses({ 200: Type.Object({ creators: Type.Array(Creator) }) }),
}

/** "Top Items": works for sale of the creators with most sales, newest first. */
export const topItems = { response: responses({ 200: Type.Object({ nfts: Type.Array(Nft) }) }) }
