import type Stripe from 'stripe'

type ErrorBody = {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  param?: string
  payment_intent?: Stripe.PaymentIntent
}

/** A response other than 200. */
export class ApiError extends Error {
  readonly status: number
  readonly body: ErrorBody

  constructor(status: number, body: ErrorBody) {
    super(body.message)
    this.status = status
    this.body = body
  }
}

type Details = Omit<ErrorBody, 'type' | 'message'>

export const invalid = (message: string, details: Details = {}) =>
  new ApiError(400, { type: 'invalid_request_error', message, ...details })

export const malformedForm = () => invalid('The form could not be read: names nest as a[b][0], values are URL-encoded.')

export const unknownParameter = (param: string) =>
  invalid(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })

export const missingParameter = (param: string) =>
  invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })

export const invalidInteger = (param: string, value: string) =>
  invalid(`Invalid integer: ${value}`, { code: 'parameter_invalid_integer', param })

export const missingObject = (kind: string, id: string, param: string) =>
  new ApiError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param,
  })

export const unexpectedState = (verb: string, intent: Stripe.PaymentIntent) =>
  invalid(`This PaymentIntent could not be ${verb} because it has a status of ${intent.status}.`, {
    code: 'payment_intent_unexpected_state',
    payment_intent: intent,
  })

export const invalidApiKey = (key: string | undefined) =>
  new ApiError(401, {
    type: 'invalid_request_error',
    message: key ? `Invalid API Key provided: ${key.slice(0, 8)}***` : 'You did not provide an API key.',
  })

export const tooManyRequests = () =>
  new ApiError(429, { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests, slow down.' })

/** Of a restricted key. */
export const withoutRight = () =>
  new ApiError(403, {
    type: 'invalid_request_error',
    message: 'The provided key does not have the required permissions.',
  })

export const internalError = () =>
  new ApiError(500, { type: 'api_error', message: 'An unknown error occurred at the card processor.' })

export const unknownUrl = (method: string, url: string) =>
  new ApiError(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: ${url}).` })
