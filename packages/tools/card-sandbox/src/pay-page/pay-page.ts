import { brandOf, hints, printed } from '../intents/card.ts'
import type { SavedCard } from '../store/object.ts'
import { type Html, html } from './html.ts'
import { document, money, type PageData, summary } from './layout.ts'
import type { PayForm, Problems } from './pay-form.ts'

type Field = {
  name: keyof Problems
  label: string
  value: string
  problem?: string
  hint?: string
  attributes: Html
}

function field({ name, label, value, problem, hint, attributes }: Field): Html {
  const described = [hint ? `${name}-hint` : '', problem ? `${name}-problem` : ''].filter(Boolean).join(' ')
  return html`<div class="field${problem ? ' wrong' : ''}">
    <label for="${name}">${label}</label>
    <input id="${name}" name="${name}" value="${value}" required ${attributes}
      ${described ? html`aria-describedby="${described}"` : null} ${problem ? html`aria-invalid="true"` : null}>
    ${problem ? html`<p class="problem" id="${`${name}-problem`}">${problem}</p>` : null}
  </div>`
}

const phoneWallets = (
  sessionId: string,
) => html`<form method="post" action="/pay/${sessionId}" class="wallets" aria-label="Phone wallets">
  <button class="button wallet" name="wallet" value="apple_pay" type="submit">Apple Pay</button>
  <button class="button wallet" name="wallet" value="google_pay" type="submit">Google Pay</button>
</form>
<p class="or">Or pay by card</p>`

const brands = { visa: 'Visa', mastercard: 'Mastercard', amex: 'American Express' }

const nameOf = ({ number }: SavedCard) => `${brands[brandOf(number)]} ···· ${number.slice(-4)}`

/** Cards that the customer has saved: one click pays. */
const savedCards = ({ session, cards }: PageData, amount: string) => html`<section aria-labelledby="saved-title">
  <h2 id="saved-title" class="label">Saved cards</h2>
  <ul class="saved">${cards.map(
    (card) => html`<li><form method="post" action="/pay/${session.id}">
      <button class="button" name="saved" value="${card.id}" type="submit">Pay ${amount} with ${nameOf(card)}</button>
      ${
        session.saved_payment_method_options?.payment_method_remove === 'enabled'
          ? html`<button class="remove" name="remove" value="${card.id}" type="submit" aria-label="Remove ${nameOf(card)}">Remove</button>`
          : null
      }
    </form></li>`,
  )}</ul>
</section>`

const saveBox = (isTicked: boolean) => html`<div class="box">
  <input id="save" name="save" value="true" type="checkbox" ${isTicked ? html`checked` : null}>
  <label for="save">Save my card for the next purchase in this shop</label>
</div>`

const testCards = (
  sessionId: string,
  language: string | undefined,
) => html`<aside class="cards" aria-labelledby="cards-title">
  <h2 id="cards-title">Cards to try</h2>
  <p>No real money moves here. Choose a test card to fill the form with it.</p>
  <ul>${hints.map(
    ({ number, effect }) => html`<li><a href="/pay/${sessionId}?card=${number}">${printed(number)}</a> ${effect}</li>`,
  )}</ul>
  <p>Any date in the future and any three digits will do. The wallets pay with the first card.</p>
  ${language ? html`<p>The processor would show this page in your language: ${language}.</p>` : null}
</aside>`

export type PageInput = PageData & { form: PayForm; problems: Problems; declined?: string; language?: string }

/** The hosted pay page: order summary and card form. */
export function payPage({ form, problems, declined, language, ...shown }: PageInput): Html {
  const { session, basket, email, cards } = shown
  const amount = money(session.amount_total!, session.currency!)
  const isHold = basket.captureMethod === 'manual'
  return document({
    title: `Pay ${amount} · ${basket.items[0]?.name}`,
    body: html`<div class="checkout">
    ${summary(shown)}
    <main class="payment">
      <h1>Pay ${amount}</h1>
      ${declined ? html`<p class="alert" role="alert"><strong>${declined}</strong> Nothing was charged. You can try another card.</p>` : null}
      ${cards.length > 0 ? savedCards(shown, amount) : null}
      ${phoneWallets(session.id)}
      <form method="post" action="/pay/${session.id}" novalidate>
        ${field({
          name: 'email',
          label: 'Email',
          value: form.email,
          problem: problems.email,
          attributes: html`type="email" autocomplete="email" ${email ? html`readonly` : null}`,
        })}
        ${field({
          name: 'number',
          label: 'Card number',
          value: form.number,
          problem: problems.number,
          attributes: html`inputmode="numeric" autocomplete="cc-number" placeholder="1234 1234 1234 1234" maxlength="25"`,
        })}
        <div class="pair">
          ${field({
            name: 'expiry',
            label: 'Expiry',
            value: form.expiry,
            problem: problems.expiry,
            attributes: html`autocomplete="cc-exp" placeholder="MM / YY" maxlength="9"`,
          })}
          ${field({
            name: 'cvc',
            label: 'CVC',
            value: form.cvc,
            problem: problems.cvc,
            attributes: html`inputmode="numeric" autocomplete="cc-csc" placeholder="CVC" maxlength="4"`,
          })}
        </div>
        ${field({
          name: 'name',
          label: 'Name on card',
          value: form.name,
          problem: problems.name,
          attributes: html`autocomplete="cc-name" maxlength="100"`,
        })}
        ${session.saved_payment_method_options?.payment_method_save === 'enabled' ? saveBox(form.save) : null}
        <button class="button" type="submit">Pay ${amount}</button>
        ${isHold ? html`<p class="small">Your card is held for ${amount}. The shop takes the money only when it delivers.</p>` : null}
        ${session.custom_text.submit ? html`<p class="small">${session.custom_text.submit.message}</p>` : null}
      </form>
      ${testCards(session.id, language)}
    </main></div>`,
  })
}

/** The page of the buyer's bank for authentication (3-D Secure). */
export function authenticationPage(shown: PageData): Html {
  const { session } = shown
  const amount = money(session.amount_total!, session.currency!)
  return document({
    title: `Confirm ${amount}`,
    body: html`<div class="checkout">
    ${summary(shown)}
    <main class="payment">
      <h1>Is it you?</h1>
      <p>Your bank asks you to confirm this payment of <strong>${amount}</strong>. This is a test: choose how it ends.</p>
      <form method="post" action="/pay/${session.id}/authenticate" class="choices">
        <button class="button" name="outcome" value="complete" type="submit">Complete</button>
        <button class="button secondary" name="outcome" value="fail" type="submit">Fail</button>
      </form>
    </main></div>`,
  })
}
