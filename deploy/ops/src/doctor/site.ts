import { type FrontEndConfig, getFrontEndConfig } from '@nifty/api/gateway'
import { subscribeToNewsletter } from '@nifty/api/notification/public'
import { rateLimit } from '@nifty/service-kit/base/env'
import { missing, note, type Outcome, ok } from './check.ts'

type Fetch = typeof fetch

/** The tool's own settings, which the store at the public address should have. */
type Expected = { publicUrl: string; chainId: number; company: string | undefined }

/** The public address responds, with a certificate that browsers accept, and the store there has these settings. */
export async function checkPublicUrl({ publicUrl, chainId, company }: Expected, get: Fetch): Promise<Outcome> {
  if (!publicUrl.startsWith('https://'))
    return missing(`PUBLIC_URL is ${publicUrl}: set a domain with TLS, https://…, and a proxy in front`)
  // Where the address only leads to another one, browsers are there, and their forms are refused.
  const response = await get(publicUrl + getFrontEndConfig.path, { redirect: 'manual' })
  const found = (await response.json().catch(() => undefined)) as FrontEndConfig | undefined
  if (!response.ok || found?.chainId === undefined)
    return missing(
      `${publicUrl} responds with ${response.status}, and is no store: let the proxy lead to HOST and PORT`,
    )
  if (found.chainId !== chainId || (company && found.company.name !== company))
    return missing(
      `${publicUrl} is another store or has not been restarted: chain ${found.chainId}, ${found.company.name}`,
    )
  return ok(`${publicUrl} leads to this store, with a valid certificate`)
}

type ProxySettings = {
  publicUrl: string
  trustedProxies: string | undefined
  /** The store's own address, without the proxy. */
  gatewayUrl: string
  rateLimitFactor: number
}

/** Addresses for documentation (RFC 5737). */
const [FIRST, SECOND] = ['203.0.113.7', '203.0.113.8'] as const

/**
 * Requests that the proxy forwards for two visitors are counted apart: invalid newsletter forms of one address, until
 * they are a 429, leave another address its limit.
 */
export async function checkProxies(
  { publicUrl, trustedProxies, gatewayUrl, rateLimitFactor }: ProxySettings,
  post: Fetch,
): Promise<Outcome> {
  if (!trustedProxies)
    return publicUrl.startsWith('https://')
      ? missing('TRUSTED_PROXIES is not set behind https: all visitors share one limit. Set the address of the proxy')
      : note('TRUSTED_PROXIES is not set')
  const isLimited = async (address: string) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address }
    return (
      (
        await post(gatewayUrl + subscribeToNewsletter.path, {
          method: subscribeToNewsletter.method,
          headers,
          body: '{}',
        })
      ).status === 429
    )
  }
  let left = rateLimit(subscribeToNewsletter.limit.perMinute, rateLimitFactor)
  let limited = await isLimited(FIRST)
  for (; left > 0 && !limited; left--) limited = await isLimited(FIRST)
  if (!limited) return missing(`${gatewayUrl} counts no requests: set GATEWAY_URL to the store's own address`)
  return (await isLimited(SECOND))
    ? missing(`two forwarded addresses are one client: requests do not come from TRUSTED_PROXIES (${trustedProxies})`)
    : ok(`two forwarded addresses are two clients (${trustedProxies})`)
}

const CLOCK_LIMIT_S = 60

/** The clock of this machine beside the one of a server: signatures and sessions have times. */
export async function checkClock(url: string, get: Fetch, now: () => number): Promise<Outcome> {
  const { headers } = await get(url, { method: 'HEAD' })
  const theirs = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(theirs)) return note(`${new URL(url).host} sends no time`)
  const seconds = Math.round((now() - theirs) / 1_000)
  return Math.abs(seconds) <= CLOCK_LIMIT_S
    ? ok(`${Math.abs(seconds)} s from ${new URL(url).host}`)
    : missing(
        `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} ${new URL(url).host}: start NTP (timedatectl set-ntp true)`,
      )
}
