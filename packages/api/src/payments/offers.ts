import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { offerDays } from '../offer-days.ts'
import { Id, Price } from '../shapes.ts'
import { DeliverTo } from './public.ts'

export const makeOffer = endpoint({
  summary: 'Offers a price for a work',
  description:
    'Returns the order and the URL of the payment page, on which the card is held. It is charged once the owner has ' +
    'accepted and the work has arrived. 400 `invalid_amount`, `invalid_days`, `wallet_required`; 403 `own_item`, ' +
    '`suspended`, `purchase_blocked`; 404 `item_not_found`; 409 `no_offers`, `too_low` with `details.minimum`, ' +
    '`offer_exists`, `already_buying` and `order_ending` with `details.orderId`, `page_closed`, `work_contested`, ' +
    '`recipient_refuses`; 429 over the limits, `too_many_offers` for that of held offers; 503 `busy`, `offers_off`, ' +
    '`sales_paused`.',
  method: 'POST',
  path: '/api/offers',
  access: 'account',
  body: Type.Object({
    itemId: Id,
    price: Type.Unknown(),
    /** How long the owner can accept it once the card is held. */
    days: Type.Unknown(),
    /** The version of the terms that the buyer accepted; the one in force when absent. */
    termsVersion: Type.Optional(Type.String({ maxLength: 40 })),
    deliverTo: Type.Optional(DeliverTo),
  }),
  documented: {
    body: Type.Object({
      itemId: Id,
      price: Price,
      days: Type.Enum(offerDays),
      termsVersion: Type.Optional(Type.String({ maxLength: 40 })),
      deliverTo: Type.Optional(DeliverTo),
    }),
  },
  response: Type.Object({ success: Type.Literal(true), url: Type.String(), orderId: Id }),
})
