import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Id, IsoDate, Nullable, operatorAction } from '../shapes.ts'

const accountAction = {
  access: 'operator',
  body: Type.Object({ email: Type.String({ minLength: 1, maxLength: 254 }), ...operatorAction }),
  response: Type.Object({ success: Type.Literal(true), userId: Id }),
} as const

/** Allows the account to mint and to sell. */
export const grantAdmin = endpoint({ method: 'POST', path: '/internal/ops/grant-admin', ...accountAction })
export const revokeAdmin = endpoint({ method: 'POST', path: '/internal/ops/revoke-admin', ...accountAction })

/** Ends all sessions of the account and refuses log-ins until it is reinstated. */
export const suspendAccount = endpoint({ method: 'POST', path: '/internal/ops/suspend-account', ...accountAction })
export const reinstateAccount = endpoint({ method: 'POST', path: '/internal/ops/reinstate-account', ...accountAction })

/** Confirms the account's e-mail address without the link of the confirmation mail. */
export const confirmEmail = endpoint({ method: 'POST', path: '/internal/ops/confirm-email', ...accountAction })

/**
 * Turns off the second factor of an owner who has neither the app nor a recovery code, and ends the account's sessions.
 * The owner gets a mail. 409 `no_second_factor`.
 */
export const removeSecondFactorOf = endpoint({
  method: 'POST',
  path: '/internal/ops/remove-second-factor',
  ...accountAction,
})

/**
 * Ends a freeze without the reset mail, or undoes a requested deletion. `email` is the address that the owner keeps:
 * the account's present one, or the one that the link was mailed to. 409 `not_frozen`.
 */
export const unfreezeAccount = endpoint({ method: 'POST', path: '/internal/ops/unfreeze', ...accountAction })

/**
 * The account of an id or an e-mail address: security events name accounts by id, commands and customers by address.
 * POST, so that no address is in a URL, and the look-up is a security event. 404 `account_not_found`.
 */
export const describeAccount = endpoint({
  method: 'POST',
  path: '/internal/ops/describe-account',
  access: 'operator',
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

/** How many accounts may mint and sell. */
export const countSellers = endpoint({
  method: 'GET',
  path: '/internal/ops/sellers',
  access: 'operator',
  response: Type.Object({ sellers: Type.Integer() }),
})

/** An application that waits, for operators. */
export type WaitingApplication = Static<typeof WaitingApplication>
export const WaitingApplication = Type.Object({
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

/** The oldest 100 applications that wait for an answer, oldest first, and how many wait in all. */
export const listSellerApplications = endpoint({
  method: 'GET',
  path: '/internal/ops/seller-applications',
  access: 'operator',
  response: Type.Object({ applications: Type.Array(WaitingApplication), waiting: Type.Integer() }),
})

/**
 * Answers the application of an account, which gets a mail with `answer`. Granting it also allows the account to mint
 * and to sell, and ends its sessions. 404 `account_not_found`; 409 `no_application` when none waits.
 */
export const answerSellerApplication = endpoint({
  method: 'POST',
  path: '/internal/ops/answer-seller-application',
  access: 'operator',
  body: Type.Object({
    email: Type.String({ minLength: 1, maxLength: 254 }),
    grant: Type.Boolean(),
    answer: Type.String({ maxLength: 1_000 }),
    ...operatorAction,
  }),
  response: Type.Object({ success: Type.Literal(true), userId: Id }),
})
