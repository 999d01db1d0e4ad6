import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getOrderHistory, refundLine } from '@nifty/api/payments/ops'
import type { ServiceName } from '@nifty/api/services'
import { ExpectedError } from '@nifty/service-kit/base/errors'
import { createServiceClient } from '@nifty/service-kit/http/client'
import { operatorCredential } from '@nifty/service-kit/http/operator-token'
import type { RunFile } from '@nifty/testkit/run-file'

type File = { internalUrls: Record<string, string>; operator: { name: string; privateKey: string } }
type Response = { status: number; body: { code?: string; message?: string } }

/** An operator's calls to a store, by its data directory, and what a cardholder's bank does at the processor. */
export async function createOperator(folder: string, { processorUrl }: RunFile) {
  const { internalUrls, operator }: File = JSON.parse(await readFile(join(folder, 'operator.json'), 'utf8'))
  const reason = { reason: 'asked for by the schedule' }
  const { stripeKey }: { stripeKey: string } = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'))
  const serviceOf = (name: ServiceName) =>
    createServiceClient({ url: internalUrls[name]!, credential: operatorCredential(operator), name, timeoutMs: 15_000 })
  const payments = serviceOf('payments')

  return {
    auth: serviceOf('auth'),
    refund: (lineId: string) => answerOf(payments(refundLine, { body: { lineId, ...reason } })),
    /** Somebody of the store refunds a payment in the processor's dashboard. */
    refundAtProcessor: async (orderId: string): Promise<Response> => {
      const { intentId } = await payments(getOrderHistory, { params: { id: orderId } })
      const response = await fetch(`${processorUrl}/v1/refunds`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${stripeKey}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({ payment_intent: intentId! }),
      })
      const { error } = (await response.json()) as { error?: Response['body'] }
      return { status: response.status, body: error ?? {} }
    },
    /** The bank opens a dispute about the payment of an order. */
    dispute: async (orderId: string): Promise<Response> => {
      const { intentId } = await payments(getOrderHistory, { params: { id: orderId } })
      const response = await fetch(`${processorUrl}/sandbox/disputes`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ payment_intent: intentId }),
      })
      return { status: response.status, body: (await response.json()) as Response['body'] }
    },
  }
}

export type Operator = Awaited<ReturnType<typeof createOperator>>

const answerOf = (answer: Promise<object>): Promise<Response> =>
  answer.then(
    (body) => ({ status: 200, body }),
    (error: unknown) => {
      if (!(error instanceof ExpectedError)) throw error
      return { status: error.statusCode, body: { code: error.code, message: error.message } }
    },
  )
