import { perService, type ServiceName, serviceNames, urlVariable } from '@nifty/api/services'
import { StoreName, StoreTagline } from '@nifty/api/store'
import { videoSource } from '@nifty/api/video-source'
import {
  Auctions,
  BrandingDir,
  ChainId,
  CommissionPercent,
  ContentDir,
  CustodyHoldHours,
  companyOf,
  companySettings,
  Offers,
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
  /** Address that it listens on. */
  HOST: Type.String({ default: '0.0.0.0' }),
  /** Port of pages and public endpoints. */
  PORT: Type.Integer({ default: 8080 }),
  /** Port of health checks and metrics. */
  INTERNAL_PORT: Type.Integer({ default: 3100 }),
  /** PEM files with which both ports serve HTTPS; absent: HTTP. */
  TLS_CERT_FILE: Type.Optional(TlsFile),
  /** The key of this certificate. */
  TLS_KEY_FILE: Type.Optional(TlsFile),
  /** Scheme, host and port of the store as browsers see it; origin of allowed writes. */
  PUBLIC_URL: PublicUrl,
  /** `trace`, `debug`, `info`, `warn`, `error` or `fatal`. */
  LOG_LEVEL: Type.String({ default: 'info' }),
  /** Drain period: seconds that the gateway keeps serving after SIGTERM, until load balancers have removed it. */
  DRAIN_SECONDS: Type.Integer({ default: 0, minimum: 0, maximum: 300 }),
  ...serviceUrls,
  /** Comma-separated addresses or networks of the load balancers in front, whose X-Forwarded-For is trusted. */
  TRUSTED_PROXIES: Type.Optional(Type.String()),
  /** Multiplies every limit. */
  RATE_LIMIT_FACTOR: RateLimitFactor,
  /** Narrow limits are counted there by all gateways together; absent: each gateway counts on its own. */
  REDIS_URL: Type.Optional(Url),
  /** 31337 is the local chain, 137 Polygon. */
  CHAIN_ID: ChainId,
  /** URL of a node for browsers, in `/config.json`. */
  CHAIN_PUBLIC_RPC_URL: Type.Optional(Url),
  /** Block explorer to which transactions are linked. */
  CHAIN_EXPLORER_URL: Type.Optional(Url),
  /** Origin of the card processor's page. */
  PAY_ORIGIN: Type.String({ default: 'https://checkout.stripe.com' }),
  /**
   * Folder with the shop's own texts: `home.md`, `questions.md`, `terms.md`, `privacy.md`, `cookies.md`; unset, or
   * without a file: the repository's own. The terms have a version, which buyers accept and orders note.
   */
  CONTENT_DIR: Type.Optional(ContentDir),
  /** From the capture of a work that was bought into custody until it can be withdrawn. Said before the purchase. */
  CUSTODY_HOLD_HOURS: CustodyHoldHours,
  /** The platform's share of a sale. Said before a mint and a listing; an order keeps the value of its start. */
  COMMISSION_PERCENT: CommissionPercent,
  /** Whether buyers can make offers, which pages show then. Offers that are open are decided without it. */
  OFFERS: Offers,
  /** Whether auctions and bids can begin, which pages show then. Auctions that are open are decided without it. */
  AUCTIONS: Auctions,
  /** Name of the store, on pages, in mails and in texts that people sign. Text: markup in it is shown as typed. */
  STORE_NAME: StoreName,
  /** What the store says of itself, in the footer and at the end of mails. */
  STORE_TAGLINE: StoreTagline,
  /**
   * Folder read at the start, each file optional: logo.svg, logo.png (mails show this one only), logo-print.svg
   * (on white: certificates and prints), favicon.svg, icon-512.png, icon-maskable-512.png, share-background.png
   * (1200 × 630), and theme.css with tokens of `web/src/ui/tokens.css`.
   */
  BRANDING_DIR: Type.Optional(BrandingDir),
  /** Who runs the store: footer, contact page, receipts, mails and legal texts. */
  COMPANY_NAME: companySettings.name,
  /** Its number in the register. */
  COMPANY_NUMBER: companySettings.number,
  /** Where it is registered, as a sentence without a full stop. */
  COMPANY_REGISTER: companySettings.register,
  /** Lines of its postal address, separated by semicolons. */
  COMPANY_ADDRESS: companySettings.address,
  /** Address that visitors write to. */
  COMPANY_EMAIL: companySettings.email,
  /** Script of a tag manager; its origin is added to the content security policy. */
  TAG_MANAGER_URL: Type.Optional(Url),
  /** Script of an analytics service, likewise; for Google's also where it reports to. */
  ANALYTICS_URL: Type.Optional(Url),
  /** Video beside the log-in, for which the host that it is embedded from may have frames. */
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
    contentDir: values.CONTENT_DIR,
    redisUrl: values.REDIS_URL,
    hstsSubdomains: values.HSTS_INCLUDE_SUBDOMAINS,
    thirdPartyHosts: {
      scripts: [...scripts, ...more],
      reports: scripts.includes(GOOGLE_SCRIPTS) ? GOOGLE_REPORTS : [],
      frames: origins(values.VIDEO_URL && videoSource(values.VIDEO_URL)?.src),
    },
    brandingDir: values.BRANDING_DIR,
    frontEnd: {
      chainId: values.CHAIN_ID,
      store: { name: values.STORE_NAME, tagline: values.STORE_TAGLINE },
      company: companyOf(values),
      chainRpcUrl: values.CHAIN_PUBLIC_RPC_URL,
      explorerUrl: values.CHAIN_EXPLORER_URL,
      payOrigins: [values.PAY_ORIGIN],
      custodyHoldHours: values.CUSTODY_HOLD_HOURS,
      commissionPercent: values.COMMISSION_PERCENT,
      offers: values.OFFERS,
      auctions: values.AUCTIONS,
      tagManagerUrl: values.TAG_MANAGER_URL,
      analyticsUrl: values.ANALYTICS_URL,
      videoUrl: values.VIDEO_URL,
    },
  }
}
