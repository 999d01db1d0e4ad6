/**
 * Export of one's own data: every service has one endpoint, the page puts the answers together. Each has the security
 * events that its service recorded.
 */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Id, Nullable, operatorAction } from './shapes.ts'

/** At most this many records in one response. */
export const OWN_DATA_PAGE = 500

/**
 * A page of what a service stores about the caller. Amounts are integer cents, times ISO 8601 in UTC. `kind` names the
 * table-like group of a record, such as `order` or `session`; the records of a kind follow each other.
 */
export type OwnData = Static<typeof OwnData>
export const OwnData = Type.Object({
  records: Type.Array(Type.Object({ kind: Type.String(), data: Type.Record(Type.String(), Type.Unknown()) }), {
    maxItems: OWN_DATA_PAGE,
  }),
  /** Of the next page, for `after`; null on the last one. */
  next: Nullable(Type.String()),
})

const exported = {
  method: 'GET',
  access: 'account',
  stepUp: 'always',
  /** `next` of the page before. 400 `invalid_cursor`. */
  query: Type.Object({ after: Type.Optional(Type.String({ maxLength: 200 })) }),
  response: OwnData,
} as const

export const exportAccount = endpoint({
  summary: 'Exports account, sessions, second factor and security events',
  description: 'No passwords, tokens, secrets or hashes of them.',
  ...exported,
  path: '/api/auth/export',
})
export const exportMints = endpoint({
  summary: 'Exports mints, withdrawals, gifts, permits and links of certificates',
  ...exported,
  path: '/api/mints/export',
})
export const exportWorks = endpoint({
  summary: 'Exports works that the account made or owns',
  description: "With their history as far as it is the account's.",
  ...exported,
  path: '/api/creators/export',
})
export const exportOrders = endpoint({
  summary: 'Exports orders, refunds, shares of sales and payouts',
  ...exported,
  path: '/api/orders/export',
})
export const exportMails = endpoint({
  summary: 'Exports the address for mails',
  description:
    'Once it is confirmed also the newsletter, messages of the contact page, and the mails of the last 30 days, without their text.',
  ...exported,
  path: '/api/subscribe/export',
})

/** Every service has it on its internal port, with the sections of its export. */
export const exportOwnData = endpoint({
  summary: 'Exports what the service stores about an account, for its owner',
  description:
    'For a person who asks by letter, after proof of who it is. A page of the export that the owner gets in the ' +
    'settings; the first one is recorded. 400 `invalid_cursor`.',
  method: 'POST',
  path: '/internal/ops/own-data',
  access: 'operator',
  role: 'owner',
  confirm: 'always',
  body: Type.Object({ userId: Id, after: Type.Optional(Type.String({ maxLength: 200 })), ...operatorAction }),
  response: OwnData,
})
