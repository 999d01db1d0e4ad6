import type { DeclineReason } from '@nifty/api/payments/decline'
import type { Evidence } from '@nifty/api/payments/disputes'
import { isLiveKey } from '@nifty/service-kit/base/live-key'
import { sha256 } from '@nifty/service-kit/base/secrets'
import { inSpan } from '@nifty/service-kit/base/trace'
import Stripe from 'stripe'
import { declineOf } from './decline.ts'
import { isForbidden, KEY_VALID_MS, orMissing } from './failure.ts'
import { disputeOf, isOfCapture, type ProcessorReversal, refundOf, warningOf } from './reversal.ts'

/** Two calls in a row must fit into `idle_in_transaction_session_timeout` (service-kit/database). */
const TIMEOUT_MS = 6_000
/** Of calls without which a page is opened as well: its buyer waits. */
const CUSTOMER_TIMEOUT_MS = 2_000
/** Largest difference between our clock and the processor's. */
const CLOCK_SKEW_S = 300

/** The card hold: the fields of a PaymentIntent that decisions need. Cents. */
export type Hold = {
  id: string
  status: Stripe.PaymentIntent.Status
  amount: number
  currency: string
  capturedCents: number
  /** The idempotency key of this store's capture; null when there is none, also when it was captured by hand. */
  captureKey: string | null
  /** `automatic` when a hold lapsed. */
  cancelledBecause: string | null
  /** When the card was authorised, ms since the epoch; null before. */
  paidAtMs: number | null
  /** When the card's bank ends the hold, ms since the epoch; null when it is not reported. */
  captureBeforeMs: number | null
  /** SHA-256 of the card's fingerprint, hex; null before the payment, and where the processor has none. */
  card: string | null
  /** Why the last attempt to pay failed; null when none did, or a later one succeeded. */
  declined: DeclineReason | null
  /** A refund or a dispute took from the captured amount, or may have. */
  isReversed: boolean
}

/** The fields of a Checkout Session that decisions need. Cents. */
export type Session = {
  id: string
  url: string | null
  status: 'open' | 'complete' | 'expired'
  amount: number | null
  currency: string | null
  hold: Hold | null
  /** The order that it was created for, as the caller of the processor wrote it. */
  orderId: string | null
  metadata: Record<string, string>
  createdAt: Date
  expiresAt: Date
  /** The Customer whose cards its page remembers. */
  customerId: string | null
  /** As the card's holder wrote them; null before the payment. */
  customer: { name: string | null; email: string | null } | null
}

/** `email` is null for an address that the processor refuses. The metadata is of this Customer alone. */
export type NewCustomer = { email: string | null; metadata: Record<string, string> }

/** Rights of a restricted API key without which orders go on, and something is not noticed. */
export type ReadRight = 'account' | 'early_fraud_warnings' | 'customers'

export type Processor = ReturnType<typeof createProcessor>

const withHold = { expand: ['payment_intent.latest_charge'] }

/** What became of calls: the last two say that the processor does not work, `none` that it did not respond. */
export const callOutcomes = ['ok', 'refused', 'failed', 'none'] as const
export type CallOutcome = (typeof callOutcomes)[number]

/**
 * The card processor, through its official package. The package's own retries are off: a retry needs parameters and
 * keys that were committed before.
 */
