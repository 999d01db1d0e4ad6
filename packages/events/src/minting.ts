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

/** A mint that is final on the chain, with name and image hash of its row. With a price the item is listed at once. */
export const tokenMinted = defineEvent({
  name: 'minting.token-minted.v1',
  key: 'token',
  consumers: ['catalog'],
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
 * The holder or the owner of a token changed. Published for every transfer in a final block, for its mint after
 * `token-minted`, and when the wallet that holds it becomes proven or unproven. Precedes the `delivery-final` of the
 * same transfer.
 */
export const tokenMoved = defineEvent({
  name: 'minting.token-moved.v1',
  key: 'token',
  consumers: ['auth', 'catalog'],
  data: Type.Object({
    token: Token,
    contract: Address,
    identifier: Type.String(),
    /** The account of the holder, or null when no account has proven the wallet. */
    ownerId: Type.Union([Id, Type.Null()]),
    /** The wallet that holds it, or null while it is in the store's custody. */
    wallet: Type.Union([Address, Type.Null()]),
    /** Increases along the chain (block × 100000 + log index) and with each change of owner; older ones are ignored. */
    position: Type.Integer({ minimum: 0 }),
    txHash: TxHash,
    at: At,
  }),
})

/**
 * A bank contests the payment with which a token's owner bought it, or of which the owner has it as a gift. The owner
 * may neither sell nor move it until that is decided.
 */
export const tokenContested = defineEvent({
  name: 'minting.token-contested.v1',
  key: 'token',
  consumers: ['catalog'],
  data: Type.Object({ token: Token, ownerId: Id, at: At }),
})

const delivery = { lineId: Id, orderId: Id, token: Token, itemId: Id, at: At }

/**
 * The transaction is signed and stored: from now on the buyer cannot cancel. Published again, with another hash, when a
 * cancelled or foreign transaction has used the nonce.
 */
export const deliveryStarted = defineEvent({
  name: 'minting.delivery-started.v1',
  key: 'token',
  consumers: ['payments'],
  data: Type.Object({ ...delivery, txHash: TxHash }),
})

/** The token is in the buyer's wallet, or in custody for the buyer (`wallet`: the contract), in a final block. */
export const deliveryFinal = defineEvent({
  name: 'minting.delivery-final.v1',
  key: 'token',
  consumers: ['catalog', 'payments'],
  data: Type.Object({ ...delivery, buyerId: Id, wallet: Address, txHash: TxHash, block: Type.Integer() }),
})

/** The token was not delivered for this line and never will be. */
export const deliveryFailed = defineEvent({
  name: 'minting.delivery-failed.v1',
  key: 'token',
  consumers: ['payments'],
  /** `reason`: deadline · reverted · refused · not_owner · permit_required · recipient_refuses · unknown_token. */
  data: Type.Object({ ...delivery, reason: Type.String() }),
})

/** The owner of a token in custody withdraws it to the linked wallet. The owner gets a mail. */
export const withdrawalRequested = defineEvent({
  name: 'minting.withdrawal-requested.v1',
  key: 'userId',
  consumers: ['auth'],
  data: Type.Object({
    withdrawalId: Id,
    userId: Id,
    token: Token,
    /** The work's, where this store minted it. */
    name: Type.Optional(Type.String()),
    wallet: Address,
    at: At,
  }),
})

/** A withdrawn token is in its owner's wallet, in a final block. The owner gets a mail. */
export const withdrawalFinal = defineEvent({
  name: 'minting.withdrawal-final.v1',
  key: 'userId',
  consumers: ['notification'],
  data: Type.Object({
    withdrawalId: Id,
    userId: Id,
    token: Token,
    /** The work's, where this store minted it. */
    name: Type.Optional(Type.String()),
    /** Path of the picture below the store's address, such as `/uploads/nfts/…`. */
    image: Type.Optional(Type.String()),
    wallet: Address,
    txHash: TxHash,
    at: At,
  }),
})

const gift = { giftId: Id, giverId: Id, token: Token, name: Type.String(), at: At }

/**
 * A link to claim a gift has to be mailed to `email`; until it is claimed, the work is the giver's and stays where it
 * is. Published again, with a higher `number`, when the giver corrects the address: the former link is dead. `link`,
 * encrypted for notification, is the token in the fragment of the link to `/gift`, which is valid until `until`.
 * `orderId` is null for a work that the giver owned: auth then requests a mail to the giver.
 */
export const giftOffered = defineEvent({
  name: 'minting.gift-offered.v1',
  key: 'giftId',
  consumers: ['auth', 'notification'],
  data: Type.Object({
    ...gift,
    /** Path below the store's address; null where the mint was lost. */
    image: Type.Union([Type.String(), Type.Null()]),
    number: Type.Integer({ minimum: 1 }),
    email: Type.String(),
    text: Type.String(),
    link: Type.String(),
    until: At,
    orderId: Type.Union([Id, Type.Null()]),
  }),
})

const claim = { claimId: Id, giftId: Id, recipientId: Id, token: Token, name: Type.String(), at: At }

/**
 * A gift is claimed, and the change of the beneficiary is queued. A `token-moved` with a higher `position` has its
 * outcome, else `gift-claim-failed`.
 */
export const giftClaimed = defineEvent({
  name: 'minting.gift-claimed.v1',
  key: 'giftId',
  consumers: ['auth'],
  data: Type.Object({ ...claim, position: Type.Integer({ minimum: 0 }) }),
})

/** A claim did not get the work and never will. The gift may be claimed again unless it has ended. */
export const giftClaimFailed = defineEvent({
  name: 'minting.gift-claim-failed.v1',
  key: 'giftId',
  consumers: ['auth'],
  data: Type.Object(claim),
})

/**
 * A mailed gift was claimed (`recipientId`, else null) or taken back, has lapsed, or ended with a sale of its work or a
 * refund of its purchase.
 */
export const giftEnded = defineEvent({
  name: 'minting.gift-ended.v1',
  key: 'giftId',
  consumers: ['auth', 'notification'],
  data: Type.Object({
    ...gift,
    why: Type.Union([
      Type.Literal('claimed'),
      Type.Literal('taken_back'),
      Type.Literal('lapsed'),
      Type.Literal('ended'),
    ]),
    recipientId: Type.Union([Id, Type.Null()]),
    orderId: Type.Union([Id, Type.Null()]),
  }),
})
