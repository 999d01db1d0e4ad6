import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type Stripe from 'stripe'
import { decodeForm } from '../api/form.ts'
import { findCustomer, removeCard, savedCards } from '../customers/customer.actions.ts'
import { applyDueChanges } from '../due-changes/due-changes.ts'
import { ApiError } from '../errors/api-error.ts'
import { digitsOf } from '../intents/card.ts'
import { authenticate, type PayInput, type PayOutcome, pay } from '../payments/pay.actions.ts'
import { newId } from '../store/id.ts'
import type { Store } from '../store/store.ts'
import type { Cause } from '../store/transaction.ts'
import type { Html } from './html.ts'
import { notice, type PageData } from './layout.ts'
import { blankForm, readForm, readRemovedCard, readSavedCard, readWallet, validate } from './pay-form.ts'
import { authenticationPage, type PageInput, payPage } from './pay-page.ts'

const icon = readFileSync(join(import.meta.dirname, 'icon.svg'))
const css = ['layout.css', 'form.css'].map((file) => readFileSync(join(import.meta.dirname, file), 'utf8')).join('\n')

type Params = { Params: { id: string }; Querystring: { card?: string } }

const originOf = (address: string | null | undefined) => (address ? (URL.parse(address)?.origin ?? '') : '')

/** No scripts; images of items only from their origins; forms may redirect to the shop's success page. */
function policy(shown?: PageData) {
  const imageOrigins = new Set(shown?.basket.items.flatMap(({ images }) => images.map(originOf)))
  return [
    "default-src 'none'",
    "style-src 'self'",
    `img-src 'self' ${[...imageOrigins].join(' ')}`,
    `form-action 'self' ${originOf(shown?.session.success_url?.replaceAll(/[{}]/g, ''))}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The English name of the language in which the processor would show the page; undefined when it is unknown. */
function languageOf({ locale }: Stripe.Checkout.Session, { headers }: FastifyRequest): string | undefined {
  const tag = locale === null || locale === 'auto' ? headers['accept-language']?.split(/[,;]/, 1)[0] : locale
  try {
    return tag && new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(tag.trim())
  } catch {
    return undefined
  }
}

/** The form of an open session as this visitor sees it. */
const pageFor = (request: FastifyRequest, shown: PageData, fields: Omit<PageInput, keyof PageData | 'language'>) =>
  payPage({ ...shown, ...fields, language: languageOf(shown.session, request) })

const browserCause = (): Cause => ({ id: newId('req', 14), idempotency_key: null })

const successOf = ({ id, success_url }: Stripe.Checkout.Session) => success_url!.replaceAll('{CHECKOUT_SESSION_ID}', id)

/** The hosted pay pages: server-rendered forms without scripts. */
export async function pageRoutes(app: FastifyInstance, { store }: { store: Store }) {
  const send = (
    reply: FastifyReply,
    { html }: Html,
    { status = 200, shown }: { status?: number; shown?: PageData } = {},
  ) =>
    reply
      .code(status)
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy(shown),
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      })
      .send(html)

  function find(id: string): PageData | undefined {
    applyDueChanges(store)
    const session = store.find('checkout.session', id)
    if (!session) return undefined
    const customer = session.customer as string | null
    return {
      session,
      basket: store.find('sandbox.basket', id)!,
      email: session.customer_email ?? (customer && findCustomer(store, customer)?.email) ?? null,
      cards: savedCards(store, customer),
    }
  }

  /** Sends the page of a session that cannot be paid; undefined when it is open. */
  function closed(reply: FastifyReply, shown: PageData | undefined) {
    if (!shown) {
      const text = 'Check the address, or go back to the shop and start again.'
      return send(reply, notice({ title: 'There is no such payment', text }), { status: 404 })
    }
    const { session } = shown
    if (session.status === 'complete') {
      const link = { href: successOf(session), text: 'Continue to the shop' }
      const text = 'This payment has been made. You need not pay again.'
      return send(reply, notice({ title: 'All done', text, link }))
    }
    if (session.status === 'expired') {
      const link = session.cancel_url ? { href: session.cancel_url, text: 'Back to the shop' } : undefined
      const text = 'The time to pay is over, or the order was cancelled. Nothing was charged.'
      return send(reply, notice({ title: 'This payment has expired', text, link }))
    }
    if (session.customer !== null && !findCustomer(store, session.customer as string)) {
      const link = session.cancel_url ? { href: session.cancel_url, text: 'Back to the shop' } : undefined
      const text = 'Its customer was deleted. Nothing was charged. Go back to the shop and start again.'
      return send(reply, notice({ title: 'This page cannot be paid', text, link }), { status: 400 })
    }
    return undefined
  }

  function follow(reply: FastifyReply, { session, status }: PayOutcome) {
    if (status === 'authorised') return reply.redirect(successOf(session), 303)
    if (status === 'requires_action') return reply.redirect(`/pay/${session.id}/authenticate`, 303)
    return reply.redirect(`/pay/${session.id}`, 303)
  }

  const attempt = (id: string, paying: PayInput) => store.transaction(browserCause(), (tx) => pay(tx, id, paying))

  // Browsers request this path for every document without an icon of its own, such as the ledger.
  app.get('/favicon.ico', (_, reply) =>
    reply.headers({ 'content-type': 'image/svg+xml', 'cache-control': 'max-age=86400' }).send(icon),
  )

  app.get('/pay/checkout.css', (_, reply) =>
    reply.headers({ 'content-type': 'text/css; charset=utf-8', 'cache-control': 'no-cache' }).send(css),
  )

  app.get<Params>('/pay/:id', (request, reply) => {
    const shown = find(request.params.id)
    const over = closed(reply, shown)
    if (over) return over
    const intent = shown!.session.payment_intent as string | null
    const failure = intent ? store.find('payment_intent', intent)?.last_payment_error : undefined
    const form = blankForm(shown!, request.query.card)
    const declined = request.query.card ? undefined : failure?.message
    return send(reply, pageFor(request, shown!, { form, problems: {}, declined }), { shown })
  })

  app.post<Params>('/pay/:id', (request, reply) => {
    const shown = find(request.params.id)
    if (shown?.session.status === 'complete') return reply.redirect(successOf(shown.session), 303)
    const over = closed(reply, shown)
    if (over) return over
    const { session } = shown!
    const body = String(request.body ?? '')
    const removed = readRemovedCard(shown!, body)
    if (removed) {
      store.transaction(browserCause(), (tx) => removeCard(tx, removed))
      return reply.redirect(`/pay/${session.id}`, 303)
    }
    const byButton = readSavedCard(shown!, body) ?? readWallet(shown!, body)
    if (byButton) return follow(reply, attempt(session.id, byButton))
    const form = readForm(shown!, body)
    const problems = validate(form, store.clock.seconds())
    if (Object.keys(problems).length > 0)
      return send(reply, pageFor(request, shown!, { form, problems }), { status: 422, shown })

    const buyer = { email: form.email, name: form.name }
    const outcome = attempt(session.id, { card: digitsOf(form.number), buyer, save: form.save })
    if (outcome.status !== 'declined') return follow(reply, outcome)
    const again = { ...form, number: '', expiry: '', cvc: '' }
    const page = pageFor(request, shown!, { form: again, problems: {}, declined: outcome.error!.message })
    return send(reply, page, { status: 402, shown })
  })

  app.get<Params>('/pay/:id/authenticate', (request, reply) => {
    const shown = find(request.params.id)
    return closed(reply, shown) ?? send(reply, authenticationPage(shown!), { shown })
  })

  app.post<Params>('/pay/:id/authenticate', (request, reply) => {
    const shown = find(request.params.id)
    if (shown?.session.status === 'complete') return reply.redirect(successOf(shown.session), 303)
    const over = closed(reply, shown)
    if (over) return over
    const outcome = decodeForm(String(request.body ?? '')).outcome === 'complete' ? 'complete' : 'fail'
    try {
      const { id } = shown!.session
      return follow(
        reply,
        store.transaction(browserCause(), (tx) => authenticate(tx, id, outcome)),
      )
    } catch (error) {
      if (error instanceof ApiError) return reply.redirect(`/pay/${shown!.session.id}`, 303)
      throw error
    }
  })
}
