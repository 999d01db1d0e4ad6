const statusOf = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  not_allowed: 405,
  timeout: 408,
  conflict: 409,
  too_large: 413,
  uri_too_long: 414,
  unsupported: 415,
  too_many: 429,
  headers_too_large: 431,
  unavailable: 503,
} as const

export type ErrorExtras = {
  /** Wrong form fields, one entry each. */
  errors?: { msg: string; path: string }[]
  /** Data that a client can act on, such as typed data to sign. */
  details?: Record<string, unknown>
  headers?: Record<string, string>
  /** Logged as an error with this `alarm` and `cause`, neither of which the client gets: an operator has to act. */
  alarm?: string
  cause?: unknown
}

/** An error that the client caused or can act on. Any other thrown error is a bug and becomes a 500. */
export class ExpectedError extends Error {
  readonly code: string
  readonly statusCode: number
  readonly extras: ErrorExtras

  constructor(kind: keyof typeof statusOf, code: string, message: string, extras: ErrorExtras = {}) {
    super(message)
    this.code = code
    this.statusCode = statusOf[kind]
    this.extras = extras
  }
}

export const invalid = (code: string, message: string, extras?: ErrorExtras) =>
  new ExpectedError('invalid', code, message, extras)
export const forbidden = (code: string, message: string) => new ExpectedError('forbidden', code, message)
export const notFound = (code: string, message: string) => new ExpectedError('not_found', code, message)
export const conflict = (code: string, message: string, extras?: ErrorExtras) =>
  new ExpectedError('conflict', code, message, extras)
export const unavailable = (code: string, message: string, extras?: ErrorExtras) =>
  new ExpectedError('unavailable', code, message, extras)

/** 503: the same request succeeds later. */
export const busy = (extras?: ErrorExtras) => unavailable('busy', 'Please try again in a moment.', extras)

/** 400 for the `after` of a page that does not exist. */
export const invalidCursor = () => {
  const msg = 'This page does not exist'
  return invalid('invalid_cursor', msg, { errors: [{ msg, path: 'after' }] })
}

/** 429 that no waiting ends: a number of stored things is at its limit. */
export const limitReached = (code: string, message: string) => new ExpectedError('too_many', code, message)

/** The same response for every cause, so that it does not reveal which part of a token was wrong. */
export const unauthenticated = () =>
  new ExpectedError('unauthenticated', 'unauthenticated', 'Authentication required', {
    headers: { 'www-authenticate': 'Bearer' },
  })

export const accessDenied = () => forbidden('forbidden', 'Forbidden')

/** 429 of a limit per day, with a code of its own. */
export const tooManyToday = (code: string, message: string) =>
  new ExpectedError('too_many', code, message, { headers: { 'retry-after': String(86_400) } })

export const tooMany = (retryAfterSeconds: number) =>
  new ExpectedError('too_many', 'too_many_requests', 'Too many requests, please try again later.', {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  })
