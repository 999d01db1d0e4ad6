import { AsyncLocalStorage } from 'node:async_hooks'
import { pino } from 'pino'
import { traceIds } from './trace.ts'

export type Log = pino.Logger

/** Added to every log line of one request or event, across services. */
export type Context = { correlationId: string }

const contexts = new AsyncLocalStorage<Context>()

export const withContext = <Result>(context: Context, run: () => Result): Result => contexts.run(context, run)
export const currentContext = () => contexts.getStore()

/** Logs contain ids, never user input: no bodies, no tokens, no e-mail addresses. */
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

/** Name, message, code, stack and cause; other fields of library errors contain connections and configuration. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  const { code } = error as { code?: unknown }
  return { name, message, code, stack, cause: cause instanceof Error ? cause.message : undefined }
}
