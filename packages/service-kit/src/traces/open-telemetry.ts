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
import type { Log } from '../logs.ts'
import type { OpenSpan, Span } from './trace.ts'

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const

/**
 * Spans by the OpenTelemetry SDK. Every service has a resource of its own, also where all of them share the process,
 * and they share one queue to the collector. `share` is how many traces are kept, 0 to 1.
 */
export function createTracer({ share, sendEveryMs, log }: { share: number; sendEveryMs: number; log: Log }) {
  const warn = (...words: unknown[]) => log.warn({ words: words.map(String) }, 'traces')
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

  const open: OpenSpan = ({ service, name, kind, parent, links, facts }) => {
    const from = parent ? parseTraceParent(parent) : null
    const context = from ? trace.setSpanContext(ROOT_CONTEXT, { ...from, isRemote: true }) : ROOT_CONTEXT
    const linked = links.flatMap((link) => parseTraceParent(link) ?? []).map((context) => ({ context }))
    const span = tracerOf(service).startSpan(name, { kind: kinds[kind], attributes: facts, links: linked }, context)
    const { traceId, spanId, traceFlags } = span.spanContext()
    const seen: Span = {
      ids: { trace_id: traceId, span_id: spanId },
      traceparent: `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`,
      describe: (more) => void span.setAttributes(more),
      end: (failure) => {
        // The kind of error only: messages may quote what people typed.
        if (failure) span.setStatus({ code: SpanStatusCode.ERROR, message: nameOf(failure) })
        span.end()
      },
    }
    return seen
  }
  return { open, stop: () => processor.shutdown() }
}

function nameOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure)
  const { code } = failure as { code?: unknown }
  return typeof code === 'string' ? `${failure.name} ${code}` : failure.name
}
