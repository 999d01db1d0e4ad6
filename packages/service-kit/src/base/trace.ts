import { AsyncLocalStorage } from 'node:async_hooks'

/** As OpenTelemetry's attributes. */
export type Attributes = Record<string, string | number | boolean>

/** A span of a trace, independent of the SDK. */
export type Span = {
  ids: { trace_id: string; span_id: string }
  /** W3C Trace Context of this span, for its children in other processes. */
  traceparent: string
  setAttributes: (attributes: Attributes) => void
  /** With an error, the span's status is ERROR. */
  end: (error?: unknown) => void
}

export type SpanKind = 'server' | 'client' | 'consumer' | 'internal'

/** `parent` and `links` are traceparents. */
export type OpenSpan = (span: {
  service: string
  name: string
  kind: SpanKind
  parent?: string
  links: string[]
  attributes?: Attributes
}) => Span

type Scope = { service: string; span?: Span }

const scopes = new AsyncLocalStorage<Scope>()
let openSpan: OpenSpan | undefined

/** Set by the entry point before any service starts; without a tracer, spans are not created. */
export function setTracer(tracer: OpenSpan | undefined) {
  openSpan = tracer
}

export const isTracing = () => openSpan !== undefined

/** Ids of the current span, for log lines. */
export const traceIds = () => scopes.getStore()?.span?.ids

/** Stored with work that is done later, so that it continues the trace; null without a span. */
export const currentTraceparent = () => scopes.getStore()?.span?.traceparent ?? null

/** Headers for a request to another service. */
export function traceHeaders(): { traceparent?: string } {
  const traceparent = currentTraceparent()
  return traceparent ? { traceparent } : {}
}

/** Runs a function as work of this service; spans that it starts belong to the service. */
export const inService = <Result>(service: string, run: () => Result): Result =>
  openSpan ? scopes.run({ service }, run) : run()

/** For work that starts and ends in different places; the caller ends the span. Undefined without tracing. */
export const startSpan = (work: {
  service: string
  name: string
  kind: SpanKind
  parent?: string
  attributes?: Attributes
}) => openSpan?.({ ...work, links: [] })

export const withSpan = <Result>(service: string, span: Span, run: () => Result): Result =>
  scopes.run({ service, span }, run)

type SpanOptions = {
  name: string
  kind?: SpanKind
  attributes?: Attributes
  /** The traceparent that was stored when this work was postponed. */
  remoteParent?: string | null
  /** Traceparents of other causes. */
  links?: (string | null)[]
  /** Starts a new trace if there is neither a remote parent nor a current span. */
  root?: true
}

const traceOf = (traceparent: string) => traceparent.split('-', 2)[1]

/**
 * Runs a function in a span: a child of the remote parent, which then gets a link to the current span, or else of the
 * current span. Work that belongs to no trace, such as a poll that finds nothing, runs without a span.
 */
export async function inSpan<Result>(options: SpanOptions, run: () => Promise<Result>): Promise<Result> {
  const scope = scopes.getStore()
  if (!openSpan || !scope) return run()
  const { name, kind = 'internal', attributes, remoteParent, links = [], root } = options
  const current = scope.span?.traceparent
  const isOtherTrace = remoteParent && (!current || traceOf(remoteParent) !== traceOf(current))
  const parent = isOtherTrace ? remoteParent : current
  if (!parent && !root) return run()

  const linked = [...links, isOtherTrace ? current : null].filter((link) => link != null)
  const span = openSpan({ service: scope.service, name, kind, parent, links: linked, attributes })
  return scopes.run({ service: scope.service, span }, async () => {
    try {
      const result = await run()
      span.end()
      return result
    } catch (error) {
      span.end(error)
      throw error
    }
  })
}
