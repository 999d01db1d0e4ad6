import { Type } from 'typebox'
import { defineEvent } from './define-event.ts'
import { Address, At, Cents, Id, Token, TxHash } from './shapes.ts'

const Picture = Type.Object({
  /** Path below the store's address, such as `/uploads/nfts/…`. */
  path: Type.String(),
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
  /** Dominant colour, `#rrggbb`. */
  color: Type.String({ pattern: '^#[0-9a-f]{6}$' }),
})

/** A mint that is final on the chain. With a price, its owner wants it listed at once. */
export const tokenMinted = defineEvent({
  name: 'minting.token-minted.v1',
  key: 'token',
  data: Type.Object({
    token: Token,
    contract: Address,
    identifier: Type.String(),
    itemId: Id,
    creatorId: Id,
    name: Type.String(),
    description: Type.String(),
    category: Type.String(),
    picture: Picture,
    royaltyBps: Type.Integer({ minimum: 0, maximum: 10_000 }),
    priceCents: Type.Union([Cents, Type.Null()]),
    txHash: TxHash,
    at: At,
  }),
})

/**
 * A token changed hands in a final block; also said for its mint, after `token-minted`, and again with another owner when
 * somebody proves the wallet that holds it (or ceases to). Said before the `delivery-final` of the same move.
 */
export const tokenMoved = defineEvent({
  name: 'minting.token-moved.v1',
  key: 'token',
  data: Type.Object({
    token: Token,
    contract: Address,
    identifier: Type.String(),
    /** The account behind the holder, or null when nobody has proven to be. */
    ownerId: Type.Union([Id, Type.Null()]),
    /** The wallet that holds it, or null while it is in the store's custody. */
    wallet: Type.Union([Address, Type.Null()]),
    /** Grows along the chain (block × 100000 + log index) and with each change of owner; an older one is ignored. */
    position: Type.Integer({ minimum: 0 }),
    txHash: TxHash,
    at: At,
  }),
})

const delivery = { lineId: Id, orderId: Id, token: Token, itemId: Id, at: At }

/** Signed and stored: from here on the buyer cannot cancel. */
export const deliveryStarted = defineEvent({
  name: 'minting.delivery-started.v1',
  key: 'token',
  data: Type.Object({ ...delivery, txHash: TxHash }),
})

/** The token is in the buyer's wallet in a final block. */
export const deliveryFinal = defineEvent({
  name: 'minting.delivery-final.v1',
  key: 'token',
  data: Type.Object({ ...delivery, buyerId: Id, wallet: Address, txHash: TxHash, block: Type.Integer() }),
})

/** The token did not move and never will for this line. */
export const deliveryFailed = defineEvent({
  name: 'minting.delivery-failed.v1',
  key: 'token',
  /** `reason`: deadline · reverted · refused · not_owner · permit_required · recipient_refuses · unknown_token. */
  data: Type.Object({ ...delivery, reason: Type.String() }),
})
