import { AsyncLocalStorage } from 'node:async_hooks'

export type Facts = Record<string, string | number | boolean>

/** A piece of work as a trace shows it: whose it was, how long it took, and what it was part of. */
export type Span = {
  ids: { trace_id: string; span_id: string }
  /** What others need to go on in the same trace, as W3C Trace Context writes it. */
  traceparent: string
  describe: (facts: Facts) => void
  end: (failure?: unknown) => void
}

export type SpanKind = 'server' | 'client' | 'consumer' | 'internal'

/** `parent` and `links` are traceparents. */
export type OpenSpan = (span: {
  service: string
  name: string
  kind: SpanKind
  parent?: string
  links: string[]
  facts?: Facts
}) => Span

type Scope = { service: string; span?: Span }

const scopes = new AsyncLocalStorage<Scope>()
let openSpan: OpenSpan | undefined

/** Whoever runs the process decides, before it starts any service; without a tracer all of this costs nothing. */
export function setTracer(tracer: OpenSpan | undefined) {
  openSpan = tracer
}

export const isTracing = () => openSpan !== undefined

/** What the log lines of this work carry. */
export const traceIds = () => scopes.getStore()?.span?.ids

/** Kept beside what is done later, so that it can be done in the same trace; null where there is none. */
export const currentTraceparent = () => scopes.getStore()?.span?.traceparent ?? null

/** For a request to a neighbour. */
export function traceHeaders(): { traceparent?: string } {
  const traceparent = currentTraceparent()
  return traceparent ? { traceparent } : {}
}

/** Says whose work this is. Spans are opened by what it meets on the way. */
export const inService = <Result>(service: string, run: () => Result): Result =>
  openSpan ? scopes.run({ service }, run) : run()

/** For work that begins and ends in different places: whoever opens it ends it. Undefined when nothing is traced. */
export const startSpan = (work: { service: string; name: string; kind: SpanKind; parent?: string; facts?: Facts }) =>
  openSpan?.({ ...work, links: [] })

export const withSpan = <Result>(service: string, span: Span, run: () => Result): Result =>
  scopes.run({ service, span }, run)

type Work = {
  name: string
  kind?: SpanKind
  facts?: Facts
  /** The traceparent that was kept when this work was put off. */
  continues?: string | null
  /** Traceparents of what else led to it. */
  links?: (string | null)[]
  /** Seen as a trace of its own where it continues nothing. */
  begins?: true
}

const traceOf = (traceparent: string) => traceparent.split('-', 2)[1]

/**
 * Runs a piece of work as a span: part of the work around it, unless it continues another trace; then it goes there and
 * keeps a link to what is around it. Work that belongs to no trace runs without a span, such as a look that finds
 * nothing to do.
 */
export async function inSpan<Result>(work: Work, run: () => Promise<Result>): Promise<Result> {
  const scope = scopes.getStore()
  if (!openSpan || !scope) return run()
  const { name, kind = 'internal', facts, continues, links = [], begins } = work
  const around = scope.span?.traceparent
  const leaves = continues && (!around || traceOf(continues) !== traceOf(around))
  const parent = leaves ? continues : around
  if (!parent && !begins) return run()

  const linked = [...links, leaves ? around : null].filter((link) => link != null)
  const span = openSpan({ service: scope.service, name, kind, parent, links: linked, facts })
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
