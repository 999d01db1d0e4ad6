import { Type } from 'typebox'
import { defineEvent } from './define-event.ts'
import { Address, At, Id } from './shapes.ts'

export const NotificationFlags = Type.Object({
  mention: Type.Boolean(),
  follow: Type.Boolean(),
  shareActivity: Type.Boolean(),
  message: Type.Boolean(),
  salePromotion: Type.Boolean(),
  companyNews: Type.Boolean(),
  weeklyJobs: Type.Boolean(),
  unsubscribeNews: Type.Boolean(),
})

/**
 * What an account is now, whole. Said at sign-up and after every change, so that a neighbour keeps its copy by
 * taking the newest `version` and needs no other message.
 */
export const accountChanged = defineEvent({
  name: 'auth.account-changed.v1',
  key: 'userId',
  data: Type.Object({
    userId: Id,
    /** Grows with every change; an older one is ignored. */
    version: Type.Integer({ minimum: 1 }),
    username: Type.String(),
    firstName: Type.String(),
    lastName: Type.String(),
    email: Type.String(),
    avatar: Type.Union([Type.String(), Type.Null()]),
    description: Type.String(),
    admin: Type.Boolean(),
    suspended: Type.Boolean(),
    wallet: Type.Union([Address, Type.Null()]),
    /** Only a signature proves that the wallet is this account's. */
    walletProven: Type.Boolean(),
    notifications: NotificationFlags,
    at: At,
  }),
})

/** Personal data goes at once; snapshots that open orders need stay until those are over. */
export const accountDeleted = defineEvent({
  name: 'auth.account-deleted.v1',
  key: 'userId',
  data: Type.Object({ userId: Id, username: Type.String(), email: Type.String(), firstName: Type.String(), at: At }),
})

/** `token` opens `/accept`. `purpose` says whether a new account or a new address is confirmed. */
export const emailConfirmationRequested = defineEvent({
  name: 'auth.email-confirmation-requested.v1',
  key: 'userId',
  data: Type.Object({
    userId: Id,
    email: Type.String(),
    firstName: Type.String(),
    token: Type.String(),
    purpose: Type.Union([Type.Literal('sign_up'), Type.Literal('new_address')]),
    at: At,
  }),
})

/** Somebody signed up with an address that has an account: its owner is told, the caller is not. */
export const signUpRepeated = defineEvent({
  name: 'auth.sign-up-repeated.v1',
  key: 'userId',
  data: Type.Object({ userId: Id, email: Type.String(), firstName: Type.String(), at: At }),
})

/** `token` opens `/reset-password/{token}`: single use, ten minutes. */
export const passwordResetRequested = defineEvent({
  name: 'auth.password-reset-requested.v1',
  key: 'userId',
  data: Type.Object({ userId: Id, email: Type.String(), firstName: Type.String(), token: Type.String(), at: At }),
})

/** Something an owner should hear of at the address the account had until now. */
export const securityNoticed = defineEvent({
  name: 'auth.security-noticed.v1',
  key: 'userId',
  data: Type.Object({
    userId: Id,
    email: Type.String(),
    firstName: Type.String(),
    what: Type.Union([Type.Literal('password_changed'), Type.Literal('email_changed'), Type.Literal('wallet_changed')]),
    at: At,
  }),
})
