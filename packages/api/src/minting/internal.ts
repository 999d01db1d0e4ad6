import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Id, IsoDate, Nullable } from '../shapes.ts'

/**
 * minting: would the chain deliver these now? `to` is null for custody, and absent when an item is only being listed.
 */
export type Deliverable = Static<typeof Deliverable>
export const Deliverable = Type.Object({
  tokens: Type.Array(
    Type.Object({
      token: Type.String(),
      deliverable: Type.Boolean(),
      /**
       * permit_required · not_owner · unknown_token · recipient_refuses · being_delivered · not_final (refused by the
       * newest block, and by no final one yet) · gift_waits · work_contested; null when deliverable.
       */
      code: Nullable(Type.String()),
      /** Typed data to sign, with permit_required. */
      permit: Type.Optional(Type.Unknown()),
    }),
  ),
})
export const checkDeliverable = endpoint({
  summary: 'Returns whether the chain would deliver tokens now',
  method: 'POST',
  path: '/internal/deliverable',
  access: 'service',
  callers: ['catalog'],
  body: Type.Object({
    to: Type.Optional(Nullable(Type.String())),
    tokens: Type.Array(
      Type.Object({
        token: Type.String(),
        ownerId: Id,
        /** Only a permit that was submitted later counts. */
        permittedSince: Type.Optional(Type.String({ format: 'date-time' })),
        /** Only a permit that is valid until then counts, else `permit_required`. */
        until: Type.Optional(Type.String({ format: 'date-time' })),
      }),
      { minItems: 1, maxItems: 10 },
    ),
  }),
  response: Deliverable,
})

export const checkGift = endpoint({
  summary: 'Returns whether an account may buy one more gift today',
  description: 'For this address. Requested before an order is placed.',
  method: 'POST',
  path: '/internal/gifts/check',
  access: 'service',
  callers: ['payments'],
  body: Type.Object({ giverId: Id, email: Type.String() }),
  response: Type.Object({ allowed: Type.Boolean() }),
})

/** Why a delivery is to stop. `cancelled`: by the buyer. */
export type StopReason = Static<typeof StopReason>
export const StopReason = Type.Enum(['cancelled', 'deadline', 'hold_lost', 'operator', 'dispute'])

/**
 * Stops the delivery of a line if that is still possible. `stopped: true` promises that the line is not signed and
 * never will be, also when its order event arrives later; payments then releases the line. `stopped: false` means
 * that a signature exists, and `delivery-final` or `delivery-failed` follows. `cancelling`: no block has the
 * transaction yet, and its nonce is cancelled; a buyer's `cancelled` does that only while the chain is late.
 * Idempotent.
 *
 * `pending`: it is not known yet whether the chain has delivered the line, because the index has not passed the
 * newest final block; the caller requests again. `delivered`: a final block has the delivery.
 */
export type Stop = Static<typeof Stop>
export const Stop = Type.Object({
  stopped: Type.Boolean(),
  cancelling: Type.Optional(Type.Literal(true)),
  pending: Type.Optional(Type.Literal(true)),
  delivered: Type.Optional(
    Type.Object({
      token: Type.String(),
      /** Null: into custody for `keptFor`. */
      wallet: Nullable(Type.String()),
      keptFor: Nullable(Id),
      txHash: Type.String(),
    }),
  ),
})
export const stopDelivery = endpoint({
  summary: 'Stops a delivery if that is still possible',
  method: 'POST',
  path: '/internal/deliveries/:lineId/stop',
  access: 'service',
  callers: ['payments'],
  params: Type.Object({ lineId: Id }),
  body: Type.Object({
    orderId: Id,
    reason: StopReason,
    /** The buyer of a line into custody: a delivery into an account that this database lost is the buyer's. */
    keepFor: Type.Optional(Id),
  }),
  response: Stop,
})

/**
 * Pages of a list that a comparison reads: rows that changed since a time, oldest first; `next` is null on the last
 * page.
 */
const changedSince = Type.Object({ since: IsoDate, after: Type.Optional(Type.String()) })
const Cursor = Nullable(Type.String())

export const listFinalDeliveries = endpoint({
  summary: 'Lists sold lines whose delivery is final',
  description: 'By the time of their last change.',
  method: 'GET',
  path: '/internal/final-deliveries',
  access: 'service',
  callers: ['payments'],
  query: changedSince,
  response: Type.Object({ lineIds: Type.Array(Id), next: Cursor }),
})

export const checkFinalDeliveries = endpoint({
  summary: 'Returns which of these sold lines have a final delivery',
  method: 'POST',
  path: '/internal/final-deliveries/check',
  access: 'service',
  callers: ['payments'],
  body: Type.Object({ lineIds: Type.Array(Id, { maxItems: 1_000 }) }),
  response: Type.Object({ lineIds: Type.Array(Id) }),
})

/** The owner of a token by the newest final block; null for a wallet without an account. */
export type TokenOwner = Static<typeof TokenOwner>
export const TokenOwner = Type.Object({ token: Type.String(), ownerId: Nullable(Id) })

export const listTokenOwners = endpoint({
  summary: 'Lists owners of tokens',
  description: 'By the time of their last change.',
  method: 'GET',
  path: '/internal/token-owners',
  access: 'service',
  callers: ['payments'],
  query: changedSince,
  response: Type.Object({ tokens: Type.Array(TokenOwner), next: Cursor }),
})

export const findTokenOwners = endpoint({
  summary: 'Finds the owners of tokens',
  description: 'A token that the chain does not have is left out. `hasMint`: false when its mint was lost.',
  method: 'POST',
  path: '/internal/token-owners',
  access: 'service',
  callers: ['payments'],
  body: Type.Object({ tokens: Type.Array(Type.String(), { maxItems: 1_000 }) }),
  response: Type.Object({ tokens: Type.Array(Type.Object({ ...TokenOwner.properties, hasMint: Type.Boolean() })) }),
})

export const listUnexpectedTokens = endpoint({
  summary: 'Lists tokens that the database does not expect',
  description:
    'The first thousand deliveries and tokens of the contracts that the database has no line or mint for, or a ' +
    'line that it has stopped: it was restored from a backup, or another process has the key.',
  method: 'GET',
  path: '/internal/unexpected-tokens',
  access: 'service',
  callers: ['payments'],
  response: Type.Object({
    deliveries: Type.Array(
      Type.Object({
        lineKey: Type.String(),
        token: Type.String(),
        recipient: Type.String(),
        /** The custody account, as the contract has it; null of a delivery to a wallet. */
        account: Nullable(Type.String()),
        txHash: Type.String(),
        at: IsoDate,
        /** Of its line; null of a line that the database does not have. */
        state: Nullable(Type.String()),
      }),
    ),
    tokens: Type.Array(Type.String()),
  }),
})
