import fresh from 'fresh'
import Negotiator from 'negotiator'

/** Content codings of cached responses, the smallest first. */
const encodings = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof encodings)[number]

/** The smallest coding that `Accept-Encoding` allows. */
export function encodingFor(header: string | string[] | undefined): Encoding {
  const accepted = new Negotiator({ headers: { 'accept-encoding': header ?? 'identity' } }).encodings([...encodings])
  return encodings.find((each) => accepted.includes(each)) ?? 'identity'
}

/** Whether `If-None-Match` names this weak ETag (`W/"…"`), or any. */
export const includesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined && fresh({ 'if-none-match': header }, { etag })
