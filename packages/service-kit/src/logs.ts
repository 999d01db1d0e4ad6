import { AsyncLocalStorage } from 'node:async_hooks'
import { pino } from 'pino'
import { traceIds } from './traces/trace.ts'

export type Log = pino.Logger

/** What every line of one request or one event carries, over all services that it passes. */
export type Context = { correlationId: string }

const contexts = new AsyncLocalStorage<Context>()

export const withContext = <Result>(context: Context, run: () => Result): Result => contexts.run(context, run)
export const currentContext = () => contexts.getStore()

/** Logs name ids, never what people typed: no bodies, no tokens, no addresses of people. */
export function createLog({ name, level, file }: { name: string; level: string; file?: string }): Log {
  return pino(
    {
      name,
      level,
      mixin: () => ({ ...currentContext(), ...traceIds() }),
      serializers: { err: describeError },
      redact: {
        paths: ['password', 'token', 'email', 'authorization', '*.password', '*.token', '*.email', '*.authorization'],
        censor: '[redacted]',
      },
    },
    file ? pino.destination({ dest: file, mkdir: true, sync: false }) : undefined,
  )
}

/** What helps to find a fault. Errors of libraries carry whole connections and configurations; those stay out. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  const { code } = error as { code?: unknown }
  return { name, message, code, stack, cause: cause instanceof Error ? cause.message : undefined }
}
