import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Done, Id, IsoDate, Nullable, UtcTime } from '../shapes.ts'
import { NotificationFlags } from './account.ts'

/**
 * Keys whose tokens are accepted, and ended sessions whose tokens have not expired: all, or at least those since
 * `since`.
 */
export type SessionList = Static<typeof SessionList>
export const SessionList = Type.Object({
  keys: Type.Array(Type.Object({ kid: Type.String(), publicKey: Type.String() })),
  endedSessions: Type.Array(Type.String()),
  /** For `since` of the next reading. Absent: auth is of a former release, and the list has all. */
  cursor: Type.Optional(Type.String()),
})
export const listSessions = endpoint({
  summary: 'Lists accepted keys and ended sessions',
  method: 'GET',
  path: '/internal/sessions',
  access: 'service',
  callers: ['minting', 'catalog', 'payments', 'notification'],
  query: Type.Object({ since: Type.Optional(Type.String({ pattern: '^\\d{1,19}$' })) }),
  response: SessionList,
})

/** Whether an account may buy, and the wallet that receives its tokens. */
export type Buyer = Static<typeof Buyer>
export const Buyer = Type.Object({
  userId: Id,
  username: Type.String(),
  email: Type.String(),
  emailConfirmed: Type.Boolean(),
  wallet: Nullable(Type.String()),
  suspended: Type.Boolean(),
  /** Absent in a response of an older release. */
  createdAt: Type.Optional(IsoDate),
})
export const getBuyer = endpoint({
  summary: 'Returns whether an account may buy',
  method: 'GET',
  path: '/internal/buyers/:id',
  access: 'service',
  callers: ['payments'],
  params: Type.Object({ id: Id }),
  response: Buyer,
})

export const findSuspended = endpoint({
  summary: 'Finds those accounts that are suspended or frozen',
  description: 'By an operator, or by their owner.',
  method: 'POST',
  path: '/internal/suspended-accounts',
  access: 'service',
  callers: ['payments'],
  body: Type.Object({ userIds: Type.Array(Id, { maxItems: 1_000 }) }),
  response: Type.Object({ userIds: Type.Array(Id) }),
})

export const keepBidder = endpoint({
  summary: 'Keeps the account of a bidder from deletion, before the bid stands',
  description:
    'Idempotent by order id. `allowed`: false of an account that is suspended, frozen or deleted, whose bid must not ' +
    'stand.',
  method: 'PUT',
  path: '/internal/open-bids/:orderId',
  access: 'service',
  callers: ['payments'],
  params: Type.Object({ orderId: Id }),
  body: Type.Object({
    buyerId: Id,
    sellerId: Id,
    /** Of the work. */
    name: Type.String(),
    /** The end of the hold: the auction is decided before. */
    until: UtcTime,
  }),
  response: Type.Object({ allowed: Type.Boolean() }),
})

export const switchNotifications = endpoint({
  summary: 'Switches notification flags of an account',
  description: 'As an unsubscribe link does. 404 for an unknown account.',
  method: 'POST',
  path: '/internal/accounts/:id/notifications',
  access: 'service',
  callers: ['notification'],
  params: Type.Object({ id: Id }),
  body: Type.Partial(NotificationFlags),
  response: Done,
})

/** Whether an account may withdraw works out of custody, and the wallet that receives them: one state of auth. */
export type Withdrawer = Static<typeof Withdrawer>
export const Withdrawer = Type.Object({
  wallet: Nullable(Type.String()),
  emailConfirmed: Type.Boolean(),
  /** Suspended by an operator, or frozen by its owner. */
  suspended: Type.Boolean(),
  /** The end of the waiting time after a change of wallet, e-mail address or password; null when none runs. */
  waitsUntil: Nullable(IsoDate),
})
export const getWithdrawer = endpoint({
  summary: 'Returns whether an account may withdraw works out of custody',
  method: 'GET',
  path: '/internal/withdrawers/:id',
  access: 'service',
  callers: ['minting', 'notification'],
  params: Type.Object({ id: Id }),
  response: Withdrawer,
})

export const announceExport = endpoint({
  summary: 'Mails the owner that the personal data in a service is exported',
  description: 'Once a day. 404 for an unknown account.',
  method: 'POST',
  path: '/internal/accounts/:id/exports',
  access: 'service',
  callers: ['minting', 'catalog', 'payments', 'notification'],
  params: Type.Object({ id: Id }),
  response: Done,
})
