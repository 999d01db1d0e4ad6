import { brokenJson, changeField, multipart, multipartType } from './bodies.ts'
import type { Account, Caller, Callers } from './callers.ts'
import type { Operation, Schema } from './document.ts'
import type { Draw } from './draw.ts'
import type { Seen } from './seen.ts'
import type { FuzzRequest } from './send.ts'
import { hostileText, type Known, validValue } from './values.ts'

const contentTypes = [
  'text/plain',
  'application/json\t',
  ' application/json',
  'APPLICATION/JSON',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/xml',
  '',
  'application/json, text/plain',
]
/** Longer than any server of ours reads, and below Node's own limit of 16 KB for all headers together. */
const MAX_TARGET = 4_000
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']

const headers: Record<string, readonly string[]> = {
  origin: ['https://evil.example', 'null'],
  'sec-fetch-site': ['cross-site'],
  'if-none-match': ['*', '"x"', 'W/'],
  accept: ['text/html', 'image/avif', 'x'],
  'accept-encoding': ['br', 'gzip;q=0', 'x'],
  'content-encoding': ['gzip', 'deflate'],
  'x-request-id': ['a', '../../etc', 'a'.repeat(2_000)],
  'x-user-id': ['00000000-0000-4000-8000-000000000000'],
  'x-internal-secret': ['x'],
  'x-forwarded-for': ['127.0.0.1', 'x', '::1'],
  'x-http-method-override': ['DELETE'],
  'idempotency-key': ['', 'a'.repeat(201), 'a b', 'k1'],
  authorization: ['Bearer', 'Bearer a.b.c', 'Basic YTpi', 'bearer x y', 'Bearer '.repeat(20)],
  cookie: ['token=x; session=y'],
  host: ['evil.example'],
}

/** A request to the operation that its schemas accept, then in most cases changed in one or two places. */
export function createRequest(
  tools: Draw,
  { operation, caller, seen, callers }: { operation: Operation; caller: Caller; seen: Seen; callers: Callers },
): FuzzRequest {
  const { draw, pick, chance } = tools
  const resource = operation.segments[1] ?? ''
  const known: Known = (name) => seen.known(name, resource)
  const fields = (schema: Schema) => draw(validValue(schema, known)) as Record<string, unknown>

  const params = fields(operation.params)
  if (keepsAccount(operation, caller) && params.id === callers.user(caller as Account).userId)
    params.id = callers.user('newcomer').userId
  const query = Object.entries(fields(operation.query)).map(([name, value]) => [name, String(value)] as const)
  const sent: Record<string, string> = {}
  const token = callers.token(caller)
  if (token) sent.authorization = `Bearer ${token}`
  let { method } = operation
  let body: Buffer | undefined
  if (operation.body) {
    const { type, schema } = operation.body
    let value: unknown = withSum(fields(schema))
    if (chance(45)) value = changeField(tools, value)
    if (type === 'multipart/form-data') {
      const files = Object.entries(schema.properties ?? {}).filter(([, own]) => own.format === 'binary')
      body = multipart(
        tools,
        Object(value) as Record<string, unknown>,
        files.map(([name]) => name),
      )
      sent['content-type'] = multipartType
    } else {
      const text = JSON.stringify(value) ?? ''
      body = chance(8) ? brokenJson(tools, text) : Buffer.from(text)
      sent['content-type'] = 'application/json'
    }
    if (chance(5)) sent['content-type'] = pick(contentTypes)
  } else if (chance(5)) {
    body = brokenJson(tools, '{}')
    sent['content-type'] = pick(['application/json', ...contentTypes])
  }

  const hostileParam = chance(12) && Object.keys(params).length > 0 ? pick(Object.keys(params)) : undefined
  const path = operation.segments.map((segment) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (!name) return segment
    return name === hostileParam ? rawSegment(tools) : encodeURIComponent(wellFormed(String(params[name])))
  })
  if (chance(12)) {
    const extra = pick([...query.map(([name]) => name), 'page', 'x', '__proto__', 'a[]', 'a.b', ''])
    query.push(...(chance(50) ? [[extra, '1'] as const, [extra, '2'] as const] : [[extra, draw(hostileText)] as const]))
  }
  if (chance(8)) {
    const name = pick(Object.keys(headers))
    sent[name] = pick(headers[name]!)
  }
  if (chance(4)) method = pick(methods)
  const search = query.map((pair) => pair.map((text) => encodeURIComponent(wellFormed(text))).join('=')).join('&')
  return {
    caller,
    method,
    path: `/${path.join('/')}${search ? `?${search}` : ''}`.slice(0, MAX_TARGET),
    headers: sent,
    body,
  }
}

/** The buyer and the seller are needed until the end: only the newcomer deletes its account. */
const keepsAccount = ({ method, segments }: Operation, caller: Caller) =>
  method === 'DELETE' && segments[1] === 'users' && (caller === 'buyer' || caller === 'seller')

/** A purchase whose amount is the sum of its items, as the page sends it. */
function withSum(body: Record<string, unknown>) {
  if (!Array.isArray(body?.items)) return body
  const prices = body.items.map((item: { price?: unknown } | null) => Number(item?.price ?? 0))
  return { ...body, amount: prices.reduce((sum, price) => sum + price, 0) }
}

const wellFormed = (text: string) => text.toWellFormed()

/** One path segment with spellings that servers read differently. */
function rawSegment({ pick, draw, chance }: Draw) {
  if (chance(40)) return encodeURIComponent(wellFormed(draw(hostileText)))
  return pick([
    '%00',
    '%ff',
    '%',
    '%zz',
    '..%2f..%2fhealthz',
    '%2e%2e',
    '.',
    '..',
    '%252e',
    '..;',
    '',
    'a'.repeat(2_100),
    'a'.repeat(401),
    '-1',
    '1e3',
    '0',
    '115792089237316195423570985008687907853269984665640564039457584007913129639936',
    '@',
    '@nobody',
    'undefined',
    'null',
    '[object%20Object]',
    '*',
    ':id',
    '%F0%9F%92%A9',
    '%E2%80%AE',
  ])
}
