import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Euros, Id, IsoDate, Nullable } from '../shapes.ts'

/**
 * `GET /internal/ops/rebuilt-orders`: orders that this database lacked after a restore, and the accounts in them that
 * auth does not have, with the name and the address that their card's holder gave to the processor.
 */
export type RebuiltOrders = Static<typeof RebuiltOrders>
export const RebuiltOrders = Type.Object({
  orders: Type.Array(
    Type.Object({
      _id: Id,
      buyerId: Id,
      createdAt: IsoDate,
      state: Type.String(),
      money: Type.String(),
      total: Euros,
      captured: Euros,
      works: Type.Array(Type.Object({ token: Type.String(), name: Type.String() })),
    }),
  ),
  unknownAccounts: Type.Array(
    Type.Object({ userId: Id, name: Nullable(Type.String()), email: Nullable(Type.String()) }),
  ),
  newestPayoutAt: Nullable(IsoDate),
  /** Tokens that minting has no mint of, as `contract/identifier`. */
  unknownTokens: Type.Array(Type.String()),
})
export const listRebuiltOrders = endpoint({
  summary: 'Lists orders that were rebuilt from the processor',
  method: 'GET',
  path: '/internal/ops/rebuilt-orders',
  access: 'operator',
  role: 'money',
  confirm: 'never',
  response: RebuiltOrders,
})
