import { Type } from 'typebox'
import { defineEvent } from './define-event.ts'
import { Address, At, Cents, Id } from './shapes.ts'

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
 * The whole account, published at sign-up and after every change. A consumer that stores the newest `version` has a
 * complete copy and needs no other event.
 */
export const accountChanged = defineEvent({
  name: 'auth.account-changed.v1',
  key: 'userId',
  consumers: ['catalog', 'minting', 'notification'],
  data: Type.Object({
    userId: Id,
    /** Incremented by every change; consumers ignore older ones. */
    version: Type.Integer({ minimum: 1 }),
    username: Type.String(),
    firstName: Type.String(),
    lastName: Type.String(),
    email: Type.String(),
    avatar: Type.Union([Type.String(), Type.Null()]),
    description: Type.String(),
    admin: Type.Boolean(),
    /** By an operator, or frozen by its owner, or being deleted. */
    suspended: Type.Boolean(),
    /** Suspended by the owner's freeze alone: a bid that leads stays. */
    frozen: Type.Optional(Type.Literal(true)),
    wallet: Type.Union([Address, Type.Null()]),
    /** Only a signature proves that the wallet is this account's. */
    walletProven: Type.Boolean(),
    notifications: NotificationFlags,
    at: At,
  }),
})

/**
 * Consumers erase personal data at once, except for snapshots that open orders need until they end. `handBack` is
 * present when works in custody were given up: `code`, encrypted for notification, goes into the mail to the owner;
 * minting accepts it from an operator, and keeps `codeHash` (SHA-256, hex).
 */
export const accountDeleted = defineEvent({
  name: 'auth.account-deleted.v1',
  key: 'userId',
  consumers: ['catalog', 'minting', 'notification', 'payments'],
  data: Type.Object({
    userId: Id,
    username: Type.String(),
    email: Type.String(),
    firstName: Type.String(),
    handBack: Type.Optional(Type.Object({ code: Type.String(), codeHash: Type.String() })),
    at: At,
  }),
})

/**
 * A deletion that the links of earlier mails can still undo. One for each address that gets a mail: `freezeToken`,
 * encrypted for notification, belongs to the link to `/freeze-account`, which undoes it for 72 hours; null for the
 * account's present address, where that has no such link.
 */
export const deletionRequested = defineEvent({
  name: 'auth.deletion-requested.v1',
  key: 'userId',
  consumers: ['notification'],
  data: Type.Object({
    userId: Id,
    email: Type.String(),
    firstName: Type.String(),
    freezeToken: Type.Union([Type.String(), Type.Null()]),
    at: At,
  }),
})

/** `token`, encrypted for notification, belongs to the link to `/accept`, which confirms a new account or address. */
export const emailConfirmationRequested = defineEvent({
  name: 'auth.email-confirmation-requested.v1',
  key: 'userId',
  consumers: ['notification'],
  data: Type.Object({
    userId: Id,
    email: Type.String(),
    firstName: Type.String(),
    token: Type.String(),
    purpose: Type.Union([Type.Literal('sign_up'), Type.Literal('new_address')]),
    at: At,
  }),
})

/**
 * A sign-up or a change of address used the address of an existing account. The owner gets a mail; with an empty
 * `email` there is none, or too many were sent.
 */
export const signUpRepeated = defineEvent({
  name: 'auth.sign-up-repeated.v1',
  key: 'userId',
  consumers: ['notification'],
  data: Type.Object({ userId: Id, email: Type.String(), firstName: Type.String(), at: At }),
})

/**
 * `token`, encrypted for notification, belongs to the link to `/reset-password/{token}`, which also has the time of the
 * sending (`withSendingTime`): single use, an hour from then on. After `sendBefore` the mail is not sent. Published for
 * an address without an account, too, so that the load does not reveal it: `email` is empty then, and `userId` of no
 * account.
 */
export const passwordResetRequested = defineEvent({
  name: 'auth.password-reset-requested.v1',
  key: 'userId',
  consumers: ['notification'],
  data: Type.Object({
    userId: Id,
    email: Type.String(),
    firstName: Type.String(),
    token: Type.String(),
    sendBefore: Type.Optional(At),
    at: At,
  }),
})

/**
 * The password was replaced by a mailed link: somebody else may have acted in the account before. What the owner's
 * wallet has signed for the store ends.
 */
export const passwordReset = defineEvent({
  name: 'auth.password-reset.v1',
  key: 'userId',
  consumers: ['catalog', 'minting'],
  data: Type.Object({ userId: Id, at: At }),
})

