import type { FastifyRequest } from 'fastify'
import { ExpectedError, invalid } from '../base/errors.ts'

const MAX_DEPTH = 20
const MAX_URL_BYTES = 2_048

/** Fields that may contain line breaks and tabs. */
const multilineFields = new Set(['message', 'description', 'text', 'answer'])

/** Throws 400 for control characters, unpaired surrogates, deep nesting and repeated query parameters. */
export function checkInput({ body, query, params }: Pick<FastifyRequest, 'body' | 'query' | 'params'>) {
  for (const value of Object.values((query ?? {}) as Record<string, unknown>))
    if (typeof value !== 'string') throw invalid('invalid_request', 'Each query parameter may be given once')
  for (const part of [body, query, params]) if (part && !Buffer.isBuffer(part)) checkValue(part, '', 0)
}

/**
 * Throws 414 for a long request target, and 400 for one that is not in origin form (RFC 9112) or has a fragment, a
 * backslash or dot segments, also percent-encoded: routers, proxies and URL parsers read those differently.
 */
export function checkUrl(url: string) {
  if (url.length > MAX_URL_BYTES) throw new ExpectedError('uri_too_long', 'uri_too_long', 'The address is too long')
  const path = url.split('?', 1)[0]!.replace(/%2e/gi, '.').replace(/%2f/gi, '/').replace(/%5c/gi, '\\')
  const isOriginForm = /^\/[\x21-\x7e]*$/.test(url) && !url.includes('#')
  if (!isOriginForm || path.includes('\\') || /\/\.{1,2}(\/|$)/.test(path))
    throw invalid('invalid_target', 'The address is invalid')
}

/** Throws 400 for percent-encoding that is not UTF-8. A percent sign without two hex digits is taken literally. */
export function checkEncoding(url: string) {
  try {
    decodeURIComponent(url.replace(/%(?![0-9a-f]{2})/gi, '%25'))
  } catch {
    throw invalid('invalid_characters', 'Invalid characters')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Throws 400 for bytes that are not UTF-8, which would otherwise be replaced silently. */
export function decodeUtf8(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid('invalid_characters', 'Invalid characters')
  }
}

function checkValue(value: unknown, name: string, depth: number) {
  if (depth > MAX_DEPTH) throw invalid('too_deep', 'The request is nested too deeply')
  if (typeof value === 'string') {
    if (!isClean(value, multilineFields.has(name)))
      throw invalid('invalid_characters', 'Invalid characters', { errors: [{ msg: 'Invalid characters', path: name }] })
  } else if (Array.isArray(value)) {
    for (const entry of value) checkValue(entry, name, depth + 1)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, entry] of Object.entries(value)) {
      if (!isClean(key, false)) throw invalid('invalid_characters', 'Invalid characters')
      checkValue(entry, key, depth + 1)
    }
  }
}

/** True for text without C0 controls, DEL and unpaired surrogates; line breaks and tabs where `lines` allows them. */
export function isClean(text: string, lines: boolean): boolean {
  if (!text.isWellFormed()) return false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 32 && code !== 127) continue
    if (lines && (code === 9 || code === 10 || code === 13)) continue
    return false
  }
  return true
}
