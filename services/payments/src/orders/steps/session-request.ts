import { parseEmail } from '@nifty/api/email-address'
import type Stripe from 'stripe'

import type { Order } from '../../db.ts'
import { type SessionOrder, sessionMetadata } from '../session-metadata.ts'

/** `sandboxUrl`: address of the card sandbox; undefined: the real processor, which needs public pictures. */
type NewSession = {
  order: Order
  lines: SessionOrder['lines']
  email: string | null
  publicUrl: string
  sandboxUrl: string | undefined
}

const MAX_NAME = 250
const MAX_IMAGE_URL = 2_048

/**
 * Parameters of the Checkout Session: cards only, manual capture, nothing that the client sent. Apple Pay and Google
 * Pay are cards to the processor: its page offers them on devices that have them, unless tax is calculated
 * automatically.
 */
export function sessionRequest({ order, lines, email, publicUrl, sandboxUrl }: NewSession) {
  const { id: orderId, expiresAt } = order
  const thanks = `${publicUrl}/purchase-thanks?order=${orderId}`
  return {
    mode: 'payment',
    // The parameter's name in the API version that `stripe` pins. Other methods do not support manual capture.
    allowed_payment_method_types: ['card'],
    client_reference_id: orderId,
    ...(email !== null && isPlainEmail(email) ? { customer_email: email } : {}),
    // The language of the buyer's browser, if the processor has it.
    locale: 'auto',
    expires_at: Math.floor(expiresAt.getTime() / 1000),
    line_items: lines.map(({ name, image, priceCents }) => ({
      quantity: 1,
      price_data: {
        currency: 'eur',
        unit_amount: priceCents,
        product_data: {
          name: name.trim().slice(0, MAX_NAME) || 'NFT',
          ...imagesOf(new URL(image, publicUrl), sandboxUrl),
        },
      },
    })),
    metadata: sessionMetadata(order, { lines, publicUrl }),
    payment_intent_data: { capture_method: 'manual', metadata: { order: orderId } },
    success_url: thanks,
    cancel_url: `${thanks}&cancelled=1`,
  } satisfies Stripe.Checkout.SessionCreateParams
}

/** The processor fetches pictures from the internet; a URL that it cannot reach is left out. */
function imagesOf(url: URL, sandboxUrl: string | undefined): { images?: string[] } {
  const isShown = url.href.length <= MAX_IMAGE_URL && (sandboxUrl !== undefined || isPublic(url))
  return isShown ? { images: [url.href] } : {}
}

/** HTTPS at a name of the public DNS; addresses and reserved names (RFC 2606, RFC 6762) are not. */
function isPublic({ protocol, hostname }: URL): boolean {
  const isName = /\.[a-z][a-z0-9-]*[a-z0-9]$/.test(hostname)
  return protocol === 'https:' && isName && !/\.(?:localhost|local|internal|test|invalid|example)$/.test(hostname)
}

/**
 * The processor refuses the whole session for an address that it takes for malformed, such as one of a top level of two
 * parts.
 */
const isPlainEmail = (email: string) => parseEmail(email) === email && /\.[a-z]{2,}$/i.test(email)
