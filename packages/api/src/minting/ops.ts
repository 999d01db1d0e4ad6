import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Id, IsoDate, Nullable, operatorAction } from '../shapes.ts'

const Count = Type.Integer()

/** Values from the chain are null while its node does not respond. */
export type OpsStatus = Static<typeof OpsStatus>
export const OpsStatus = Type.Object({
  signer: Type.Object({
    address: Type.String(),
    /** Null while it signs. */
    haltedReason: Nullable(Type.String()),
    haltedAt: Nullable(IsoDate),
    nextNonce: Nullable(Count),
    chainNonce: Nullable(Count),
    /** Signed nonces that are in no block. */
    nonceGap: Nullable(Count),
    openTransactions: Count,
    oldestOpen: Nullable(IsoDate),
  }),
  deliveries: Type.Object({ waiting: Count, signed: Count, oldest: Nullable(IsoDate) }),
  mintsWaiting: Count,
  balance: Nullable(Type.Object({ wei: Type.String(), deliveriesLeft: Type.Number() })),
  index: Type.Object({
    block: Nullable(Count),
    finalBlock: Nullable(Count),
    haltedReason: Nullable(Type.String()),
  }),
})
export const getStatus = endpoint({
  method: 'GET',
  path: '/internal/ops/status',
  access: 'operator',
  response: OpsStatus,
})

/** Makes a waiting delivery due now, or raises the fee of a signed one. 409 `delivery_over` otherwise. */
export const retryDelivery = endpoint({
  method: 'POST',
  path: '/internal/ops/retry-delivery',
  access: 'operator',
  body: Type.Object({ lineId: Id, ...operatorAction }),
  response: Type.Object({ state: Type.String() }),
})

/** Resumes a halted signer, after an operator has found the reason. 409 `not_halted`. */
export const resumeSigner = endpoint({
  method: 'POST',
  path: '/internal/ops/resume-signer',
  access: 'operator',
  body: Type.Object(operatorAction),
  response: Type.Object({ lost: Count, nextNonce: Count }),
})

/**
 * Sold lines whose delivery is final, and deliveries and tokens of the contracts that the database has no line or mint
 * for: it was restored from a backup, or another process has the key.
 */
export type DeliveredTokens = Static<typeof DeliveredTokens>
export const DeliveredTokens = Type.Object({
  final: Type.Array(Id),
  unexpectedDeliveries: Type.Array(
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
export const listDeliveredTokens = endpoint({
  method: 'GET',
  path: '/internal/ops/tokens',
  access: 'operator',
  response: DeliveredTokens,
})
