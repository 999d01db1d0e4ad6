import { type FrontEndConfig, getFrontEndConfig } from '@nifty/api/gateway'
import { missing, note, type Outcome, ok } from './check.ts'

type Fetch = typeof fetch

/** The tool's own settings, which the store at the public address should have. */
type Expected = { publicUrl: string; chainId: number; company: string | undefined }

/** The public address responds, with a certificate that browsers accept, and the store there has these settings. */
export async function checkPublicUrl({ publicUrl, chainId, company }: Expected, get: Fetch): Promise<Outcome> {
  if (!publicUrl.startsWith('https://'))
    return missing(`PUBLIC_URL is ${publicUrl}: set a domain with TLS, https://…, and a proxy in front`)
  const response = await get(publicUrl + getFrontEndConfig.path)
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

/** Requests that two visitors send through the proxy have limits of their own. `gatewayUrl`: without the proxy. */
export async function checkProxies(
  {
    publicUrl,
    trustedProxies,
    gatewayUrl,
  }: { publicUrl: string; trustedProxies: string | undefined; gatewayUrl: string },
  get: Fetch,
): Promise<Outcome> {
  if (!trustedProxies)
    return publicUrl.startsWith('https://')
      ? missing('TRUSTED_PROXIES is not set behind https: all visitors share one limit. Set the address of the proxy')
      : note('TRUSTED_PROXIES is not set')
  // Addresses for documentation (RFC 5737).
  const [first, second] = ['203.0.113.7', '203.0.113.8']
  const left = async (address: string) => {
    const { headers } = await get(`${gatewayUrl}/login`, { headers: { 'x-forwarded-for': address } })
    return Number(headers.get('x-ratelimit-remaining') ?? Number.NaN)
  }
  const before = await left(first)
  const after = await left(first)
  const other = await left(second)
  if (Number.isNaN(before) || after >= before)
    return missing(`${gatewayUrl} does not count requests: set GATEWAY_URL to the store's own address`)
  return other > after
    ? ok(`two forwarded addresses are two clients (${trustedProxies})`)
    : missing(
        `two forwarded addresses are one client: TRUSTED_PROXIES (${trustedProxies}) is not where requests come from`,
      )
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
