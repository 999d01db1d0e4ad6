import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Id, IsoDate, Nullable, operatorAction } from '../shapes.ts'

const Count = Type.Integer()

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
export const getStatus = endpoint({
  method: 'GET',
  path: '/internal/ops/status',
  access: 'operator',
  response: OpsStatus,
})

/** `POST /internal/ops/retry-delivery`: now instead of later, or with a higher fee. */
export const retryDelivery = endpoint({
  method: 'POST',
  path: '/internal/ops/retry-delivery',
  access: 'operator',
  body: Type.Object({ lineId: Id, ...operatorAction }),
  response: Type.Object({ state: Type.String() }),
})

/** `POST /internal/ops/resume-signer`: after a person found out why it was halted. */
export const resumeSigner = endpoint({
  method: 'POST',
  path: '/internal/ops/resume-signer',
  access: 'operator',
  body: Type.Object(operatorAction),
  response: Type.Object({ lost: Count, nextNonce: Count }),
})

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
export const listDeliveredTokens = endpoint({
  method: 'GET',
  path: '/internal/ops/tokens',
  access: 'operator',
  response: DeliveredTokens,
})
