import { processorEvents, TEST_EVENT } from '@nifty/api/payments/processor-events'
import { processorWebhook } from '@nifty/api/payments/public'
import { isForeignProcessor, isLiveKey, ProcessorKey } from '@nifty/service-kit/base/live-key'
import type Stripe from 'stripe'
import { Value } from 'typebox/value'
import { missing, note, type Outcome, ok } from './check.ts'

export const checkKey = (secretKey: string | undefined): Outcome => {
  if (!secretKey) return missing('STRIPE_SECRET_KEY is not set: the card sandbox takes the payments')
  if (!Value.Check(ProcessorKey, secretKey)) return missing('STRIPE_SECRET_KEY is no secret or restricted key')
  return isLiveKey(secretKey) ? ok('the key is live') : note('the key is a test key: no money moves')
}

export function checkProcessorHost(secretKey: string | undefined, apiUrl: string | undefined): Outcome {
  if (!isForeignProcessor(apiUrl)) return ok('payments go to api.stripe.com')
  return isLiveKey(secretKey)
    ? note(`a live key goes to ${apiUrl} (ALLOW_FOREIGN_PROCESSOR): unset STRIPE_API_URL for the processor's own`)
    : note(`payments go to ${apiUrl}`)
}

/** Signs a body as the processor does, with a secret of STRIPE_WEBHOOK_SECRET. */
export type Sign = (payload: string, secret: string) => string

/** A signed event is accepted at the public address, and the same without a signature is refused. */
export async function checkWebhook(
  { publicUrl, secrets, livemode, nowMs }: { publicUrl: string; secrets: string[]; livemode: boolean; nowMs: number },
  post: typeof fetch,
  sign: Sign,
): Promise<Outcome> {
  const url = publicUrl + processorWebhook.path
  const event = {
    id: `evt_doctor_${nowMs}`,
    object: 'event',
    type: TEST_EVENT,
    created: Math.floor(nowMs / 1_000),
    livemode,
  }
  const body = JSON.stringify({ ...event, data: { object: {} } })
  const statusOf = async (headers: Record<string, string>) =>
    // The processor follows no redirect.
    (await post(url, { method: 'POST', headers, body, redirect: 'manual' })).status
  for (const [index, secret] of secrets.entries()) {
    const status = await statusOf({ 'content-type': 'application/json', 'stripe-signature': sign(body, secret) })
    if (status !== 200)
      return missing(
        `${url} refuses an event signed with secret ${index + 1} of STRIPE_WEBHOOK_SECRET (${status}): restart the store with this one`,
      )
  }
  const unsigned = await statusOf({ 'content-type': 'application/json' })
  return unsigned === 400
    ? ok(`${url} takes signed events only`)
    : missing(`${url} answers ${unsigned} to an event without a signature: something else responds there`)
}

type Endpoint = Pick<Stripe.WebhookEndpoint, 'url' | 'status' | 'enabled_events'>

/**
 * The processor's own list has this store's endpoint, with all events. `list` sends the key to the processor, and
 * throws what it refuses; `mayAsk` is false where the store itself would refuse to send the key there.
 */
export async function checkEndpoints(
  publicUrl: string,
  { list, mayAsk }: { list: () => Promise<Endpoint[]>; mayAsk: boolean },
): Promise<Outcome> {
  if (!mayAsk) return missing('STRIPE_API_URL is not the processor: the live key was not sent there')
  const url = publicUrl + processorWebhook.path
  let endpoints: Endpoint[]
  try {
    endpoints = await list()
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode !== 403) throw error
    return note(`the key may not read webhook endpoints: see in the dashboard that ${url} gets the events`)
  }
  const own = endpoints.find((endpoint) => endpoint.url === url)
  if (!own) return missing(`the processor has no webhook endpoint ${url}: add it, with the events of FIRST-SHOP.md`)
  if (own.status !== 'enabled') return missing(`the processor has disabled the webhook endpoint ${url}: enable it`)
  const left = own.enabled_events.includes('*')
    ? []
    : processorEvents.filter((type) => !own.enabled_events.includes(type))
  return left.length === 0
    ? ok(`the processor sends ${url} all events`)
    : missing(`the webhook endpoint ${url} does not get ${left.join(', ')}: add them`)
}

/** `receivedAt`: of the newest event that the processor sent; null: none yet. */
export const checkLastWebhook = (receivedAt: string | null): Outcome =>
  receivedAt
    ? ok(`the processor's newest webhook arrived at ${receivedAt}`)
    : note('no webhook of the processor has arrived yet: make a test sale')
