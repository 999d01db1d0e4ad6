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

/** What a bank reads about a disputed payment. */
export type Evidence = Static<typeof Evidence>
export const Evidence = Type.Object({
  customerName: Type.Optional(Type.String({ maxLength: 200 })),
  customerEmail: Type.Optional(Type.String({ maxLength: 254 })),
  /** Day of the delivery. */
  serviceDate: Type.Optional(Type.String({ maxLength: 100 })),
  /** What was sold. */
  description: Type.Optional(Type.String({ maxLength: 20_000 })),
  /** Everything else: the order with its times, the delivering transaction, the terms. */
  text: Type.Optional(Type.String({ maxLength: 20_000 })),
})

const byId = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) })

export const getEvidence = endpoint({
  summary: 'Returns the evidence about a disputed order as files',
  description:
    'The order as JSON and as text, and the terms that its buyer accepted; with `evidence` as it could be submitted. ' +
    'The mails about it are in notification (`findMails`). 404 `dispute_not_found`.',
  method: 'GET',
  path: '/internal/ops/disputes/:id/evidence',
  access: 'operator',
  role: 'money',
  confirm: 'never',
  params: byId,
  response: Type.Object({
    dispute: Reversal,
    orderId: Id,
    buyerId: Id,
    /** Of the order: mails name an order or a line. */
    lineIds: Type.Array(Id),
    dueBy: Nullable(IsoDate),
    /** As it is stored here; the processor decides. */
    takesEvidence: Type.Boolean(),
    evidence: Evidence,
    files: Type.Array(Type.Object({ name: Type.String(), text: Type.String() })),
  }),
})

export const submitEvidence = endpoint({
  summary: 'Submits evidence about a dispute to the processor',
  description:
    'Once: the bank decides then. 404 `dispute_not_found`; 409 `dispute_takes_no_evidence` with the present ' +
    '`details.status`; 503 `processor_unavailable` while it is not known whether it was submitted.',
  method: 'POST',
  path: '/internal/ops/disputes/:id/evidence',
  access: 'operator',
  role: 'money',
  confirm: 'always',
  params: byId,
  body: Type.Object({ evidence: Evidence, ...operatorAction }),
  response: Reversal,
})
