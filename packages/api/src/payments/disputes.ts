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

export const listDisputes = endpoint({
  summary: 'Lists disputes, inquiries and warnings',
  description: 'The oldest first, at most 500. A warning is open until it is cleared.',
  method: 'GET',
  path: '/internal/ops/disputes',
  access: 'operator',
  role: 'money',
  confirm: 'never',
  response: Type.Object({ disputes: Type.Array(OpenDispute) }),
})

export const clearDispute = endpoint({
  summary: 'Frees works and shares that a dispute, an inquiry or a warning holds',
  description: 'Until it reaches its next stage. Idempotent. 404 `dispute_not_found` for one that holds nothing.',
  method: 'POST',
  path: '/internal/ops/disputes/clear',
  access: 'operator',
  role: 'money',
  confirm: 'always',
  body: Type.Object({ reversalId: Type.String({ minLength: 1, maxLength: 100 }), ...operatorAction }),
  response: Reversal,
})

export const allowBuyer = endpoint({
  summary: 'Allows an account with lost disputes to buy again',
  description: 'Until it loses another one. Returns how many were lost since.',
  method: 'POST',
  path: '/internal/ops/buyers/allow',
  access: 'operator',
  role: 'money',
  confirm: 'always',
  body: Type.Object({ userId: Id, ...operatorAction }),
  response: Type.Object({ disputes: Type.Integer() }),
})
