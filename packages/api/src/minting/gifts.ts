import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { EmailAddress, Id, IsoDate, Nullable } from '../shapes.ts'

/**
 * `bought`: nothing was mailed yet, because its purchase is not charged, or because of `waitsFor`. `offered`: the mail
 * is out. `claiming`: its recipient claimed it, and no final block has the change yet. `claimed`: it is the
 * recipient's. The others are the giver's again: `taken_back`, `refunded` with its purchase, `lapsed` after 90 days,
 * `ended` when the purchase was released or the work moved on.
 */
export const giftStates = [
  'bought',
  'offered',
  'claiming',
  'claimed',
  'taken_back',
  'refunded',
  'lapsed',
  'ended',
] as const
export type GiftState = (typeof giftStates)[number]

/** What the mail's link leads to. */
const GiftedWork = {
  contract: Type.String(),
  identifier: Type.String(),
  name: Type.String(),
  /** Path of its image; null when the store has none. */
  image: Nullable(Type.String()),
  state: Type.Enum(giftStates),
  text: Type.String(),
  /** Until when it can be claimed; null before its mail was sent. */
  until: Nullable(IsoDate),
}

/** A gift as its giver or its recipient sees it. The giver learns nothing of who has the address. */
export type Gift = Static<typeof Gift>
export const Gift = Type.Object({
  _id: Id,
  role: Type.Enum(['giver', 'recipient']),
  ...GiftedWork,
  /** The order that bought it; null for a work that its giver owned, and for its recipient. */
  orderId: Nullable(Id),
  /** Where the link was mailed to; null for the recipient, and a month after the gift ended. */
  email: Nullable(Type.String()),
  /**
   * Why its link is not mailed although the purchase is paid: `mail_limit`, as its address had as many gifts as are
   * mailed in a day; `contest`, as a bank examines the payment. Null for the recipient.
   */
  waitsFor: Nullable(Type.Enum(['mail_limit', 'contest'])),
  /** The change of the beneficiary, once there is one. */
  txHash: Nullable(Type.String()),
  createdAt: IsoDate,
})

export type OpenedGift = Static<typeof OpenedGift>
export const OpenedGift = Type.Object({
  ...GiftedWork,
  /** Null once the giver's account is deleted. */
  giver: Nullable(Type.String()),
})

const byId = Type.Object({ id: Id })
/** As in the fragment of the mailed link. */
const byToken = Type.Object({ token: Type.String({ minLength: 1, maxLength: 100 }) })

export const giveWork = endpoint({
  summary: 'Gives a work in custody to the reader of the mail to this address',
  description:
    '400 `invalid_gift` beside the field; 403 `not_owner`, `email_not_confirmed`; 409 `gift_waits` · `listed` · ' +
    '`being_delivered` · `not_in_custody` · `work_contested` · `withdrawal_waits` · `custody_hold`; 429 ' +
    '`too_many_gifts` after ten in a day, or five to one address.',
  method: 'POST',
  path: '/api/gifts',
  access: 'account',
  stepUp: 'always',
  body: Type.Object({
    contract: Type.String(),
    identifier: Type.String(),
    email: Type.String({ maxLength: 1_000 }),
    text: Type.Optional(Type.String({ maxLength: 10_000 })),
  }),
  documented: {
    body: Type.Object({
      contract: Type.String(),
      identifier: Type.String(),
      email: EmailAddress,
      text: Type.Optional(Type.String({ maxLength: 300 })),
    }),
  },
  response: Gift,
})

export const listGifts = endpoint({
  summary: 'Lists gifts given and received',
  description: 'Newest first, at most 200.',
  method: 'GET',
  path: '/api/gifts',
  access: 'account',
  /** `orderId`: only gifts of the caller of the work that this order bought as one. */
  query: Type.Object({ orderId: Type.Optional(Id) }),
  response: Type.Object({ gifts: Type.Array(Gift) }),
})

export const getGift = endpoint({
  summary: 'Returns a gift',
  description: '404 `gift_not_found` for a gift of other people.',
  method: 'GET',
  path: '/api/gifts/:id',
  access: 'account',
  params: byId,
  response: Gift,
})

export const takeBackGift = endpoint({
  summary: 'Takes back a gift that is not claimed',
  description:
    'The link is dead at once. Idempotent. 409 `gift_claimed` once its recipient claimed it, `gift_over`, ' +
    '`being_delivered`.',
  method: 'POST',
  path: '/api/gifts/:id/take-back',
  access: 'account',
  params: byId,
  response: Gift,
})

export const readdressGift = endpoint({
  summary: 'Mails the link of a gift to another address',
  description:
    'The new link is valid for 90 days; the former one is dead. 409 `gift_claimed`, `gift_over`, ' +
    '`being_delivered`; 429 `too_many_gifts`.',
  method: 'POST',
  path: '/api/gifts/:id/address',
  access: 'account',
  stepUp: 'always',
  params: byId,
  body: Type.Object({ email: Type.String({ maxLength: 1_000 }) }),
  documented: { body: Type.Object({ email: EmailAddress }) },
  response: Gift,
})

export const openGift = endpoint({
  summary: 'Returns the gift of a mailed link',
  description:
    '404 `gift_not_found` for a token that never was one; `gift_claimed`, `gift_taken_back`, `gift_refunded`, ' +
    '`gift_lapsed`, `gift_readdressed` and `gift_over` for one that cannot be claimed any more.',
  method: 'POST',
  path: '/api/gifts/open',
  access: 'public',
  limit: limits.gifts,
  body: byToken,
  response: OpenedGift,
})

export const claimGift = endpoint({
  summary: 'Claims the gift of a mailed link',
  description:
    "For the caller, into the store's custody. Idempotent for its recipient. 404 as `openGift`; 409 `own_gift` " +
    'for its giver, `being_delivered`.',
  method: 'POST',
  path: '/api/gifts/claim',
  access: 'account',
  limit: limits.gifts,
  status: 202,
  body: byToken,
  response: Gift,
})
