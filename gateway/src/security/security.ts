import { createHash } from 'node:crypto'
import { API_PREFIX, ASSETS_PREFIX, DOCS_PAGE_PREFIX, getShareImage, UPLOADS_PREFIX } from '@nifty/api/gateway'
import { getTokenMetadata } from '@nifty/api/minting/public'
import { pages } from '@nifty/api/pages'
import { processorWebhook } from '@nifty/api/payments/public'
import { parseUrl } from '@nifty/api/url'
import { MAIL_LOGO } from '@nifty/service-kit/base/branding'
import { forbidden } from '@nifty/service-kit/base/errors'
import type { Log } from '@nifty/service-kit/base/logs'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Third-party origins that the operator allows the front end to use. `reports`: where scripts send what they measure,
 * by request or image.
 */
export type ThirdPartyHosts = { scripts: string[]; reports: string[]; frames: string[] }

/** `style`: the content of the only inline style of documents; empty: there is none. */
export function contentSecurityPolicy({ scripts, reports, frames }: ThirdPartyHosts, style = '') {
  const styles = style ? [`'sha256-${createHash('sha256').update(style).digest('base64')}'`] : []
  const list = (...sources: string[]) => ["'self'", ...sources].join(' ')
  return [
    "default-src 'none'",
    `script-src ${list(...scripts)}`,
    `style-src ${list(...styles)}`,
    `img-src ${list('data:', 'blob:', ...scripts, ...reports)}`,
    `font-src ${list()}`,
    `connect-src ${list(...scripts, ...reports)}`,
    `manifest-src ${list()}`,
    `frame-src ${frames.length > 0 ? frames.join(' ') : "'none'"}`,
    `media-src ${list(...frames)}`,
    `form-action ${list()}`,
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const prefixOf = (path: string) => path.split(/[:*]/, 1)[0]!

/** What is made for other sites: for explorers, wallets, galleries, previews. None of it depends on the caller. */
const openPrefixes = [UPLOADS_PREFIX, prefixOf(getTokenMetadata.path), prefixOf(getShareImage.path)]
const isOpenPath = (path: string) => path === MAIL_LOGO || openPrefixes.some((prefix) => path.startsWith(prefix))

/**
 * Whether pages of other origins may read the response: of an open path, and of a cached endpoint to a request without
 * a bearer token. No session is in a cookie, and browsers let no page read `*` where it sends cookies. The endpoint
 * decides whether a caller is needed: a path can be written in several ways.
 */
function isOpen(path: string, { headers, routeOptions }: FastifyRequest) {
  const endpoint = routeOptions?.config?.endpoint
  if (endpoint && endpoint.access !== 'public') return false
  return isOpenPath(path) || (headers.authorization === undefined && Boolean(endpoint?.cached))
}

/** Pages of secret links. The site's router ignores case and slashes at the end. */
function isSecret(path: string) {
  const page = path.toLowerCase().replace(/\/+$/, '')
  return page.startsWith('/reset-password') || page === pages.openedCertificate.path
}

const apiPolicy = "default-src 'none'; frame-ancestors 'none'"
/** Of the page that shows the OpenAPI document: its own scripts and styles, and requests to the store. */
const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const policyOf = (path: string, sitePolicy: string) => {
  if (path.startsWith(DOCS_PAGE_PREFIX)) return docsPolicy
  return [API_PREFIX, UPLOADS_PREFIX, ASSETS_PREFIX].some((prefix) => path.startsWith(prefix)) ? apiPolicy : sitePolicy
}

/** What a gateway's configuration decides about the headers of its responses. */
export type HeaderSettings = {
  /** `contentSecurityPolicy` of documents. */
  sitePolicy: string
  /** Whether browsers that saw the store demand TLS of every sub-domain of its host, for two years. */
  hstsSubdomains: boolean
}

/**
 * Headers of every response. Headers that a service sets itself, such as the `sandbox` policy of uploads, win. Files
 * that pages load have none that take effect on documents only: a first visit loads about fifty of them.
 */
export function securityHeaders(
  path: string,
  { sitePolicy, hstsSubdomains }: HeaderSettings,
  { isOpen }: { isOpen: boolean } = { isOpen: false },
): Record<string, string> {
  const isUpload = path.startsWith(UPLOADS_PREFIX)
  const isFile = isUpload || path.startsWith(ASSETS_PREFIX)
  return {
    'strict-transport-security': `max-age=63072000${hstsSubdomains ? '; includeSubDomains' : ''}`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': policyOf(path, sitePolicy),
    ...(isOpen
      ? { 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' }
      : { 'cross-origin-resource-policy': 'same-origin' }),
    'x-frame-options': 'DENY',
    ...(!isFile && {
      'referrer-policy': isSecret(path) ? 'no-referrer' : 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    }),
  }
}

/** The headers of the response to a request. */
export function headersFor(request: FastifyRequest, settings: HeaderSettings) {
  const path = request.url.split('?', 1)[0]!
  return { ...securityHeaders(path, settings, { isOpen: isOpen(path, request) }), 'x-request-id': request.id }
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * CSRF protection: rejects unsafe methods from another origin; only browsers send these headers. The webhook is exempt:
 * it has no session, and payments verifies its signature. A page of the store itself that was opened at another address
 * than `PUBLIC_URL` is told the right one, and the first time the log is.
 */
export function crossSiteGuard(origin: string, log: Log) {
  let isLogged = false
  return ({ method, headers, url }: FastifyRequest) => {
    if (safeMethods.has(method) || url.split('?', 1)[0] === processorWebhook.path) return
    if (headers.origin !== undefined && headers.origin !== origin) {
      if (parseUrl(headers.origin)?.host !== headers.host) throw forbidden('foreign_origin', 'Forbidden')
      if (!isLogged)
        log.warn(
          { opened: headers.origin, PUBLIC_URL: origin },
          'gateway: opened at another address than PUBLIC_URL, returning 403',
        )
      isLogged = true
      throw forbidden('other_address', `This store is at ${origin}. Please open it there.`)
    }
    if (headers['sec-fetch-site'] === 'cross-site') throw forbidden('foreign_origin', 'Forbidden')
  }
}

const forgeable =
  /^(x-forwarded-|x-internal-|x-user-|x-real-ip$|forwarded$|x-original-|x-rewrite-|traceparent$|tracestate$|baggage$)/

/** The headers that the gateway itself adds for the services. */
export const forwardedHeaders = ({ id, ip, protocol }: FastifyRequest) => ({
  'x-forwarded-for': ip,
  'x-forwarded-proto': protocol,
  'x-request-id': id,
})

/** Replaces forwarding and identity headers of the client by the gateway's own. */
export function setForwardedHeaders(request: FastifyRequest) {
  const { headers } = request.raw
  // Read first: behind a trusted proxy they come from headers that are about to be replaced.
  const own = forwardedHeaders(request)
  for (const name of Object.keys(headers)) if (forgeable.test(name)) delete headers[name]
  Object.assign(headers, own)
}

export const applyHeaders = (reply: FastifyReply, headers: Record<string, string>) => {
  for (const [name, value] of Object.entries(headers)) reply.raw.setHeader(name, value)
}
