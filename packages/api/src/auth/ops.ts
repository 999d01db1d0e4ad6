import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Id, IsoDate, Nullable, operatorAction, UtcTime } from '../shapes.ts'

const accountAction = {
  access: 'operator',
  body: Type.Object({ email: Type.String({ minLength: 1, maxLength: 254 }), ...operatorAction }),
  response: Type.Object({ success: Type.Literal(true), userId: Id }),
} as const

export const grantAdmin = endpoint({
  summary: 'Allows the account to mint and to sell',
  method: 'POST',
  path: '/internal/ops/grant-admin',
  role: 'owner',
  confirm: 'always',
  ...accountAction,
})
export const revokeAdmin = endpoint({
  summary: 'Takes from an account the right to mint and to sell',
  method: 'POST',
  path: '/internal/ops/revoke-admin',
  role: 'owner',
  confirm: 'always',
  ...accountAction,
})

export const suspendAccount = endpoint({
  summary: 'Suspends an account',
  description: 'Ends all sessions of the account and refuses log-ins until it is reinstated.',
  method: 'POST',
  path: '/internal/ops/suspend-account',
  role: 'moderation',
  confirm: 'always',
  ...accountAction,
})
export const reinstateAccount = endpoint({
  summary: 'Ends the suspension of an account',
  method: 'POST',
  path: '/internal/ops/reinstate-account',
  role: 'moderation',
  confirm: 'always',
  ...accountAction,
})

export const confirmEmail = endpoint({
  summary: "Confirms the account's e-mail address without the link of the confirmation mail",
  method: 'POST',
  path: '/internal/ops/confirm-email',
  role: 'support',
  confirm: 'never',
  ...accountAction,
})

export const removeSecondFactorOf = endpoint({
  summary: 'Turns off the second factor of an account',
  description:
    "For an owner who has neither the app nor a recovery code; ends the account's sessions. The owner gets a " +
    'mail. 409 `no_second_factor`.',
  method: 'POST',
  path: '/internal/ops/remove-second-factor',
  role: 'owner',
  confirm: 'always',
  ...accountAction,
})

export const unfreezeAccount = endpoint({
  summary: 'Ends a freeze without the reset mail, or undoes a requested deletion',
  description:
    "`email` is the address that the owner keeps: the account's present one, or the one that the link was mailed " +
    'to. 409 `not_frozen`.',
  method: 'POST',
  path: '/internal/ops/unfreeze',
  role: 'owner',
  confirm: 'always',
  ...accountAction,
})

export const describeAccount = endpoint({
  summary: 'Returns the account of an id or an e-mail address',
  description:
    'Security events name accounts by id, commands and customers by address. POST, so that no address is in a ' +
    'URL, and the look-up is a security event. 404 `account_not_found`.',
  method: 'POST',
  path: '/internal/ops/describe-account',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  body: Type.Object({ account: Type.String({ minLength: 1, maxLength: 254 }) }),
  response: Type.Object({
    userId: Id,
    username: Type.String(),
    email: Type.String(),
    pendingEmail: Nullable(Type.String()),
    emailConfirmed: Type.Boolean(),
    admin: Type.Boolean(),
    suspended: Type.Boolean(),
    frozen: Type.Boolean(),
    /** Since when the account is being deleted: a mailed link can still undo it. */
    deletionRequestedAt: Nullable(IsoDate),
    hasSecondFactor: Type.Boolean(),
  }),
})

/** Log-ins from one IP address; of IPv6 an address can stand for those of its /48. */
export type LogInAddress = Static<typeof LogInAddress>
export const LogInAddress = Type.Object({
  address: Type.String(),
  /** Failed and delayed attempts. */
  failed: Type.Integer(),
  /** Accounts for which they failed. */
  accounts: Type.Integer(),
  /** Accounts that were entered from there, at most ten. */
  entered: Type.Array(Id),
})

export const listFailedLogIns = endpoint({
  summary: 'Counts failed log-ins by IP address',
  description:
    'The 100 addresses that failed for the most accounts, and how many addresses and accounts there are in all. Guesses ' +
    'at addresses without an account are counted by the metrics only.',
  method: 'GET',
  path: '/internal/ops/failed-log-ins',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  query: Type.Object({ since: UtcTime }),
  response: Type.Object({
    addresses: Type.Array(LogInAddress),
    addressesInAll: Type.Integer(),
    accountsInAll: Type.Integer(),
  }),
})

export const countSellers = endpoint({
  summary: 'Counts the accounts that may mint and sell',
  method: 'GET',
  path: '/internal/ops/sellers',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  response: Type.Object({ sellers: Type.Integer() }),
})

/** An application that waits, for operators. */
export type WaitingApplication = Static<typeof WaitingApplication>
export const WaitingApplication = Type.Object({
  applicationId: Id,
  userId: Id,
  username: Type.String(),
  name: Type.String(),
  email: Type.String(),
  links: Type.Array(Type.String()),
  message: Type.String(),
  createdAt: IsoDate,
  /** Applications of this account that were declined before. */
  declinedBefore: Type.Integer(),
})

export const listSellerApplications = endpoint({
  summary: 'Lists applications that wait for an answer',
  description: 'The oldest 100, oldest first, and how many wait in all.',
  method: 'GET',
  path: '/internal/ops/seller-applications',
  access: 'operator',
  role: 'owner',
  confirm: 'never',
  response: Type.Object({ applications: Type.Array(WaitingApplication), waiting: Type.Integer() }),
})

export const answerSellerApplication = endpoint({
  summary: 'Answers the application of an account',
  description:
    'It gets a mail with `answer`. Granting it also allows the account to mint and to sell, and ends its ' +
    'sessions. 404 `account_not_found`; 409 `no_application` when this one does not wait any more.',
  method: 'POST',
  path: '/internal/ops/answer-seller-application',
  access: 'operator',
  role: 'owner',
  confirm: 'always',
  body: Type.Object({
    email: Type.String({ minLength: 1, maxLength: 254 }),
    /** The one that was read: the account may have withdrawn it and sent another. */
    applicationId: Id,
    grant: Type.Boolean(),
    answer: Type.String({ maxLength: 1_000 }),
    ...operatorAction,
  }),
  response: Type.Object({ success: Type.Literal(true), userId: Id }),
})
