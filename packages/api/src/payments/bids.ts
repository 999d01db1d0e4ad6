import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Id, Price } from '../shapes.ts'
import { DeliverTo } from './public.ts'

export const makeBid = endpoint({
  summary: 'Bids in an auction',
  description:
    '`limit`: the most that the bidder would pay, euros. Returns the order and the URL of the payment page, on ' +
    'which the card is held for it. The price is one step above the next limit, and never above the own one; a sole ' +
    'bidder pays the opening price. It is charged once the auction is won and the work has arrived. 400 ' +
    '`invalid_amount`, `wallet_required`; 403 `own_item`, `suspended`, `purchase_blocked`; 404 `item_not_found`; ' +
    '409 `auction_closed`, `too_low` with `details.minimum`, `unusual_amount` above ten times the price without ' +
    '`sure`, `already_buying` and `order_ending` with `details.orderId`, `page_closed`, `work_contested`, ' +
    '`recipient_refuses`, `permit_too_short`; 429 over the limits, `too_many_offers` for that of held offers and ' +
    'bids; 503 `auctions_off`, `busy`, `sales_paused`.',
  method: 'POST',
  path: '/api/bids',
  access: 'account',
  body: Type.Object({
    itemId: Id,
    limit: Type.Unknown(),
    /** The bidder has confirmed an unusual amount. */
    sure: Type.Optional(Type.Literal(true)),
    /** The version of the terms that the buyer accepted; the one in force when absent. */
    termsVersion: Type.Optional(Type.String({ maxLength: 40 })),
    deliverTo: Type.Optional(DeliverTo),
  }),
  documented: {
    body: Type.Object({
      itemId: Id,
      limit: Price,
      sure: Type.Optional(Type.Literal(true)),
      termsVersion: Type.Optional(Type.String({ maxLength: 40 })),
      deliverTo: Type.Optional(DeliverTo),
    }),
  },
  response: Type.Object({ success: Type.Literal(true), url: Type.String(), orderId: Id }),
})
