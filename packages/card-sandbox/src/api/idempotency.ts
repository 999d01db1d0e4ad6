import { invalid, Refusal } from './api-error.ts'

/** The first answer given under a key, with what was asked. */
export type StoredAnswer = {
  key: string
  path: string
  /** Canonical parameters. */
  parameters: string
  requestId: string
  status: number
  body: unknown
  /** Seconds. */
  created: number
}

const keptSeconds = 24 * 60 * 60

const mismatch = (key: string) =>
  new Refusal(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with (${key}).`,
  })

const inUse = (key: string) =>
  new Refusal(409, {
    type: 'invalid_request_error',
    code: 'idempotency_key_in_use',
    message: `There is currently another in-progress request using this idempotency key (${key}).`,
  })

export const keyTooLong = () => invalid('Idempotency keys can be up to 255 characters long.')

export type Attempt = { key: string; path: string; parameters: string; now: number }

/** The answer to repeat, or nothing when the key is new or older than 24 h. Refuses another use of the same key. */
export function recall(
  { key, path, parameters, now }: Attempt,
  { stored, running }: { stored: StoredAnswer | undefined; running: ReadonlySet<string> },
): StoredAnswer | undefined {
  if (running.has(key)) throw inUse(key)
  if (!stored || now - stored.created >= keptSeconds) return undefined
  if (stored.path !== path || stored.parameters !== parameters) throw mismatch(key)
  return stored
}
