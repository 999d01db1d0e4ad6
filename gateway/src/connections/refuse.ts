import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { API_PREFIX } from '@nifty/api/gateway'
import { ExpectedError, invalid } from '@nifty/service-kit/base/errors'
import { http } from '@nifty/service-kit/http/node-http'
import { type HeaderSettings, securityHeaders } from '../security/security.ts'

export const requestTimeout = () =>
  new ExpectedError('timeout', 'request_timeout', 'The request took too long to arrive')

const headersTooLarge = () => new ExpectedError('headers_too_large', 'headers_too_large', 'Too many headers')

/** The error for a request that Node could not parse or that did not arrive in time. */
export function errorOfParser({ code }: { code?: string }): ExpectedError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimeout()
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge()
  return invalid('invalid_request', 'Invalid request')
}

/**
 * Sends an error on a connection that has no request object, in the shape and with the security headers of every other
 * error, and closes it.
 */
export function refuse(socket: Socket, { statusCode, code, message }: ExpectedError, headerSettings: HeaderSettings) {
  if (!socket.writable) return socket.destroy()
  const requestId = randomUUID()
  const body = JSON.stringify({ success: false, code, message, requestId })
  const headers = {
    ...securityHeaders(API_PREFIX, headerSettings),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${statusCode} ${http.STATUS_CODES[statusCode]}\r\n${lines.join('')}\r\n${body}`)
  socket.destroySoon()
}
