import { ExpectedError, unavailable } from '@nifty/service-kit/base/errors'
import type { ServiceClient } from '@nifty/service-kit/http/client'
import Stripe from 'stripe'

/** SQLSTATE of a statement or lock that took too long. */
const timeouts: Record<string, string> = {
  '57014': 'a statement of the database of payments timed out',
  '55P03': 'a lock in the database of payments timed out',
}

/** Of the PostgreSQL client, which gives them no code. */
const lostConnections =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/

/** A client whose errors name its service. */
export const naming =
  (name: string, client: ServiceClient): ServiceClient =>
  (endpoint, ...input) =>
    client(endpoint, ...input).catch((error) => {
      throw error instanceof ExpectedError ? unavailable(error.code, `the ${name} service: ${error.message}`) : error
    })

/** Which party failed and how, for the operator. */
export function causeOf(error: unknown): string {
  if (error instanceof Stripe.errors.StripeError)
    return error.statusCode
      ? `the card processor returned ${error.statusCode} ${error.code ?? error.rawType ?? error.type}`
      : 'the card processor does not respond'
  if (error instanceof ExpectedError) return error.message
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code === 'string' && timeouts[code]) return timeouts[code]
  if (typeof message === 'string' && lostConnections.test(message)) return `the database of payments: ${message}`
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)
    ? `the database of payments: ${code} ${message}`
    : String(message)
}
