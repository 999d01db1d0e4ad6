import { ApiError, invalid } from '../errors/api-error.ts'

/** The first response under an idempotency key, with the request that caused it. */
export type StoredResponse = {
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
  new ApiError(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with (${key}).`,
  })

const inUse = (key: string) =>
  new ApiError(409, {
    type: 'invalid_request_error',
    code: 'idempotency_key_in_use',
    message: `There is currently another in-progress request using this idempotency key (${key}).`,
  })

export const keyTooLong = () => invalid('Idempotency keys can be up to 255 characters long.')

type KeyedRequest = { key: string; path: string; parameters: string; now: number }

/**
 * Returns the response to replay, or undefined when the key is new or older than 24 h. Throws when the key was used for
 * another request, or when its first request is still in progress.
 */
export function findStoredResponse(
  { key, path, parameters, now }: KeyedRequest,
  { stored, keysInUse }: { stored: StoredResponse | undefined; keysInUse: ReadonlySet<string> },
): StoredResponse | undefined {
  if (keysInUse.has(key)) throw inUse(key)
  if (!stored || now - stored.created >= keptSeconds) return undefined
  if (stored.path !== path || stored.parameters !== parameters) throw mismatch(key)
  return stored
}
