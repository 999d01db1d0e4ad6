/** Content codings of cached responses. */
export type Encoding = 'br' | 'gzip' | 'identity'

/** Headers whose coding is kept: browsers send few different ones. */
const MAX_KEPT = 100
const MAX_KEPT_LENGTH = 100
const kept = new Map<unknown, Encoding>()

/** The smallest coding that `Accept-Encoding` allows. To parse the header takes a tenth of the time of a short response. */
export function encodingFor(header: string | string[] | undefined): Encoding {
  const known = kept.get(header)
  if (known) return known
  const accepted = acceptedEncodings(header)
  const encoding = accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : 'identity'
  if (typeof header === 'string' && header.length <= MAX_KEPT_LENGTH) {
    if (kept.size === MAX_KEPT) kept.clear()
    kept.set(header, encoding)
  }
  return encoding
}

/** The codings with a quality above zero. */
function acceptedEncodings(header: string | string[] | undefined): Set<string> {
  const entries = String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((entry) => entry.split(';').map((part) => part.trim()))
  return new Set(entries.filter(([, quality]) => !/^q=0(\.0*)?$/.test(quality ?? '')).map(([name]) => name!))
}

/** Whether `If-None-Match` names this weak ETag (`W/"…"`), or any. */
export const includesEtag = (header: string | undefined, etag: string): boolean =>
  header === etag ||
  (header?.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^(W\/)?/, 'W/') === etag) ?? false)
