/** Operators' endpoints about works whose mint was lost with a database. */
import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Acknowledgement, Id, Nullable, operatorAction } from '../shapes.ts'

/** A token, `contract/identifier`, as minting's index of the chain and catalog have it. */
export type TokenSides = Static<typeof TokenSides>
export const TokenSides = Type.Object({
  token: Type.String(),
  /**
   * Null: no final block has the token. `hasMint`: minting has its description, so its events can be published again.
   */
  chain: Nullable(Type.Object({ ownerId: Nullable(Id), hasMint: Type.Boolean() })),
  /** Null: catalog has no such work. */
  item: Nullable(Type.Object({ ownerId: Nullable(Id) })),
  /** How the sides differ now; null when they agree. */
  difference: Nullable(Type.String()),
  acknowledged: Nullable(Acknowledgement),
})
export const compareToken = endpoint({
  summary: 'Compares what each service and the chain have of a token',
  method: 'GET',
  path: '/internal/ops/token-sides',
  access: 'operator',
  role: 'money',
  confirm: 'never',
  query: Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }),
  response: TokenSides,
})

export const acknowledgeLostWork = endpoint({
  summary: 'Records that the work of a token is lost',
  description:
    'Reconciliation lists the difference, and does not count it. Idempotent. 404 `difference_not_found` unless a ' +
    'reconciliation found it, 409 `work_not_lost` when catalog has the work.',
  method: 'POST',
  path: '/internal/ops/lost-works',
  access: 'operator',
  role: 'money',
  confirm: 'always',
  body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }), ...operatorAction }),
  response: TokenSides,
})
