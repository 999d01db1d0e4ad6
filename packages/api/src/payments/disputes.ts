/** Operators' endpoints about what cardholders' banks object to. Amounts in euros. */
import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Id, IsoDate, Nullable, operatorAction } from '../shapes.ts'
import { Reversal } from './ops-money.ts'

/** A dispute, an inquiry or an early fraud warning that is not decided. */
export type OpenDispute = Static<typeof OpenDispute>
export const OpenDispute = Type.Object({
  ...Reversal.properties,
  orderId: Id,
  buyerId: Id,
  since: IsoDate,
  /** Until when the bank takes evidence; null for a warning. */
  dueBy: Nullable(IsoDate),
  /** True once an operator cleared it: its works are free. */
  cleared: Type.Boolean(),
  /** True once an operator acknowledged its alarm in its present state. */
  acknowledged: Type.Boolean(),
})

/** The oldest first, at most 500. A warning is open until it is cleared. */
export const listDisputes = endpoint({
  method: 'GET',
  path: '/internal/ops/disputes',
  access: 'operator',
  response: Type.Object({ disputes: Type.Array(OpenDispute) }),
})

/**
 * Frees works and shares that a dispute, an inquiry or a warning holds, until it reaches its next stage. Idempotent.
 * 404 `dispute_not_found` for one that holds nothing.
 */
export const clearDispute = endpoint({
  method: 'POST',
  path: '/internal/ops/disputes/clear',
  access: 'operator',
  body: Type.Object({ reversalId: Type.String({ minLength: 1, maxLength: 100 }), ...operatorAction }),
  response: Reversal,
})

/** An account with lost disputes may buy again, until it loses another one. Returns how many were lost since. */
export const allowBuyer = endpoint({
  method: 'POST',
  path: '/internal/ops/buyers/allow',
  access: 'operator',
  body: Type.Object({ userId: Id, ...operatorAction }),
  response: Type.Object({ disputes: Type.Integer() }),
})