export function createProcessor({ secretKey, apiUrl }: { secretKey: string; apiUrl: string | undefined }) {
  const calls = Object.fromEntries(callOutcomes.map((outcome) => [outcome, 0])) as Record<CallOutcome, number>
  let last: CallOutcome = 'ok'
  const stripe = new Stripe(secretKey, {
    ...addressOf(apiUrl),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: tracedClient((outcome) => {
      calls[outcome]++
      last = outcome
    }),
  })
  const { accounts, checkout, customers, paymentIntents, refunds, disputes, radar, events } = stripe

  const readReversals = async (intentId: string): Promise<ProcessorReversal[]> => {
    const ofIntent = { payment_intent: intentId, limit: 100 }
    const found = await Promise.all([
      all(refunds.list({ ...ofIntent, expand: ['data.charge'] }), (one) => (isOfCapture(one) ? [refundOf(one)] : [])),
      all(disputes.list(ofIntent), (one) => [disputeOf(one)]),
      all(radar.earlyFraudWarnings.list(ofIntent), (one) => [warningOf(one)]).catch((error) => {
        if (isForbidden(error)) return []
        throw error
      }),
    ])
    return found.flat().sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
  }

  return {
    /** How many calls of this process ended in which way. */
    calls: (): Readonly<Record<CallOutcome, number>> => calls,
    /** Whether the last call was answered, if with a refusal. */
    answers: () => last === 'ok' || last === 'refused',
    /** True with a production key. Webhook events of the other mode are refused. */
    livemode: isLiveKey(secretKey),
    /** The account of the API key. */
    accountId: async () => (await accounts.retrieveCurrent()).id,
    /** What a restricted API key may not read of what else is read without an error. */
    missingRights: async (): Promise<ReadRight[]> => {
      const reads = {
        account: accounts.retrieveCurrent(),
        early_fraud_warnings: radar.earlyFraudWarnings.list({ limit: 1 }),
        customers: customers.list({ limit: 1 }),
      }
      const answers = await Promise.allSettled(Object.values(reads))
      return (Object.keys(reads) as ReadRight[]).filter((_, index) => {
        const answer = answers[index]!
        return answer.status === 'rejected' && isForbidden(answer.reason)
      })
    },
    /** `isRepeated`: the response to an earlier call; the Customer may have been changed or deleted since. */
    createCustomer: async ({ email, metadata }: NewCustomer, idempotencyKey: string) => {
      const fields = { metadata, ...(email === null ? {} : { email }) }
      const { id, lastResponse } = await customers.create(fields, { idempotencyKey, timeout: CUSTOMER_TIMEOUT_MS })
      return { id, isRepeated: lastResponse.headers['idempotent-replayed'] === 'true' }
    },
    /**
     * Finds a Customer when the response to its creation was lost; reads all that were created since `requestedAt`,
     * or since `since`, while the creation's key was valid. Throws when it is not on the first `pagesAtMost` of more
     * pages.
     */
    findCustomer: async (
      { email, metadata }: NewCustomer,
      requestedAt: Date,
      { since = requestedAt, pagesAtMost = Number.POSITIVE_INFINITY } = {},
    ) => {
      const until = requestedAt.getTime() + KEY_VALID_MS
      const created = {
        // Not after the end of the range, as when look-ups have failed for a day.
        gte: Math.floor(Math.min(since.getTime(), until) / 1000) - CLOCK_SKEW_S,
        lte: Math.ceil(until / 1000) + CLOCK_SKEW_S,
      }
      const labels = Object.entries(metadata)
      let after: string | undefined
      for (let page = 0; page < pagesAtMost; page++) {
        const { data, has_more } = await customers.list({
          created,
          limit: 100,
          ...(email === null ? {} : { email }),
          ...(after === undefined ? {} : { starting_after: after }),
        })
        const found = data.find((one) => labels.every(([name, value]) => one.metadata[name] === value))
        if (found || !has_more) return found?.id ?? null
        after = data.at(-1)!.id
      }
      throw new Error('the Customer may be on a later page of the list')
    },
    /** Null removes the address. Returns false for a Customer that the processor does not have, or no longer. */
    setCustomerEmail: async (id: string, email: string | null) =>
      (await orMissing(customers.update(id, { email: email ?? '' }, { timeout: CUSTOMER_TIMEOUT_MS }))) !== null,
    /** Deletes a Customer with its cards. Idempotent. */
    deleteCustomer: async (id: string) => void (await orMissing(customers.del(id))),
    createSession: async (request: Stripe.Checkout.SessionCreateParams, idempotencyKey: string) =>
      sessionOf(await checkout.sessions.create(request, { idempotencyKey })),
    session: async (id: string) => sessionOf(await checkout.sessions.retrieve(id, withHold)),
    expireSession: async (id: string) => sessionOf(await checkout.sessions.expire(id, withHold)),
    /** Finds the session of an order when its response was lost; searches sessions created since `requestedAt`. */
    findSession: async (orderId: string, requestedAt: Date) => {
      const from = Math.floor(requestedAt.getTime() / 1000) - CLOCK_SKEW_S
      for await (const session of checkout.sessions.list({ created: { gte: from }, limit: 100 }))
        if (session.client_reference_id === orderId) return sessionOf(session)
      return null
    },
    /** Newest first, without their holds. */
    sessionsSince: async function* (since: Date) {
      const created = { gte: Math.floor(since.getTime() / 1000) }
      for await (const session of checkout.sessions.list({ created, limit: 100 })) yield sessionOf(session)
    },
    sessionOfIntent: async (intentId: string) => {
      const { data } = await checkout.sessions.list({ payment_intent: intentId, limit: 1 })
      return data[0] ? sessionOf(data[0]) : null
    },
    intent: (id: string) => paymentIntents.retrieve(id, { expand: ['latest_charge'] }),
    hold: async (id: string) => holdOf(await paymentIntents.retrieve(id, { expand: ['latest_charge'] })),
    capture: async (id: string, cents: number, idempotencyKey: string) =>
      holdOf(
        await paymentIntents.capture(
          id,
          { amount_to_capture: cents, metadata: { capture: idempotencyKey } },
          { idempotencyKey },
        ),
      ),
    cancelHold: async (id: string) => holdOf(await paymentIntents.cancel(id)),
    refund: async (intentId: string, cents: number, key: string) =>
      refundOf(
        await refunds.create(
          { payment_intent: intentId, amount: cents, metadata: { refund: key } },
          { idempotencyKey: key },
        ),
      ),
    refundById: async (id: string) => refundOf(await refunds.retrieve(id)),
    /**
     * All refunds, disputes and early fraud warnings of a payment; none of one that the processor does not have. The
     * release of a hold, which is listed as a refund, is left out, and so are warnings that the API key may not read.
     */
    reversals: async (intentId: string): Promise<ProcessorReversal[]> =>
      (await orMissing(readReversals(intentId))) ?? [],
    /** Newest first. */
    eventsSince: (since: Date) => events.list({ created: { gte: Math.floor(since.getTime() / 1000) }, limit: 100 }),
    /** One page of the intents that were created in a period, newest first, with their charges. */
    intentsOf: async (period: Period, after: string | null) =>
      paymentIntents.list({ ...pageOf(period, after), expand: ['data.latest_charge'] }),
    /** One page of the refunds that were created in a period, newest first; released holds are among them. */
    refundsOf: async (period: Period, after: string | null) => refunds.list(pageOf(period, after)),
    dispute: async (id: string) => disputeOf(await disputes.retrieve(id)),
    /** Repeated with the same evidence it is submitted once. */
    submitEvidence: async (id: string, evidence: Evidence) => {
      const { customerName, customerEmail, serviceDate, description, text } = evidence
      const given = {
        ...(customerName && { customer_name: customerName }),
        ...(customerEmail && { customer_email_address: customerEmail }),
        ...(serviceDate && { service_date: serviceDate }),
        ...(description && { product_description: description }),
        ...(text && { uncategorized_text: text }),
      }
      const idempotencyKey = `evidence:${id}:${sha256(JSON.stringify(given))}`
      return disputeOf(await disputes.update(id, { evidence: given, submit: true }, { idempotencyKey }))
    },
    disputesOf: async (period: Period, after: string | null) => disputes.list(pageOf(period, after)),
  }
}

