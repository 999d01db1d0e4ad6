import { type Static, type TSchema, Type } from 'typebox'
import { responses } from './problem.ts'
import { Euros, Id, IsoDate } from './shapes.ts'

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
  price: Type.Union([Euros, Type.Null()]),
  contract: Type.String(),
  identifier: Type.Union([Type.String(), Type.Null()]),
  txHash: Type.Union([Type.String(), Type.Null()]),
  createdAt: IsoDate,
})

/**
 * Multipart: `image` (file, at most 20 MB), `name`, `description`, `category`, optional `price` (euros, such as 12.50)
 * and `holder` = custody | wallet. An `Idempotency-Key` header makes it safe to send twice. 403 without the admin flag.
 */
export const createMint = { response: responses({ 202: Mint }) }
export const mint = { params: Type.Object({ id: Id }), response: responses({ 200: Mint }) }
export const mints = { response: responses({ 200: Type.Object({ mints: Type.Array(Mint) }) }) }

/** `GET /uploads/nfts/{file}`: the master without `w`; WebP, or AVIF where the Accept header names it. */
export const picture = {
  params: Type.Object({ file: Type.String({ maxLength: 100 }) }),
  querystring: Type.Object({ w: Type.Optional(Type.String({ maxLength: 10 })) }),
}

/** Says what to sign, so that the store may deliver a token from its owner's wallet once it is paid. */
export const permitRequest = {
  params: Type.Object({ contract: Type.String(), identifier: Type.String() }),
  response: responses({ 200: Type.Object({ typedData: Type.Unknown(), deadline: IsoDate }) }),
}

export const createPermit = {
  body: Type.Object({
    contract: Type.String(),
    identifier: Type.String(),
    /** As `permitRequest` answered it. */
    deadline: Type.String({ maxLength: 40 }),
    signature: Type.String({ maxLength: 300 }),
  }),
  response: responses({ 200: Type.Object({ success: Type.Literal(true) }) }),
}

export const withdrawalStates = ['accepted', 'sent', 'final', 'failed'] as const

export type Withdrawal = Static<typeof Withdrawal>
export const Withdrawal = Type.Object({
  _id: Id,
  contract: Type.String(),
  identifier: Type.String(),
  wallet: Type.String(),
  state: Type.Enum(withdrawalStates),
  txHash: Type.Union([Type.String(), Type.Null()]),
  createdAt: IsoDate,
})

/**
 * Out of the store's custody, into the linked wallet. Asked twice it answers the same withdrawal.
 * 409: `listed` · `being_delivered` · `not_in_custody` · `wallet_required`.
 */
export const createWithdrawal = {
  body: Type.Object({ contract: Type.String(), identifier: Type.String() }),
  response: responses({ 202: Withdrawal }),
}
export const withdrawals = { response: responses({ 200: Type.Object({ withdrawals: Type.Array(Withdrawal) }) }) }

/** What a token URI answers (ERC-721 metadata), with the SHA-256 of the image. */
export const metadata = {
  params: Type.Object({ contract: Type.String(), identifier: Type.String() }),
  response: responses({
    200: Type.Object({
      name: Type.String(),
      description: Type.String(),
      image: Type.String(),
      image_sha256: Type.String(),
      attributes: Type.Array(Type.Object({ trait_type: Type.String(), value: Type.String() })),
    }),
  }),
}

const Count = Type.Integer()
const Nullable = <Value extends TSchema>(value: Value) => Type.Union([value, Type.Null()])

/** `GET /internal/ops/status`: null where the chain's node does not answer. */
export type OpsStatus = Static<typeof OpsStatus>
export const OpsStatus = Type.Object({
  lane: Type.Object({
    signer: Type.String(),
    /** Why nothing is signed; null while all is well. */
    halted: Nullable(Type.String()),
    haltedAt: Nullable(IsoDate),
    nextNonce: Nullable(Count),
    chainNonce: Nullable(Count),
    /** Transactions that are signed but in no block. */
    nonceGap: Nullable(Count),
    openTransactions: Count,
    oldestOpen: Nullable(IsoDate),
  }),
  deliveries: Type.Object({ waiting: Count, signed: Count, oldest: Nullable(IsoDate) }),
  mintsWaiting: Count,
  balance: Nullable(Type.Object({ wei: Type.String(), deliveriesLeft: Type.Number() })),
  index: Type.Object({ block: Nullable(Count), finalBlock: Nullable(Count), trouble: Nullable(Type.String()) }),
})
export const opsStatus = { response: responses({ 200: OpsStatus }) }

/** Every action says who does it and why; both are kept. */
const signed = {
  who: Type.String({ minLength: 1, maxLength: 200 }),
  why: Type.String({ minLength: 1, maxLength: 500 }),
}

/** `POST /internal/ops/retry-delivery`: now instead of later, or with a higher fee. */
export const retryDelivery = {
  body: Type.Object({ lineId: Id, ...signed }),
  response: responses({ 200: Type.Object({ state: Type.String() }) }),
}

/** `POST /internal/ops/resume-lane`: after a person found out why it was halted. */
export const resumeLane = {
  body: Type.Object(signed),
  response: responses({ 200: Type.Object({ lost: Count, nextNonce: Count }) }),
}

/**
 * `GET /internal/ops/tokens`: sold lines whose delivery is final; deliveries and tokens of the store's own contracts that
 * its database never asked for, because it is older than the chain or somebody else has the key.
 */
export type DeliveredTokens = Static<typeof DeliveredTokens>
export const DeliveredTokens = Type.Object({
  final: Type.Array(Id),
  strays: Type.Array(
    Type.Object({
      lineKey: Type.String(),
      token: Type.String(),
      recipient: Type.String(),
      txHash: Type.String(),
      at: IsoDate,
    }),
  ),
  unknownTokens: Type.Array(Type.String()),
})
export const deliveredTokens = { response: responses({ 200: DeliveredTokens }) }
