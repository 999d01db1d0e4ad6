import type { IncomingHttpHeaders } from 'node:http'
import { processorWebhook } from '@nifty/api/payments/public'
import { invalid } from '@nifty/service-kit/base/errors'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { createEventCollector } from './event-collector.ts'
import { readEvent } from './signature.ts'
import { received, storeEvents } from './webhook.store.ts'
import { summarizeEvent } from './webhook.ts'

const MAX_BYTES = 256 * 1024

/** Webhooks of the processor: verified on the raw bytes and stored; a worker handles them. */
export const webhookRoutes: FastifyPluginAsync<Deps> = async (app, { db, config, processor }) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BYTES }, (_request, body, done) => done(null, body))

  const collector = createEventCollector((events) => storeEvents(db, events, { fetched: false }))

  const handle = async ({ headers, body }: { headers: IncomingHttpHeaders; body: unknown }) => {
    // The signature covers the uncompressed bytes; compressed bodies are refused.
    if (headers['content-encoding'] || !Buffer.isBuffer(body)) throw invalid('invalid_request', 'Invalid request')
    const signature = headers['stripe-signature']
    const event = readEvent({
      rawBody: body,
      signature: Array.isArray(signature) ? signature.join(',') : signature,
      secrets: config.webhookSecrets,
      livemode: processor.livemode,
      nowMs: Date.now(),
    })
    await collector.store(received(summarizeEvent(event)))
    return { received: true as const }
  }
  registerRoute(app, processorWebhook, handle, { bodyLimit: MAX_BYTES })
}