async function all<Listed>(list: AsyncIterable<Listed>, read: (one: Listed) => ProcessorReversal[]) {
  const found: ProcessorReversal[] = []
  for await (const one of list) found.push(...read(one))
  return found
}

/** In whole seconds, with the second of `until`. */
export type Period = { since: Date; until: Date }

const pageOf = ({ since, until }: Period, after: string | null) => ({
  created: { gte: Math.floor(since.getTime() / 1000), lte: Math.floor(until.getTime() / 1000) },
  limit: 100,
  ...(after === null ? {} : { starting_after: after }),
})

/** Stripe's HTTP client with one client span per call; `count` is told how each call ended. */
function tracedClient(count: (outcome: CallOutcome) => void): Stripe.HttpClient {
  const client = Stripe.createNodeHttpClient()
  return {
    getClientName: () => client.getClientName(),
    makeRequest: (host, port, path, method, ...rest) => {
      const attributes = { 'http.request.method': method, 'server.address': host, 'url.path': path.split('?', 1)[0]! }
      return inSpan({ name: `${method} card processor`, kind: 'client', attributes }, async () => {
        try {
          const response = await client.makeRequest(host, port, path, method, ...rest)
          count(outcomeOf(response.getStatusCode()))
          return response
        } catch (error) {
          count('none')
          throw error
        }
      })
    },
  }
}

/** 429 counts as a failure: the processor does not take the calls of this store. */
const outcomeOf = (status: number): CallOutcome =>
  status >= 500 || status === 429 ? 'failed' : status >= 400 ? 'refused' : 'ok'

function addressOf(apiUrl: string | undefined) {
  if (!apiUrl) return {}
  const { protocol, hostname, port } = new URL(apiUrl)
  const name = protocol === 'https:' ? ('https' as const) : ('http' as const)
  return { protocol: name, host: hostname, port: port || (name === 'https' ? '443' : '80') }
}

function sessionOf(session: Stripe.Checkout.Session): Session {
  const { id, url, status, amount_total, currency, payment_intent } = session
  return {
    id,
    url: url ?? null,
    status: status === 'complete' ? 'complete' : status === 'expired' ? 'expired' : 'open',
    amount: amount_total,
    currency,
    hold: payment_intent && typeof payment_intent === 'object' ? holdOf(payment_intent) : null,
    orderId: session.client_reference_id,
    metadata: session.metadata ?? {},
    createdAt: new Date(session.created * 1000),
    expiresAt: new Date(session.expires_at * 1000),
    customerId: typeof session.customer === 'object' ? (session.customer?.id ?? null) : session.customer,
    customer: session.customer_details && {
      name: session.customer_details.name,
      email: session.customer_details.email,
    },
  }
}

export function holdOf(intent: Stripe.PaymentIntent): Hold {
  const charge = intent.latest_charge !== null && typeof intent.latest_charge === 'object' ? intent.latest_charge : null
  const { capture_before: captureBefore, fingerprint } = charge?.payment_method_details?.card ?? {}
  return {
    id: intent.id,
    status: intent.status,
    amount: intent.amount,
    currency: intent.currency,
    capturedCents: intent.amount_received,
    captureKey: intent.metadata.capture ?? null,
    cancelledBecause: intent.cancellation_reason,
    paidAtMs: charge && charge.created * 1000,
    captureBeforeMs: captureBefore ? captureBefore * 1000 : null,
    card: fingerprint ? sha256(fingerprint) : null,
    declined: declineOf(intent),
    // The processor marks a released hold as refunded, although nothing was captured.
    isReversed: charge ? charge.captured && (charge.amount_refunded > 0 || charge.disputed) : false,
  }
}
