import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Log } from './logs.ts'

/** Collectors run at most once in this time, however many scrapers there are. */
const CACHE_MS = 2_000
/** Well below Prometheus' scrape timeout of 10 s. */
const COLLECT_TIMEOUT_MS = 3_000

/** Help text and kind of a metric, and its label if it has several values. */
export type Metric = { help: string; label?: string; kind?: 'gauge' | 'counter' }

/** A number, or a number per label value; null exposes no sample. */
export type Value = number | null | Record<string, number>

/** A group of metrics collected together on scrape; `source` names the collector. */
export type Collector<Name extends string = any> = {
  source: string
  metrics: Record<Name, Metric>
  read: () => Promise<Record<Name, Value>>
}

/** Infers the metrics' names, so that `read` must return a value for each. */
export const collector = <Name extends string>(definition: Collector<Name>): Collector => definition

export type Metrics = ReturnType<typeof createMetrics>

/**
 * Metrics of one service in Prometheus' text format. If a collector fails or times out, its metrics are omitted and
 * `nifty_collector_up` is 0; the others are exposed.
 */
export function createMetrics({ log }: { log: Log }) {
  const registry = new Registry()
  const up = new Gauge({
    name: 'nifty_collector_up',
    help: '1 if the collector succeeded, 0 if its metrics are missing',
    labelNames: ['source'],
    registers: [registry],
  })
  const refreshers: (() => Promise<void>)[] = []
  let rendering: Promise<string> | undefined
  let kept: { text: string; until: number } | undefined

  async function render() {
    await Promise.all(refreshers.map((refresh) => refresh()))
    const text = `${await registry.metrics()}${await processMetrics().metrics()}`
    kept = { text, until: performance.now() + CACHE_MS }
    return text
  }

  return {
    registry,
    add: ({ source, metrics, read }: Collector) => {
      const shown = Object.entries(metrics).map(([name, figure]) => show(registry, name, figure))
      const collect = singleFlight(read)
      refreshers.push(async () => {
        try {
          const values = await collect()
          for (const { name, set } of shown) set(values[name] ?? null)
          up.set({ source }, 1)
        } catch (error) {
          for (const { set } of shown) set(null)
          up.set({ source }, 0)
          log.warn({ err: error, source }, 'metrics: collector failed, its metrics are omitted')
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
    // A reset metric without a label would expose 0.
    if (value === null) return label ? undefined : shown.remove()
    if (typeof value === 'number') return shown.inc(value)
    for (const [of, number] of Object.entries(value)) shown.inc({ [label!]: of }, number)
  }
  return { name, set }
}

/** Single-flight with a timeout: concurrent calls share one run, and a run that is still going is not started again. */
function singleFlight<Result>(run: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined
  return async () => {
    running ??= run().finally(() => {
      running = undefined
    })
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => late.reject(new Error(`no result within ${COLLECT_TIMEOUT_MS} ms`)),
      COLLECT_TIMEOUT_MS,
    )
    try {
      return await Promise.race([running, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }
}

let ofProcess: Registry | undefined

/** Memory, CPU and event loop belong to the process, which may run several services. */
function processMetrics() {
  if (!ofProcess) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess })
  }
  return ofProcess
}