/**
 * A change that the owner is notified of at `email`, the address before the change. `freezeToken`, encrypted for
 * notification, belongs to the link to `/freeze-account`, which freezes the account: 72 hours.
 */
export const securityNoticeRequested = defineEvent({
  name: 'auth.security-notice-requested.v1',
  key: 'userId',
  consumers: ['notification'],
  data: Type.Object({
    userId: Id,
    email: Type.String(),
    firstName: Type.String(),
    what: Type.Union([
      Type.Literal('password_changed'),
      Type.Literal('email_change_requested'),
      Type.Literal('email_changed'),
      Type.Literal('wallet_changed'),
      Type.Literal('withdrawal_requested'),
      Type.Literal('new_device'),
      Type.Literal('second_factor_on'),
      Type.Literal('second_factor_off'),
      Type.Literal('recovery_codes_replaced'),
      Type.Literal('passkey_added'),
      Type.Literal('passkey_renamed'),
      Type.Literal('passkey_removed'),
    ]),
    /** The new address or wallet, or the browser and network of a log-in; null where there is none. */
    to: Type.Union([Type.String(), Type.Null()]),
    /** Name of the work that is withdrawn, where this store minted it. */
    work: Type.Optional(Type.String()),
    freezeToken: Type.String(),
    at: At,
  }),
})

/**
 * A work of the account was listed at an unusually low price, in cents. The owner is notified at `email`; `freezeToken`
 * as above. An event of its own, because `what` takes no further value.
 */
export const unusualPriceNoticed = defineEvent({
  name: 'auth.unusual-price-noticed.v1',
  key: 'userId',
  consumers: ['notification'],
  data: Type.Object({
    userId: Id,
    email: Type.String(),
    firstName: Type.String(),
    name: Type.String(),
    priceCents: Cents,
    formerCents: Cents,
    freezeToken: Type.String(),
    at: At,
  }),
})

/**
 * The owner's mails about own sales were switched off in the profile, which needs the bearer token alone. The owner is
 * notified at `email`, at most three times an hour; `freezeToken` as above. An event of its own, because `what` takes
 * no further value.
 */
export const saleMailsSwitchedOff = defineEvent({
  name: 'auth.sale-mails-switched-off.v1',
  key: 'userId',
  consumers: ['notification'],
  data: Type.Object({ userId: Id, email: Type.String(), firstName: Type.String(), freezeToken: Type.String(), at: At }),
})

/**
 * A sign of danger that changed nothing, a reading of personal data, or a gift, mailed to the owner. `what` is
 * `wrong_code`, `data_exported` (each once a day), `gift_given` or `gift_corrected` (a new address); notification has a
 * general text for other values. `freezeToken` as above.
 */
export const securityWarningRequested = defineEvent({
  name: 'auth.security-warning-requested.v1',
  key: 'userId',
  consumers: ['notification'],
  data: Type.Object({
    userId: Id,
    email: Type.String(),
    firstName: Type.String(),
    what: Type.String({ maxLength: 40 }),
    /** Name of the work that is a gift. */
    work: Type.Optional(Type.String()),
    freezeToken: Type.String(),
    at: At,
  }),
})

/**
 * An operator removed parts of a profile; its owner gets a mail with the reason. `parts`: `avatar`, `cover`, `name`,
 * `description`, `links`; notification leaves out other values.
 */
export const profilePartsRemoved = defineEvent({
  name: 'auth.profile-parts-removed.v1',
  key: 'userId',
  consumers: ['notification'],
  data: Type.Object({
    userId: Id,
    email: Type.String(),
    parts: Type.Array(Type.String({ maxLength: 40 })),
    reason: Type.String(),
    at: At,
  }),
})

/**
 * An account applied to sell, or an operator decided on it. `waiting`: the applicant gets a receipt, the operator the
 * application; else the applicant gets the decision. `granted` is also published where none waited, with empty texts.
 * `answer`: the operator's words, empty where nothing.
 */
export const sellerApplicationChanged = defineEvent({
  name: 'auth.seller-application-changed.v1',
  key: 'userId',
  consumers: ['notification'],
  data: Type.Object({
    applicationId: Id,
    userId: Id,
    username: Type.String(),
    email: Type.String(),
    firstName: Type.String(),
    state: Type.String({ maxLength: 40 }),
    answer: Type.String(),
    links: Type.Array(Type.String()),
    message: Type.String(),
    at: At,
  }),
})
