/** Operators' endpoints about deliveries and open mints, on the internal port of minting. */
import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Id, IsoDate, Nullable } from '../shapes.ts'

/** At most this many in one response. */
export const DELIVERIES_PAGE = 50

const DeliveryState = Type.Enum(['waiting', 'signed', 'final', 'failed', 'stopped'])

/** The delivery of a sold line, or of a withdrawal or a gift, which has an id of its own. */
export type Delivery = Static<typeof Delivery>
export const Delivery = Type.Object({
  lineId: Id,
  kind: Type.Enum(['sale', 'withdrawal', 'gift']),
  state: DeliveryState,
  orderId: Nullable(Id),
  itemId: Nullable(Id),
  /** `contract/identifier`; null for one that was stopped before it was known. */
  token: Nullable(Type.String()),
  buyerId: Nullable(Id),
  /** Null: into custody. */
  wallet: Nullable(Type.String()),
  deliverBy: Nullable(IsoDate),
  /** Why it failed. */
  reason: Nullable(Type.String()),
  /** Why it was last tried in vain. */
  note: Nullable(Type.String()),
  txHash: Nullable(Type.String()),
  block: Nullable(Type.Integer()),
  createdAt: IsoDate,
  changedAt: IsoDate,
})

export const listDeliveries = endpoint({
  summary: 'Lists deliveries by state',
  description: 'The newest first.',
  method: 'GET',
  path: '/internal/ops/deliveries',
  access: 'operator',
  role: 'chain',
  confirm: 'never',
  /** `after`: `next` of the page before. */
  query: Type.Object({ state: DeliveryState, after: Type.Optional(Id) }),
  response: Type.Object({ deliveries: Type.Array(Delivery), next: Nullable(Id) }),
})

/** A mint that is not final yet. */
export type OpenMint = Static<typeof OpenMint>
export const OpenMint = Type.Object({
  mintId: Id,
  name: Type.String(),
  creatorId: Id,
  /** `accepted` waits for a transaction, `minting` for the end of its transaction. */
  state: Type.Enum(['accepted', 'minting']),
  /** Of the newest attempt. */
  txHash: Nullable(Type.String()),
  createdAt: IsoDate,
})

export const listOpenMints = endpoint({
  summary: 'Lists the mints that are not final yet',
  description: 'The oldest 50.',
  method: 'GET',
  path: '/internal/ops/mints',
  access: 'operator',
  role: 'chain',
  confirm: 'never',
  response: Type.Object({ mints: Type.Array(OpenMint) }),
})

/** A signed transaction with its attempts, oldest first: the same nonce at rising fees. Wei as decimals. */
const DeliveryTransaction = Type.Object({
  signer: Type.String(),
  nonce: Type.Integer(),
  state: Type.Enum(['signed', 'mined', 'final']),
  outcome: Nullable(Type.Enum(['succeeded', 'reverted', 'cancelled', 'lost'])),
  attempts: Type.Array(
    Type.Object({
      hash: Type.String(),
      /** `cancel` uses the nonce up without a delivery. */
      kind: Type.Enum(['call', 'cancel']),
      maxFeePerGas: Type.String(),
      maxPriorityFeePerGas: Type.String(),
      at: IsoDate,
    }),
  ),
  /** How many deliveries are in it. */
  deliveries: Type.Integer(),
  /** What it cost as a whole; null until it is mined, and while the chain's node does not respond. */
  feeWei: Nullable(Type.String()),
})

export const getDelivery = endpoint({
  summary: 'Returns the delivery of a line with its attempts and fees',
  description: '404 `delivery_not_found`.',
  method: 'GET',
  path: '/internal/ops/deliveries/:lineId',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  params: Type.Object({ lineId: Id }),
  response: Type.Object({ ...Delivery.properties, transaction: Nullable(DeliveryTransaction) }),
})
