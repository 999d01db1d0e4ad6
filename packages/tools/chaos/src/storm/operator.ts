import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getOrderHistory, refundLine } from '@nifty/api/payments/ops'
import type { ServiceName } from '@nifty/api/services'
import { ExpectedError } from '@nifty/service-kit/base/errors'
import { createServiceClient } from '@nifty/service-kit/http/client'
import { operatorCredential } from '@nifty/service-kit/http/operator-token'
import { pay } from '@nifty/testkit/api-client'
import type { RunFile } from '@nifty/testkit/run-file'

type File = { internalUrls: Record<string, string>; operator: { name: string; privateKey: string } }
type Response = { status: number; body: { id?: string; code?: string; message?: string } }

/** The payment is not known yet: ask again. */
const notYet: Response = { status: 503, body: { code: 'no_payment_yet' } }

/** An operator's calls to a store, by its data directory, and what a cardholder's bank does at the processor. */
export async function createOperator(folder: string, run: RunFile) {
  const { processorUrl } = run
  const { internalUrls, operator }: File = JSON.parse(await readFile(join(folder, 'operator.json'), 'utf8'))
  const reason = { reason: 'asked for by the schedule' }
  const { stripeKey }: { stripeKey: string } = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'))
  const serviceOf = (name: ServiceName) =>
    createServiceClient({ url: internalUrls[name]!, credential: operatorCredential(operator), name, timeoutMs: 15_000 })
  const payments = serviceOf('payments')

  const intentOf = async (orderId: string) => (await payments(getOrderHistory, { params: { id: orderId } })).intentId
  async function atProcessor(path: string, parameters: Record<string, string> = {}): Promise<Response> {
    const response = await fetch(processorUrl + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${stripeKey}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(parameters),
    })
    const { error, ...body } = (await response.json()) as { error?: Response['body'] }
    return { status: response.status, body: error ?? body }
  }
  async function inSandbox(path: string, body: object): Promise<Response> {
    const response = await fetch(`${processorUrl}/sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as Response['body'] }
  }

  const elsewhere = new Set<string>()

  return {
    auth: serviceOf('auth'),
    /** `client_reference_id` of each session of the other shop, also of one whose response was lost. */
    elsewhere: elsewhere as ReadonlySet<string>,
    refund: (lineId: string) => answerOf(payments(refundLine, { body: { lineId, ...reason } })),
    /** Somebody of the store refunds a payment in the processor's dashboard. */
    refundAtProcessor: async (orderId: string): Promise<Response> =>
      atProcessor('/v1/refunds', { payment_intent: (await intentOf(orderId))! }),
    /** Somebody of the store cancels a hold in the processor's dashboard. */
    cancelAtProcessor: async (orderId: string): Promise<Response> => {
      const intentId = await intentOf(orderId)
      if (!intentId) return notYet
      return atProcessor(`/v1/payment_intents/${intentId}/cancel`)
    },
    /** The bank opens a dispute, or an inquiry that takes no money, about the payment of an order. */
    dispute: async (orderId: string, { inquiry = false } = {}): Promise<Response> =>
      inSandbox('disputes', { payment_intent: await intentOf(orderId), inquiry }),
    closeInquiry: (id: string) => inSandbox(`disputes/${id}/close`, { outcome: 'closed' }),
    /** The bank warns of fraud, which takes no money. */
    warn: async (orderId: string): Promise<Response> => {
      const intentId = await intentOf(orderId)
      return intentId ? inSandbox('fraud-warnings', { payment_intent: intentId }) : notYet
    },
    /** Another shop takes money with the account that the store uses. */
    payElsewhere: async (): Promise<{ status: number; body: object }> => {
      const reference = `mug-${randomUUID()}`
      elsewhere.add(reference)
      const session = await atProcessor('/v1/checkout/sessions', {
        mode: 'payment',
        client_reference_id: reference,
        success_url: 'https://shop.example/thanks',
        'line_items[0][quantity]': '1',
        'line_items[0][price_data][currency]': 'eur',
        'line_items[0][price_data][unit_amount]': '1500',
        'line_items[0][price_data][product_data][name]': 'A mug',
      })
      if (session.status !== 200) return session
      const { url } = session.body as { url: string }
      return pay(run, url, run.cards.approved)
    },
  }
}

export type Operator = Awaited<ReturnType<typeof createOperator>>

const answerOf = (answer: Promise<object>): Promise<Response> =>
  answer.then(
    (body) => ({ status: 200, body }),
    (error: unknown) => {
      if (!(error instanceof ExpectedError)) throw error
      const { statusCode, code, message } = error
      // A process whose clock is off takes a signature for one of another time: the driver asks again.
      return { status: statusCode === 403 ? 503 : statusCode, body: { code, message } }
    },
  )
