import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { parseEnv } from './env.ts'
import type { Log } from './logs.ts'
import { setTracer } from './trace.ts'

const Env = Type.Object({
  /** Milliseconds between two exports of spans. */
  OTEL_BSP_SCHEDULE_DELAY: Type.Integer({ default: 5_000, minimum: 10 }),
  /** OTLP/HTTP endpoint of a collector; `/v1/traces` is appended. Unset: tracing is off and the SDK is not loaded. */
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(Type.String({ pattern: '^https?://' })),
  /** Sampling ratio, decided at the root span. */
  OTEL_TRACES_SAMPLER_ARG: Type.Number({ default: 1, minimum: 0, maximum: 1 }),
})

/** Limit for the last export at shutdown. */
const FLUSH_TIMEOUT_MS = 2_000

/** Starts tracing if the environment has an OTLP endpoint. `stop` exports the remaining spans. */
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
      await Promise.race([tracer.stop().catch(() => {}), sleep(FLUSH_TIMEOUT_MS, undefined, { ref: false })])
    },
  }
}
