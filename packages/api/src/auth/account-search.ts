/** Operators' endpoint that finds accounts. */
import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Id, IsoDate, Nullable } from '../shapes.ts'
import { accountStates } from './account-states.ts'

export type FoundAccount = Static<typeof FoundAccount>
/** The optional fields are for the role `support`; the others are what payouts and refunds need. */
export const FoundAccount = Type.Object({
  userId: Id,
  /** With its "@". */
  username: Type.String(),
  email: Type.String(),
  firstName: Type.Optional(Type.String()),
  lastName: Type.Optional(Type.String()),
  emailConfirmed: Type.Optional(Type.Boolean()),
  /** With checksum; null without one. */
  wallet: Type.Optional(Nullable(Type.String())),
  /** May mint and sell. */
  admin: Type.Optional(Type.Boolean()),
  suspended: Type.Optional(Type.Boolean()),
  frozen: Type.Optional(Type.Boolean()),
  deletionRequestedAt: Type.Optional(Nullable(IsoDate)),
  createdAt: Type.Optional(IsoDate),
})

export const searchAccounts = endpoint({
  summary: 'Finds accounts',
  description:
    'That match every given field, newest first, 50 a page. `search` is an id, an e-mail address (also the former one ' +
    'through which a frozen or closed account returns to its owner), a wallet, a user name with its "@", or a part of ' +
    'a name. POST, so that no search is in a URL, and each one is a security event. Without the role `support` only ' +
    'id, user name and address of each are returned. 400 `invalid_cursor` for an `after` that is no account.',
  method: 'POST',
  path: '/internal/ops/accounts/search',
  access: 'operator',
  role: 'support',
  alsoFor: ['money'],
  confirm: 'never',
  body: Type.Object(
    {
      search: Type.Optional(Type.String({ minLength: 1, maxLength: 254, pattern: '\\S' })),
      /** At most 200, for the names beside ids; those of deleted accounts are left out. One page has them all. */
      ids: Type.Optional(Type.Array(Id, { maxItems: 200 })),
      state: Type.Optional(Type.Enum(accountStates)),
      /** `next` of the page before. */
      after: Type.Optional(Id),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({ accounts: Type.Array(FoundAccount), next: Nullable(Id) }),
})
