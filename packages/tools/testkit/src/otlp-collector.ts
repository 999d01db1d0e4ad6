import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A span as a collector gets it. */
export type CollectedSpan = {
  service: string
  name: string
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  links: { traceId: string; spanId: string }[]
  attributes: Record<string, unknown>
}

/** An OTLP collector over HTTP that keeps the spans it receives. */
export async function startOtlpCollector() {
  const spans: CollectedSpan[] = []
  const server = createServer(async (request, response) => {
    spans.push(...spansOf(await json(request)))
    response.setHeader('content-type', 'application/json').end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const attributesOf = (attributes: any[] = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

const spansOf = (body: any): CollectedSpan[] =>
  body.resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    scopeSpans.flatMap(({ spans }: any) =>
      spans.map(({ name, traceId, spanId, parentSpanId, links = [], attributes }: any) => ({
        service: attributesOf(resource.attributes)['service.name'],
        name,
        traceId,
        spanId,
        parentSpanId,
        links,
        attributes: attributesOf(attributes),
      })),
    ),
  )
