import { Type } from 'typebox'
import { parseEnv } from './config.ts'
import { createLog } from './logs.ts'
import { openTransport } from './messaging/open-transport.ts'
import type { RunningService, ServiceContext } from './service.ts'
import { openTraces } from './traces/open-traces.ts'

const Env = Type.Object({
  HOST: Type.String({ default: '0.0.0.0' }),
  PORT: Type.Integer({ default: 3000 }),
  INTERNAL_PORT: Type.Integer({ default: 3100 }),
  INTERNAL_SECRET: Type.String({ minLength: 16 }),
  POSTGRES_URL: Type.String({ minLength: 1 }),
  LOG_LEVEL: Type.String({ default: 'info' }),
  /** How long it answers on after SIGTERM, so that everybody hears that it leaves; above 5, no caller notices. */
  DRAIN_SECONDS: Type.Integer({ default: 0, minimum: 0, maximum: 300 }),
})

/** How long requests that are under way may take after SIGTERM, and after the time in which it answers on. */
const STOP_WITHIN_MS = 20_000

/** The address of one database on the server that POSTGRES_URL names. */
export function databaseUrl(serverUrl: string, name: string) {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Runs one service as a process of its own: the whole of its `main.ts`. */
export async function runAlone(name: string, start: (parts: ServiceContext) => Promise<RunningService>) {
  const env = parseEnv(Env, process.env)
  const log = createLog({ name, level: env.LOG_LEVEL })
  const traces = await openTraces(process.env, log)
  const transport = await openTransport(process.env, {
    name,
    localUrl: databaseUrl(env.POSTGRES_URL, 'transport'),
    log,
  })
  const service = await start({
    databaseUrl: databaseUrl(env.POSTGRES_URL, name),
    transport,
    log,
    internalSecret: env.INTERNAL_SECRET,
    internalListen: { host: env.HOST, port: env.INTERNAL_PORT },
    drainSeconds: env.DRAIN_SECONDS,
  })
  await service.app.listen({ host: env.HOST, port: env.PORT })

  stopOnSignal(async () => {
    await service.stop()
    await transport.stop()
    await traces.stop()
  }, env.DRAIN_SECONDS)
}

/** SIGTERM and SIGINT stop in order; a stop that hangs is ended, since SIGKILL at any point is safe too. */
export function stopOnSignal(stop: () => Promise<void>, drainSeconds: number) {
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (stopping) return
      stopping = true
      setTimeout(() => process.exit(1), drainSeconds * 1_000 + STOP_WITHIN_MS).unref()
      stop().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    })
}
