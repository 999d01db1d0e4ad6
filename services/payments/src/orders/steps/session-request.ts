import { parseEmail } from '@nifty/api/email-address'
import { itemPath } from '@nifty/api/pages'
import { formatPrice } from '@nifty/api/price'
import { toEuros } from '@nifty/api/shapes'
import type Stripe from 'stripe'

import type { Order } from '../../db.ts'
import { type SessionOrder, sessionMetadata } from '../session-metadata.ts'

/** `sandboxUrl`: address of the card sandbox; undefined: the real processor, which needs public pictures. */
type NewSession = {
  order: Order
  lines: SessionOrder['lines']
  email: string | null
  buyer: BuyerRisk
  /** Cents; from this total on the processor is asked for 3-D Secure. */
  threeDSecureFromCents: number
  storeId: string
  publicUrl: string
  sandboxUrl: string | undefined
}

/** What the processor's rules against fraud may read about a buyer. */
export type BuyerRisk = {
  /** Null when auth does not respond: then the account counts as new. */
  accountDays: number | null
  /** Works that the account has bought and paid before. */
  works: number
}

/** Accounts younger than this are asked for 3-D Secure at any price. */
const NEW_ACCOUNT_DAYS = 7
const MAX_NAME = 250
const MAX_IMAGE_URL = 2_048
/** Pixels; without a width the address is that of the original file, of up to 20 MB. */
const IMAGE_WIDTH = 960

/**
 * Parameters of the Checkout Session: cards only, manual capture, nothing that the client sent. Apple Pay and Google
 * Pay are cards to the processor: its page offers them on devices that have them, unless tax is calculated
 * automatically.
 */
export function sessionRequest(session: NewSession) {
  const { order, lines, email, buyer, storeId, publicUrl, sandboxUrl } = session
  const { id: orderId, expiresAt } = order
  const isOffer = order.orderKind === 'offer'
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
          name: `${isOffer ? `Offer of ${formatPrice(toEuros(priceCents))} for ` : ''}${name.trim() || 'NFT'}`.slice(
            0,
            MAX_NAME,
          ),
          ...imagesOf(new URL(`${image}?w=${IMAGE_WIDTH}`, publicUrl), sandboxUrl),
        },
      },
    })),
    metadata: sessionMetadata(order, { lines, storeId }),
    ...(needsThreeDSecure(session) ? { payment_method_options: { card: { request_three_d_secure: 'any' } } } : {}),
    payment_intent_data: {
      capture_method: 'manual',
      metadata: {
        store: storeId,
        order: orderId,
        account_days: buyer.accountDays === null ? 'unknown' : String(buyer.accountDays),
        works_bought: String(buyer.works),
      },
      statement_descriptor_suffix: statementSuffix(orderId),
    },
    ...(isOffer ? { custom_text: { submit: { message: heldText(lines) } } } : {}),
    ...returnUrls(session),
  } satisfies Stripe.Checkout.SessionCreateParams
}

/** Beside the button of the page of an offer. */
const heldText = ([line]: NewSession['lines']) =>
  `Your bank holds ${formatPrice(toEuros(line!.priceCents))} now. You are charged only if the owner accepts your offer, and ` +
  'only after the work has arrived. Otherwise the money is given back to you.'

/** The buyer of an offer comes back to the work, whose page has its state. */
function returnUrls({ order, lines, publicUrl }: NewSession) {
  const page =
    order.orderKind === 'offer'
      ? `${publicUrl}${itemPath({ ...lines[0]!, ownerUsername: null })}?offer=${order.id}`
      : `${publicUrl}/purchase-thanks?order=${order.id}`
  return { success_url: page, cancel_url: `${page}&cancelled=1` }
}

/** `any`: wherever the card supports it. Without it the processor decides. */
function needsThreeDSecure({ lines, buyer, threeDSecureFromCents }: NewSession): boolean {
  const { accountDays } = buyer
  const totalCents = lines.reduce((sum, { priceCents }) => sum + priceCents, 0)
  return totalCents >= threeDSecureFromCents || accountDays === null || accountDays < NEW_ACCOUNT_DAYS
}

/**
 * On the card statement behind the processor account's own prefix: both have 22 characters together, the prefix up to
 * ten. The number of the order is shown to customers with its first eight characters.
 */
const statementSuffix = (orderId: string) => `N${orderId.slice(0, 8).toUpperCase()}`

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
