import type Stripe from 'stripe'

import type { Order } from '../../db.ts'
import { type SessionOrder, sessionMetadata } from '../session-metadata.ts'

type NewSession = { order: Order; lines: SessionOrder['lines']; publicUrl: string }

const MAX_NAME = 250

/** Parameters of the Checkout Session: cards only, manual capture, nothing that the client sent. */
export function sessionRequest({ order, lines, publicUrl }: NewSession) {
  const { id: orderId, expiresAt } = order
  const thanks = `${publicUrl}/purchase-thanks?order=${orderId}`
  return {
    mode: 'payment',
    // The parameter's name in the API version that `stripe` pins. Other methods do not support manual capture.
    allowed_payment_method_types: ['card'],
    client_reference_id: orderId,
    expires_at: Math.floor(expiresAt.getTime() / 1000),
    line_items: lines.map(({ name, image, priceCents }) => ({
      quantity: 1,
      price_data: {
        currency: 'eur',
        unit_amount: priceCents,
        product_data: { name: name.trim().slice(0, MAX_NAME) || 'NFT', images: [new URL(image, publicUrl).href] },
      },
    })),
    metadata: sessionMetadata(order, { lines, publicUrl }),
    payment_intent_data: { capture_method: 'manual', metadata: { order: orderId } },
    success_url: thanks,
    cancel_url: `${thanks}&cancelled=1`,
  } satisfies Stripe.Checkout.SessionCreateParams
}
