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

export type ErrorFacts = {
  /** Wrong form fields, one entry each. */
  errors?: { msg: string; path: string }[]
  /** What a program needs to go on, such as typed data to sign. */
  details?: Record<string, unknown>
  headers?: Record<string, string>
}

/** Something a caller did, or can act on. Anything else that is thrown is a bug. */
export class ExpectedError extends Error {
  readonly code: string
  readonly statusCode: number
  readonly facts: ErrorFacts

  constructor(kind: keyof typeof statusOf, code: string, message: string, facts: ErrorFacts = {}) {
    super(message)
    this.code = code
    this.statusCode = statusOf[kind]
    this.facts = facts
  }
}

export const invalid = (code: string, message: string, facts?: ErrorFacts) =>
  new ExpectedError('invalid', code, message, facts)
export const forbidden = (code: string, message: string) => new ExpectedError('forbidden', code, message)
export const notFound = (code: string, message: string) => new ExpectedError('not_found', code, message)
export const conflict = (code: string, message: string, facts?: ErrorFacts) =>
  new ExpectedError('conflict', code, message, facts)
export const unavailable = (code: string, message: string) => new ExpectedError('unavailable', code, message)

/** The same answer for every cause, so that nobody learns which part of a token was wrong. */
export const unauthenticated = () =>
  new ExpectedError('unauthenticated', 'unauthenticated', 'Authentication required', {
    headers: { 'www-authenticate': 'Bearer' },
  })

export const accessDenied = () => forbidden('forbidden', 'Forbidden')

export const tooMany = (retryAfterSeconds: number) =>
  new ExpectedError('too_many', 'too_many_requests', 'Too many requests, please try again later.', {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) },
  })
