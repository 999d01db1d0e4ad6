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
    file ? openFile(file) : undefined,
  )
}

/** A disk that is full loses lines of the log, and ends no process. */
function openFile(file: string) {
  const destination = pino.destination({ dest: file, mkdir: true, sync: false })
  destination.on('error', (error: Error) => process.stderr.write(`log file ${file}: ${error.message}\n`))
  return destination
}

/** Texts and numbers by which libraries name a failure; other fields of their errors contain connections and input. */
type Failure = Error & { code?: unknown; type?: unknown; statusCode?: unknown; requestId?: unknown; detail?: unknown }

/** `cause` has the causes of an error with their codes, the nearest first. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return error
  const { name, message, stack, code, type, statusCode, requestId } = error as Failure
  const cause = causesOf(error).join(' < ') || undefined
  return { name, message, code, type, statusCode, requestId, stack, cause }
}

const MAX_CAUSES = 4

/** What an error was thrown for. Stripe has it in `detail`; a text there is PostgreSQL's, which quotes rows. */
function causesOf(error: Error, depth = 0): string[] {
  const { cause, detail } = error as Failure
  const { errors = [] } = error as { errors?: unknown }
  const inner = [cause, detail, ...(Array.isArray(errors) ? errors : [])].find((each) => each instanceof Error)
  if (!inner || depth === MAX_CAUSES) return []
  const { code } = inner as Failure
  return [typeof code === 'string' ? `${inner.message} (${code})` : inner.message, ...causesOf(inner, depth + 1)]
}
