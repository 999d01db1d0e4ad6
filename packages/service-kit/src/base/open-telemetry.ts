import { hostname } from 'node:os'
import {
  type Tracer as ApiTracer,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, resourceAttributesEnvDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Log } from './logs.ts'
import type { OpenSpan, Span } from './trace.ts'

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const

/**
 * Creates spans with the OpenTelemetry SDK. Every service has a resource of its own, in the one-process store too; one
 * export queue serves them all. `share` is the sampling ratio, 0 to 1.
 */
export function createTracer({ share, sendEveryMs, log }: { share: number; sendEveryMs: number; log: Log }) {
  const warn = (...details: unknown[]) => log.warn({ details: details.map(String) }, 'traces: export problem')
  const silent = () => {}
  diag.setLogger({ error: warn, warn, info: silent, debug: silent, verbose: silent }, DiagLogLevel.WARN)

  const processor = new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: sendEveryMs })
  const sampler = new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) })
  const given = detectResources({ detectors: [resourceAttributesEnvDetector] })
  const tracers = new Map<string, ApiTracer>()

  function tracerOf(service: string) {
    const known = tracers.get(service)
    if (known) return known
    const own = { 'service.name': service, 'service.instance.id': `${hostname()}-${process.pid}` }
    const resource = given.merge(resourceFromAttributes(own))
    const tracer = new TracerProvider({ resource, sampler, spanProcessors: [processor] }).getTracer('nifty')
    tracers.set(service, tracer)
    return tracer
  }

  const open: OpenSpan = ({ service, name, kind, parent, links, attributes }) => {
    const from = parent ? parseTraceParent(parent) : null
    const context = from ? trace.setSpanContext(ROOT_CONTEXT, { ...from, isRemote: true }) : ROOT_CONTEXT
    const linked = links.flatMap((link) => parseTraceParent(link) ?? []).map((context) => ({ context }))
    const span = tracerOf(service).startSpan(name, { kind: kinds[kind], attributes, links: linked }, context)
    const { traceId, spanId, traceFlags } = span.spanContext()
    const opened: Span = {
      ids: { trace_id: traceId, span_id: spanId },
      traceparent: `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`,
      setAttributes: (more) => void span.setAttributes(more),
      end: (error) => {
        // Name and code only: messages may contain user input.
        if (error) span.setStatus({ code: SpanStatusCode.ERROR, message: nameOf(error) })
        span.end()
      },
    }
    return opened
  }
  return { open, stop: () => processor.shutdown() }
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? `${error.name} ${code}` : error.name
}
