import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ReadyAnswer } from './cache.ts'

/** Sends a ready answer as small as the caller can read it, or says that nothing changed. */
export function sendReady(request: FastifyRequest, reply: FastifyReply, answer: ReadyAnswer) {
  const etag = `W/"${answer.etag}"`
  reply.header('cache-control', 'no-cache').header('vary', 'Accept-Encoding').header('etag', etag)
  if (knows(request.headers['if-none-match'], etag)) return reply.code(304).send()

  const accepted = acceptedEncodings(request.headers['accept-encoding'])
  const encoding = accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : undefined
  if (encoding) reply.header('content-encoding', encoding)
  const body = encoding === 'br' ? answer.brotli : encoding === 'gzip' ? answer.gzip : answer.plain
  return reply.type('application/json; charset=utf-8').send(body)
}

const knows = (header: string | undefined, etag: string) =>
  header?.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^(W\/)?/, 'W/') === etag)

/** Named with a quality above zero. */
function acceptedEncodings(header: string | string[] | undefined): Set<string> {
  const entries = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((entry) => entry.split(';').map((part) => part.trim()))
  return new Set(entries.filter(([, quality]) => !/^q=0(\.0*)?$/.test(quality ?? '')).map(([name]) => name!))
}
