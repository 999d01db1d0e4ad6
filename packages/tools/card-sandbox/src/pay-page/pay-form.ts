import { decodeForm } from '../api/form.ts'
import { isEmail } from '../api/parameter.ts'
import { digitsOf, hints, isCardNumber, printed, readExpiry } from '../intents/card.ts'
import type { PhoneWallet } from '../intents/charge.ts'
import type { SavedCard } from '../store/object.ts'
import type { PageData } from './layout.ts'

/** The values of the buyer's input. */
type Texts = { email: string; number: string; expiry: string; cvc: string; name: string }
export type PayForm = Texts & { save: boolean }
export type Problems = Partial<Record<keyof Texts, string>>

/** An empty form, or one filled with a chosen test card. */
export function blankForm({ session, email: given }: PageData, card?: string): PayForm {
  const email = given ?? session.customer_details?.email ?? ''
  const chosen = card && isCardNumber(card) ? { number: printed(card), expiry: '12 / 34', cvc: '123' } : undefined
  const name = session.customer_details?.name ?? ''
  return { email, number: '', expiry: '', cvc: '', name, save: false, ...chosen }
}

/** Reads the posted form. An e-mail address that the shop has set cannot be changed by the buyer. */
export function readForm({ email }: PageData, body: string): PayForm {
  const raw = decodeForm(body)
  const typed = (name: keyof Texts) => (typeof raw[name] === 'string' ? raw[name].trim().slice(0, 300) : '')
  return {
    email: email ?? typed('email'),
    number: typed('number'),
    expiry: typed('expiry'),
    cvc: typed('cvc'),
    name: typed('name'),
    save: raw.save === 'true',
  }
}

const wallets: Record<string, PhoneWallet> = { apple_pay: 'apple_pay', google_pay: 'google_pay' }

/**
 * The payment of the page's wallet buttons; undefined when another button was pressed. A wallet has its owner's
 * address.
 */
export function readWallet({ email }: PageData, body: string) {
  const pressed = decodeForm(body).wallet
  const wallet = typeof pressed === 'string' && Object.hasOwn(wallets, pressed) ? wallets[pressed] : undefined
  const buyer = { email: email ?? 'wallet@example.com', name: 'Wallet Owner' }
  return wallet && { wallet, card: hints[0].number, buyer }
}

const pressedCard = ({ cards }: PageData, body: string, button: 'saved' | 'remove'): SavedCard | undefined =>
  cards.find(({ id }) => id === decodeForm(body)[button])

/** The saved card that the buyer removes. */
export const readRemovedCard = (shown: PageData, body: string) => pressedCard(shown, body, 'remove')

/** The payment with a saved card; undefined when another button was pressed. */
export function readSavedCard(shown: PageData, body: string) {
  const pressed = pressedCard(shown, body, 'saved')
  if (!pressed) return undefined
  const { id: savedCard, number: card, email, name } = pressed
  return { card, savedCard, buyer: { email: shown.email ?? email, name } }
}

function expiryProblem(typed: string, nowSeconds: number): string | undefined {
  const expiry = readExpiry(typed)
  if (!expiry) return 'Enter the expiry date as month and year, such as 12 / 34.'
  const endMs = Date.UTC(expiry.year, expiry.month, 1)
  return endMs <= nowSeconds * 1000 ? "Your card's expiry date is in the past." : undefined
}

/** Validates the input; returns a message for each invalid field. */
export function validate(form: PayForm, nowSeconds: number): Problems {
  const problems: Problems = {
    email: isEmail(form.email) ? undefined : 'Enter an email address, such as name@example.com.',
    number: isCardNumber(digitsOf(form.number)) ? undefined : 'Your card number is not valid.',
    expiry: expiryProblem(form.expiry, nowSeconds),
    cvc: /^\d{3,4}$/.test(form.cvc) ? undefined : 'Enter the three or four digits of the security code.',
    name: form.name ? undefined : 'Enter the name that is on the card.',
  }
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem))
}
