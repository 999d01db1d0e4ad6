import { perService, type ServiceName, serviceNames, urlVariable } from '@nifty/api/services'
import { TermsVersion } from '@nifty/api/terms'
import { videoSource } from '@nifty/api/video-source'
import {
  ChainId,
  CommissionPercent,
  CustodyHoldHours,
  companyOf,
  companySettings,
  PublicUrl,
  parseEnv,
  RateLimitFactor,
  withoutTrailingSlash,
} from '@nifty/service-kit/base/env'
import { TlsFile, tlsFiles } from '@nifty/service-kit/http/tls'
import { Type } from 'typebox'

const Url = Type.String({ minLength: 1 })
type ServiceUrl = `${Uppercase<ServiceName>}_URL`

/** Addresses of the services' public routes: AUTH_URL and so on. */
const serviceUrls = Object.fromEntries(serviceNames.map((name) => [urlVariable(name), Url])) as Record<
  ServiceUrl,
  typeof Url
>

/** An origin of a content security policy; its host may begin with `*.`. */
const ORIGIN = 'https?://[^/,;\\s]+'

/**
 * Where the scripts of Google Tag Manager and Google Analytics report to, by its guide to content security policies.
 */
const GOOGLE_SCRIPTS = 'https://www.googletagmanager.com'
const GOOGLE_REPORTS = [
  'https://*.google-analytics.com',
  'https://*.analytics.google.com',
  'https://*.googletagmanager.com',
]

const Env = Type.Object({
  HOST: Type.String({ default: '0.0.0.0' }),
  PORT: Type.Integer({ default: 8080 }),
  INTERNAL_PORT: Type.Integer({ default: 3100 }),
  /** PEM files with which both ports serve HTTPS; absent: HTTP. */
  TLS_CERT_FILE: Type.Optional(TlsFile),
  TLS_KEY_FILE: Type.Optional(TlsFile),
  PUBLIC_URL: PublicUrl,
  LOG_LEVEL: Type.String({ default: 'info' }),
  /** Drain period: seconds that the gateway keeps serving after SIGTERM, until load balancers have removed it. */
  DRAIN_SECONDS: Type.Integer({ default: 0, minimum: 0, maximum: 300 }),
  ...serviceUrls,
  /** Comma-separated addresses or networks of the load balancers in front, whose X-Forwarded-For is trusted. */
  TRUSTED_PROXIES: Type.Optional(Type.String()),
  RATE_LIMIT_FACTOR: RateLimitFactor,
  /** Narrow limits are counted there by all gateways together; absent: each gateway counts on its own. */
  REDIS_URL: Type.Optional(Url),
  CHAIN_ID: ChainId,
  CHAIN_PUBLIC_RPC_URL: Type.Optional(Url),
  CHAIN_EXPLORER_URL: Type.Optional(Url),
  PAY_ORIGIN: Type.String({ default: 'https://checkout.stripe.com' }),
  TERMS_VERSION: TermsVersion,
  CUSTODY_HOLD_HOURS: CustodyHoldHours,
  COMMISSION_PERCENT: CommissionPercent,
  COMPANY_NAME: companySettings.name,
  COMPANY_NUMBER: companySettings.number,
  COMPANY_REGISTER: companySettings.register,
  COMPANY_ADDRESS: companySettings.address,
  COMPANY_EMAIL: companySettings.email,
  TAG_MANAGER_URL: Type.Optional(Url),
  ANALYTICS_URL: Type.Optional(Url),
  VIDEO_URL: Type.Optional(Url),
  /** Strict-Transport-Security with `includeSubDomains`: a sub-domain without TLS is unreachable for visitors then. */
  HSTS_INCLUDE_SUBDOMAINS: Type.Boolean({ default: false }),
  /** Comma-separated origins that the tag manager or the analytics script loads from or reports to. */
  THIRD_PARTY_ORIGINS: Type.Optional(Type.String({ pattern: `^${ORIGIN}(,${ORIGIN})*$` })),
})

export function readConfig(env = process.env) {
  const values = parseEnv(Env, env)
  const origins = (...urls: (string | undefined)[]) => [
    ...new Set(urls.flatMap((url) => (url ? [new URL(url).origin] : []))),
  ]
  const scripts = origins(values.TAG_MANAGER_URL, values.ANALYTICS_URL)
  const more = values.THIRD_PARTY_ORIGINS?.split(',') ?? []
  return {
    host: values.HOST,
    port: values.PORT,
    internalPort: values.INTERNAL_PORT,
    tls: tlsFiles(values),
    publicUrl: withoutTrailingSlash(values.PUBLIC_URL),
    logLevel: values.LOG_LEVEL,
    drainSeconds: values.DRAIN_SECONDS,
    urls: perService((name) => values[urlVariable(name) as ServiceUrl]),
    trustedProxies: values.TRUSTED_PROXIES?.split(',').map((proxy) => proxy.trim()) ?? [],
    rateLimitFactor: values.RATE_LIMIT_FACTOR,
    redisUrl: values.REDIS_URL,
    hstsSubdomains: values.HSTS_INCLUDE_SUBDOMAINS,
    thirdPartyHosts: {
      scripts: [...scripts, ...more],
      reports: scripts.includes(GOOGLE_SCRIPTS) ? GOOGLE_REPORTS : [],
      frames: origins(values.VIDEO_URL && videoSource(values.VIDEO_URL)?.src),
    },
    frontEnd: {
      chainId: values.CHAIN_ID,
      company: companyOf(values),
      chainRpcUrl: values.CHAIN_PUBLIC_RPC_URL,
      explorerUrl: values.CHAIN_EXPLORER_URL,
      payOrigins: [values.PAY_ORIGIN],
      termsVersion: values.TERMS_VERSION,
      custodyHoldHours: values.CUSTODY_HOLD_HOURS,
      commissionPercent: values.COMMISSION_PERCENT,
      tagManagerUrl: values.TAG_MANAGER_URL,
      analyticsUrl: values.ANALYTICS_URL,
      videoUrl: values.VIDEO_URL,
    },
  }
}
