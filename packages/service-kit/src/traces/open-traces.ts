import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { parseEnv } from '../env.ts'
import type { Log } from '../logs.ts'
import { setTracer } from './trace.ts'

const Env = Type.Object({
  OTEL_BSP_SCHEDULE_DELAY: Type.Integer({ default: 5_000, minimum: 10 }),
  /** Where a collector takes OTLP over HTTP; `/v1/traces` is added. Unset: nothing is traced, and nothing loaded for it. */
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(Type.String({ pattern: '^https?://' })),
  /** The share of traces that is kept, decided where a trace begins. */
  OTEL_TRACES_SAMPLER_ARG: Type.Number({ default: 1, minimum: 0, maximum: 1 }),
})

/** A collector that does not answer holds nobody's end up longer. */
const LAST_WORDS_WITHIN_MS = 2_000

/** Begins to trace this process where the environment names a collector. What is not sent yet goes out at the stop. */
export async function openTraces(env: NodeJS.ProcessEnv, log: Log): Promise<{ stop: () => Promise<void> }> {
  const values = parseEnv(Env, env)
  if (!values.OTEL_EXPORTER_OTLP_ENDPOINT) return { stop: async () => {} }

  const { createTracer } = await import('./open-telemetry.ts')
  const tracer = createTracer({
    share: values.OTEL_TRACES_SAMPLER_ARG,
    sendEveryMs: values.OTEL_BSP_SCHEDULE_DELAY,
    log,
  })
  setTracer(tracer.open)
  return {
    stop: async () => {
      setTracer(undefined)
      await Promise.race([tracer.stop().catch(() => {}), sleep(LAST_WORDS_WITHIN_MS, undefined, { ref: false })])
    },
  }
}
