import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Euros, Id, IsoDate, Nullable, Price } from '../shapes.ts'
import { NftDetail } from './public.ts'

export const setOfferMinimum = endpoint({
  summary: 'Takes offers for a work from a price on, or none',
  description:
    '`minimum`: euros, or null. Offers that are open stay. 400 `invalid_amount`; a minimum below half of the listed ' +
    'or paid prices of 90 days needs a step-up; 403 `not_the_owner`; 404 `item_not_found`; 409 `item_hidden`, ' +
    '`work_contested`, `gift_waits`; 503 `offers_off`.',
  method: 'PUT',
  path: '/api/nfts/:contract/:identifier/offers',
  access: 'seller',
  stepUp: 'sometimes',
  params: Type.Object({ contract: Type.String(), identifier: Type.String() }),
  body: Type.Object({ minimum: Type.Unknown() }),
  documented: { body: Type.Object({ minimum: Nullable(Price) }) },
  response: Type.Object({ success: Type.Literal(true), nft: NftDetail }),
})

/** An offer for a work of the caller, whose card is held. */
export type ReceivedOffer = Static<typeof ReceivedOffer>
export const ReceivedOffer = Type.Object({
  orderId: Id,
  itemId: Id,
  contract: Type.String(),
  identifier: Type.String(),
  name: Type.String(),
  image: Type.String(),
  price: Euros,
  /** Of the creator, in percent; 0 where the caller is the creator. */
  royaltyPercent: Type.Number(),
  /** Null when the account was deleted. */
  buyerUsername: Nullable(Type.String()),
  at: IsoDate,
  endsAt: IsoDate,
  /** `accepted`: its delivery is under way. */
  state: Type.Enum(['open', 'accepted']),
  /** The work is reserved for another order, until whose end this offer cannot be accepted. */
  reserved: Type.Boolean(),
})

export const listReceivedOffers = endpoint({
  summary: "Lists the offers for the caller's works",
  description: 'Open and accepted ones, by work, the highest first.',
  method: 'GET',
  path: '/api/received-offers',
  access: 'seller',
  response: Type.Object({ offers: Type.Array(ReceivedOffer) }),
})

const byOrder = Type.Object({ orderId: Id })

export const acceptOffer = endpoint({
  summary: 'Sells a work for an offer',
  description:
    'The work is reserved, delivered and then paid. Idempotent. 403 `own_item`, `not_the_owner`, and ' +
    '`step_up_required` below half of the listed or paid prices of 90 days; 404 `offer_not_found`; 409 `offer_over` ' +
    'with `details.why`, `item_reserved`, `permit_required` with `details.typedData`, `work_contested`, ' +
    '`gift_waits`, `recipient_refuses`; 503 `deliverability_unknown`.',
  method: 'POST',
  path: '/api/received-offers/:orderId/accept',
  access: 'seller',
  stepUp: 'sometimes',
  params: byOrder,
  response: Type.Object({ success: Type.Literal(true), offer: ReceivedOffer }),
})

export const declineOffer = endpoint({
  summary: 'Declines an offer',
  description: 'Its hold is given back. Idempotent. 404 `offer_not_found`; 409 `offer_accepted`.',
  method: 'POST',
  path: '/api/received-offers/:orderId/decline',
  access: 'seller',
  params: byOrder,
  response: Type.Object({ success: Type.Literal(true) }),
})
