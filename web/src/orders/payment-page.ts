import type { FrontEndConfig } from '@nifty/api/gateway'
import { parseUrl } from '@nifty/api/url'

/** Whether a URL belongs to the configured card processor or to the store. Buyers are redirected nowhere else. */
export function isPaymentPage(url: string, { payOrigins }: FrontEndConfig): boolean {
  const target = parseUrl(url, location.href)
  if (!target || !/^https?:$/.test(target.protocol)) return false
  return payOrigins === undefined || target.origin === location.origin || payOrigins.includes(target.origin)
}
