import type { Endpoint } from './endpoint.ts'
import { signature } from './signature.ts'

const timeoutMs = 10_000
const staleSeconds = 301

type WebhookRequest = { body: string; endpoint: Endpoint; mode?: string; signal: AbortSignal }

/**
 * Sends a body once and returns the status, or the error as text. The signature has the real time, because the receiver
 * compares it with its own clock; the sandbox's clock may be far ahead.
 */
export async function send({ body, endpoint, mode, signal }: WebhookRequest): Promise<number | string> {
  const now = Math.floor(Date.now() / 1000)
  const secrets = mode === 'forge' ? ['whsec_forged'] : endpoint.secrets
  try {
    const response = await fetch(endpoint.url!, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signature(body, secrets, mode === 'stale' ? now - staleSeconds : now),
        'user-agent': 'Stripe/1.0 (sandbox)',
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return cause instanceof Error ? `${cause.name}: ${cause.message}` : 'failed'
  }
}

export const isAccepted = (status: number | string) => typeof status === 'number' && status >= 200 && status < 300
