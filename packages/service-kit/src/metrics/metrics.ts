import { metrics as metricsEndpoint } from '@nifty/api/infrastructure'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { App } from '../http/app.ts'
import { registerRoute } from '../http/routes.ts'
import type { Log } from '../logs.ts'

/** However many scrapers ask, the sources are read once in this time. */
const KEEP_MS = 2_000
/** Well below the ten seconds after which Prometheus gives a scrape up. */
const READ_WITHIN_MS = 3_000

/** What a figure says, and the name of its one label where it has several values. */
export type Metric = { help: string; label?: string; kind?: 'gauge' | 'counter' }

/** A number, or a number per value of the label; null says nothing. */
export type Value = number | null | Record<string, number>

/** Figures that are read together when somebody asks. `source` says in a word who is asked for them. */
export type Collector<Name extends string = any> = {
  source: string
  metrics: Record<Name, Metric>
  read: () => Promise<Record<Name, Value>>
}

/** Ties figures to the function that reads them, so that none of them is forgotten. */
export const collector = <Name extends string>(its: Collector<Name>): Collector => its

export type Metrics = ReturnType<typeof createMetrics>

/**
 * The figures of one service, in the text form of Prometheus. A source that does not answer in time is left out and
 * said to be down (`nifty_collector_up`); the others are shown.
 */
export function createMetrics({ log }: { log: Log }) {
  const registry = new Registry()
  const up = new Gauge({
    name: 'nifty_collector_up',
    help: '1 when this source of figures could be read, 0 when its figures are missing',
    labelNames: ['source'],
    registers: [registry],
  })
  const refreshers: (() => Promise<void>)[] = []
  let rendering: Promise<string> | undefined
  let kept: { text: string; until: number } | undefined

  async function render() {
    await Promise.all(refreshers.map((refresh) => refresh()))
    const text = `${await registry.metrics()}${await processFigures().metrics()}`
    kept = { text, until: performance.now() + KEEP_MS }
    return text
  }

  return {
    registry,
    add: ({ source, metrics, read }: Collector) => {
      const shown = Object.entries(metrics).map(([name, figure]) => show(registry, name, figure))
      const ask = withoutCrowd(read)
      refreshers.push(async () => {
        try {
          const values = await ask()
          for (const { name, set } of shown) set(values[name] ?? null)
          up.set({ source }, 1)
        } catch (error) {
          for (const { set } of shown) set(null)
          up.set({ source }, 0)
          log.warn({ err: error, source }, 'figures could not be read')
        }
      })
    },
    text: async (): Promise<string> => {
      if (kept && performance.now() < kept.until) return kept.text
      rendering ??= render().finally(() => {
        rendering = undefined
      })
      return rendering
    },
  }
}

function show(registry: Registry, name: string, { help, label, kind = 'gauge' }: Metric) {
  const options = { name, help, labelNames: label ? [label] : [], registers: [registry] }
  const shown = kind === 'gauge' ? new Gauge(options) : new Counter(options)
  const set = (value: Value) => {
    shown.reset()
    // Without a label it would be shown as zero.
    if (value === null) return label ? undefined : shown.remove()
    if (typeof value === 'number') return shown.inc(value)
    for (const [of, number] of Object.entries(value)) shown.inc({ [label!]: of }, number)
  }
  return { name, set }
}

/** One question at a time, and nobody waits for it longer than allowed: one that hangs is not asked again meanwhile. */
function withoutCrowd<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asking: Promise<Answer> | undefined
  return async () => {
    asking ??= ask().finally(() => {
      asking = undefined
    })
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Error(`no answer within ${READ_WITHIN_MS} ms`)), READ_WITHIN_MS)
    try {
      return await Promise.race([asking, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }
}

let ofProcess: Registry | undefined

/** Memory, processor time and event loop belong to the process, however many services are in it. */
function processFigures() {
  if (!ofProcess) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return ofProcess
}

/** Answers Prometheus. */
export function serveMetrics(app: App, metrics: Metrics) {
  registerRoute(app, metricsEndpoint, async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.text()),
  )
}
