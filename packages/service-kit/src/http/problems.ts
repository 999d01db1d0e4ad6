import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseTrouble } from '../database.ts'
import { ExpectedError } from '../errors.ts'

/** Codes of Fastify itself that a caller can cause, in our words. */
const ofFastify: Record<string, { code: string; message: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'too_large', message: 'The request is too large' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: 'unsupported_media_type', message: 'Please send application/json' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: 'invalid_request', message: 'The request is incomplete' },
}

/** The one place where an error becomes HTTP. What nobody expected is logged whole and told to nobody. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const say = (status: number, code: string, message: string, facts: object = {}) =>
    reply.code(status).send({ success: false, code, message, ...facts, requestId: request.id })

  if (error instanceof ExpectedError) {
    const { headers, ...facts } = error.facts
    if (headers) reply.headers(headers)
    return say(error.statusCode, error.code, error.message, facts)
  }

  const { validation, validationContext, statusCode, code } = error as Partial<FastifyError>
  if (validation) {
    const errors = validation.map(({ instancePath, message, params }) => {
      const path =
        instancePath.slice(1).replaceAll('/', '.') || String(params.missingProperty ?? validationContext ?? '')
      return { msg: `${path} ${message ?? 'is wrong'}`.trim(), path }
    })
    return say(400, 'invalid_request', errors[0]?.msg ?? 'Invalid request', { errors })
  }
  const known = code ? ofFastify[code] : undefined
  if (known && statusCode) return say(statusCode, known.code, known.message)
  if (statusCode && statusCode >= 400 && statusCode < 500) return say(statusCode, 'invalid_request', 'Invalid request')

  if (isDatabaseTrouble(error)) {
    request.log.warn({ err: error }, 'the database cannot answer')
    return say(503, 'busy', 'Please try again in a moment.')
  }
  request.log.error({ err: error }, 'unexpected error')
  return say(500, 'internal', 'Something went wrong, please try again.')
}
