import { type Static, Type } from 'typebox'
import { categories } from '../categories.ts'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { Euros, File, Id, IsoDate, Nullable } from '../shapes.ts'

export const mintStates = ['accepted', 'minting', 'minted', 'failed'] as const

/** `minted` is final on the chain; the catalog shows the item a moment later. */
export type Mint = Static<typeof Mint>
export const Mint = Type.Object({
  /** Also the `_id` of the item. */
  _id: Id,
  state: Type.Enum(mintStates),
  name: Type.String(),
  description: Type.String(),
  category: Type.String(),
  image: Type.String(),
  color: Type.String(),
  price: Nullable(Euros),
  contract: Type.String(),
  identifier: Nullable(Type.String()),
  txHash: Nullable(Type.String()),
  createdAt: IsoDate,
})

export const createMint = endpoint({
  summary: 'Mints a work',
  description:
    'Multipart: `image` (file, at most 20 MB), `name`, `description`, `category`, optional `price` (euros, such ' +
    'as 12.50) and `holder` = custody | wallet. An `Idempotency-Key` header makes it safe to send twice. 403 ' +
    'without the admin flag.',
  method: 'POST',
  path: '/api/mints',
  access: 'seller',
  consumes: 'multipart/form-data',
  documented: {
    body: Type.Object({
      image: File,
      name: Type.String({ minLength: 1, maxLength: 80, pattern: '\\S' }),
      description: Type.Optional(Type.String({ maxLength: 2000 })),
      category: Type.Enum([...categories]),
      price: Type.Optional(Type.String({ pattern: '^\\d{1,6}(\\.\\d{1,2})?$' })),
      holder: Type.Optional(Type.Enum(['custody', 'wallet'])),
    }),
  },
  status: 202,
  response: Mint,
})
export const getMint = endpoint({
  summary: "Returns one of the caller's mints",
  method: 'GET',
  path: '/api/mints/:id',
  access: 'account',
  params: Type.Object({ id: Id }),
  response: Mint,
})
export const listMints = endpoint({
  summary: "Lists the caller's mints",
  method: 'GET',
  path: '/api/mints',
  access: 'account',
  response: Type.Object({ mints: Type.Array(Mint) }),
})

export const getImage = endpoint({
  summary: 'The picture of a work',
  description:
    'Without `w` the master: the uploaded file without its metadata; its SHA-256 is in the metadata of the token. ' +
    'With it a display size in sRGB, WebP or AVIF where the Accept header names it; of an animation the first ' +
    'frame, unless `animated=true` (WebP).',
  method: 'GET',
  path: '/uploads/nfts/:file',
  access: 'public',
  limit: limits.images,
  params: Type.Object({ file: Type.String({ maxLength: 100 }) }),
  query: Type.Object({
    w: Type.Optional(Type.String({ maxLength: 10 })),
    animated: Type.Optional(Type.Literal('true')),
  }),
  documented: {
    query: Type.Object({
      w: Type.Optional(Type.Enum([320, 640, 960, 1600, 2400])),
      animated: Type.Optional(Type.Literal('true')),
    }),
  },
  produces: ['image/webp', 'image/avif', 'image/png', 'image/jpeg', 'image/gif'],
})

export const getOriginal = endpoint({
  summary: 'The file of a work for its owner',
  description:
    'The master as an attachment by the name of the work. 403 `not_owner` for anybody else; 404 ' +
    '`token_not_found`, also for a token whose mint this store does not have.',
  method: 'GET',
  path: '/uploads/originals/:contract/:identifier',
  access: 'account',
  params: Type.Object({ contract: Type.String(), identifier: Type.String() }),
  produces: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
})

export const requestPermit = endpoint({
  summary: 'Returns the typed data of a permit',
  description: "With its signature the store may deliver the token out of the owner's wallet.",
  method: 'GET',
  path: '/api/permits/:contract/:identifier',
  access: 'account',
  params: Type.Object({ contract: Type.String(), identifier: Type.String() }),
  response: Type.Object({
    typedData: Type.Unknown(),
    deadline: IsoDate,
    /** The deadline of the permit that the store has; null without one. */
    validUntil: Nullable(IsoDate),
  }),
})

export const createPermit = endpoint({
  summary: 'Stores a signed permit',
  method: 'POST',
  path: '/api/permits',
  access: 'account',
  body: Type.Object({
    contract: Type.String(),
    identifier: Type.String(),
    /** As in the response of `requestPermit`. */
    deadline: Type.String({ maxLength: 40 }),
    /** Of a contract wallet (ERC-1271) up to 2 kB: each byte is gas of the delivery. */
    signature: Type.String({ maxLength: 2 + 2 * 2_048 }),
  }),
  response: Type.Object({ success: Type.Literal(true) }),
})

export const withdrawalStates = ['accepted', 'sent', 'final', 'failed'] as const

export type Withdrawal = Static<typeof Withdrawal>
export const Withdrawal = Type.Object({
  _id: Id,
  contract: Type.String(),
  identifier: Type.String(),
  wallet: Type.String(),
  state: Type.Enum(withdrawalStates),
  txHash: Nullable(Type.String()),
  createdAt: IsoDate,
})

export const createWithdrawal = endpoint({
  summary: 'Withdraws a token out of custody into the linked wallet',
  description:
    'While one is open, a repeated request returns it. 403 `email_not_confirmed`; 409 `listed` · ' +
    '`being_delivered` · `not_in_custody` · `wallet_required`, and `withdrawal_waits` with `details.until` after ' +
    'a change of wallet, e-mail address or password.',
  method: 'POST',
  path: '/api/withdrawals',
  access: 'account',
  stepUp: 'always',
  status: 202,
  body: Type.Object({ contract: Type.String(), identifier: Type.String() }),
  response: Withdrawal,
})
export const listWithdrawals = endpoint({
  summary: "Lists the caller's withdrawals",
  method: 'GET',
  path: '/api/withdrawals',
  access: 'account',
  response: Type.Object({ withdrawals: Type.Array(Withdrawal) }),
})

export const getCollectionMetadata = endpoint({
  summary: "The target of the collection's `contractURI` (ERC-7572)",
  method: 'GET',
  path: '/api/tokens/:contract',
  access: 'public',
  params: Type.Object({ contract: Type.String() }),
  response: Type.Object({
    name: Type.String(),
    symbol: Type.String(),
    description: Type.String(),
    image: Type.String(),
    external_link: Type.String(),
  }),
})

export const getTokenMetadata = endpoint({
  summary: 'The target of a token URI (ERC-721 metadata)',
  description: 'With the SHA-256 of the image, and the artist among the attributes.',
  method: 'GET',
  path: '/api/tokens/:contract/:identifier',
  access: 'public',
  params: Type.Object({ contract: Type.String(), identifier: Type.String() }),
  kept: true,
  response: Type.Object({
    name: Type.String(),
    description: Type.String(),
    /** The item's page. */
    external_url: Type.String(),
    image: Type.String(),
    image_sha256: Type.String(),
    attributes: Type.Array(Type.Object({ trait_type: Type.String(), value: Type.String() })),
  }),
})
