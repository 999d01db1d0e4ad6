import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ExpectedError } from '../base/errors.ts'
import { isTransientDatabaseError } from '../database/database.ts'
import { describeSecurityEvent } from './security-event.ts'

/** Codes of Fastify's own errors that a client can cause. */
const ofFastify: Record<string, { code: string; message: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'too_large', message: 'The request is too large' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: 'unsupported_media_type', message: 'Please send application/json' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: 'invalid_request', message: 'The request is incomplete' },
}

/** A disk that is full, over its quota or read-only: the same upload succeeds once an operator has made room. */
const diskErrors = new Set(['ENOSPC', 'EDQUOT', 'EROFS'])

/**
 * The only place where an error becomes a response. Unexpected errors are logged in full and hidden from the client.
 */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const send = (status: number, code: string, message: string, extras: object = {}) => {
    describeSecurityEvent(request, { code })
    return reply.code(status).send({ success: false, code, message, ...extras, requestId: request.id })
  }

  if (error instanceof ExpectedError) {
    const { headers, alarm, cause, ...extras } = error.extras
    if (alarm)
      request.log.error({ alarm, err: cause }, `${error.code}: an operator has to act, returning ${error.statusCode}`)
    if (headers) reply.headers(headers)
    return send(error.statusCode, error.code, error.message, extras)
  }

  const { validation, validationContext, statusCode, code } = error as Partial<FastifyError>
  if (validation) {
    const errors = validation.map(({ instancePath, message, params }) => {
      const path =
        instancePath.slice(1).replaceAll('/', '.') || String(params.missingProperty ?? validationContext ?? '')
      return { msg: `${path} ${message ?? 'is wrong'}`.trim(), path }
    })
    return send(400, 'invalid_request', errors[0]?.msg ?? 'Invalid request', { errors })
  }
  const known = code ? ofFastify[code] : undefined
  if (known && statusCode) return send(statusCode, known.code, known.message)
  if (statusCode && statusCode >= 400 && statusCode < 500) return send(statusCode, 'invalid_request', 'Invalid request')

  if (typeof code === 'string' && diskErrors.has(code)) {
    request.log.error({ err: error }, 'files: the disk takes no more, returning 503')
    return send(503, 'busy', 'Please try again in a moment.')
  }
  if (isTransientDatabaseError(error)) {
    request.log.warn({ err: error }, 'database: unavailable or busy, returning 503')
    return send(503, 'busy', 'Please try again in a moment.')
  }
  request.log.error({ err: error }, 'unexpected error, returning 500')
  return send(500, 'internal', 'Something went wrong, please try again.')
}
