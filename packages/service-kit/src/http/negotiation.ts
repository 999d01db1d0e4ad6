/** Content codings of cached responses. */
export type Encoding = 'br' | 'gzip' | 'identity'

/** The smallest coding that `Accept-Encoding` allows. */
export function encodingFor(header: string | string[] | undefined): Encoding {
  const accepted = acceptedEncodings(header)
  return accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : 'identity'
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
  header?.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^(W\/)?/, 'W/') === etag) ?? false
