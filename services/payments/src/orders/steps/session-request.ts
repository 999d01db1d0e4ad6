import { itemPath } from '@nifty/api/pages'
import { formatPrice } from '@nifty/api/price'
import { toEuros } from '@nifty/api/shapes'
import type Stripe from 'stripe'

import type { Order } from '../../db.ts'
import { isAcceptedEmail } from '../../processor/accepted-email.ts'
import { type SessionOrder, sessionMetadata } from '../session-metadata.ts'

/** `sandboxUrl`: address of the card sandbox; undefined: the real processor, which needs public pictures. */
type NewSession = {
  order: Order
  lines: SessionOrder['lines']
  email: string | null
  /** Of the processor; null: the page remembers no cards. */
  customerId: string | null
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
  const { order, lines, buyer, storeId, publicUrl, sandboxUrl } = session
  const { id: orderId, expiresAt } = order
  const held = heldTexts(session)
  return {
    mode: 'payment',
    // The parameter's name in the API version that `stripe` pins. Other methods do not support manual capture.
    allowed_payment_method_types: ['card'],
    client_reference_id: orderId,
    ...buyerOf(session),
    // The language of the buyer's browser, if the processor has it.
    locale: 'auto',
    expires_at: Math.floor(expiresAt.getTime() / 1000),
    line_items: lines.map(({ name, image, priceCents }) => ({
      quantity: 1,
      price_data: {
        currency: 'eur',
        unit_amount: priceCents,
        product_data: {
          name: `${held?.prefix ?? ''}${name.trim() || 'NFT'}`.slice(0, MAX_NAME),
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
    ...(held ? { custom_text: { submit: { message: held.message } } } : {}),
    ...returnUrls(session),
  } satisfies Stripe.Checkout.SessionCreateParams
}

/**
 * The address of the page. A Customer has it; its holder may save the card on the page, and pays with it by one click
 * on the next one.
 */
export function buyerOf({ customerId, email }: Pick<NewSession, 'customerId' | 'email'>) {
  if (customerId !== null)
    return {
      customer: customerId,
      saved_payment_method_options: { payment_method_save: 'enabled', payment_method_remove: 'enabled' },
    } as const
  return email !== null && isAcceptedEmail(email) ? { customer_email: email } : {}
}

/** Of the page of an offer or a bid: before the name of the work, and beside the button. */
function heldTexts({ order, lines }: NewSession): { prefix: string; message: string } | undefined {
  if (order.orderKind !== 'offer' && order.orderKind !== 'bid') return undefined
  const price = formatPrice(toEuros(lines[0]!.priceCents))
  if (order.orderKind === 'offer')
    return {
      prefix: `Offer of ${price} for `,
      message:
        `Your bank holds ${price} now. You are charged only if the owner accepts your offer, and ` +
        'only after the work has arrived. Otherwise the money is given back to you.',
    }
  return {
    prefix: `Bid of up to ${price} for `,
    message:
      `Your bank holds ${price}. You pay the price at the end, at most this, only if you win and only after the ` +
      'work has arrived.',
  }
}

/** Who made an offer or a bid comes back to the work, whose page has its state. */
function returnUrls({ order, lines, publicUrl }: NewSession) {
  const page =
    order.orderKind === 'offer' || order.orderKind === 'bid'
      ? `${publicUrl}${itemPath({ ...lines[0]!, ownerUsername: null })}?${order.orderKind}=${order.id}`
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
