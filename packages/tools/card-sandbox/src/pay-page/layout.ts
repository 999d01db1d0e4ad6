import type Stripe from 'stripe'
import type { Basket, SavedCard } from '../store/object.ts'
import { type Html, html } from './html.ts'

export const money = (cents: number, currency: string) =>
  new Intl.NumberFormat('en-IE', { style: 'currency', currency }).format(cents / 100)

/** `email`: the address that the shop has set; null: the buyer types it. `cards`: those that the customer has saved. */
export type PageData = {
  session: Stripe.Checkout.Session
  basket: Basket
  email: string | null
  cards: SavedCard[]
}

/** An HTML document without scripts. */
export const document = ({ title, body }: { title: string; body: Html }) => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light">
<title>${title}</title>
<link rel="icon" href="/favicon.ico" type="image/svg+xml">
<link rel="stylesheet" href="/pay/checkout.css">
</head>
<body>${body}</body>
</html>`

const testMode = html`<span class="mode">Test mode</span>`

/** Order summary with the link back to the shop. */
export function summary({ session, basket }: PageData): Html {
  const currency = session.currency!
  const [first] = basket.items
  return html`<section class="summary" aria-label="Order summary">
    <div class="bar">
      ${
        session.cancel_url && session.status === 'open'
          ? html`<a class="back" href="${session.cancel_url}"><span aria-hidden="true">←</span> Back</a>`
          : html`<span></span>`
      }
      ${testMode}
    </div>
    <div class="offer">
      ${first?.images[0] ? html`<img class="picture" src="${first.images[0]}" alt="" width="320" height="320">` : null}
      <div>
        <p class="label">Pay for ${first?.name}${basket.items.length > 1 ? ` and ${basket.items.length - 1} more` : ''}</p>
        <p class="amount">${money(session.amount_total!, currency)}</p>
      </div>
    </div>
    <ul class="items">
      ${basket.items.map(
        ({ name, description, quantity, unitAmount }) => html`<li>
          <span><strong>${name}</strong>${description ? html`<small>${description}</small>` : null}${
            quantity > 1 ? html`<small>Quantity ${quantity}</small>` : null
          }</span>
          <span>${money(unitAmount * quantity, currency)}</span></li>`,
      )}
      <li class="total"><span>Total due</span><span>${money(session.amount_total!, currency)}</span></li>
    </ul>
  </section>`
}

/** A page with a message and at most one link. */
export const notice = ({ title, text, link }: { title: string; text: string; link?: { href: string; text: string } }) =>
  document({
    title,
    body: html`<main class="notice"><div class="panel">${testMode}
      <h1>${title}</h1><p>${text}</p>
      ${link ? html`<a class="button" href="${link.href}">${link.text}</a>` : null}
    </div></main>`,
  })
