import type { Config } from '../use-config.ts'

/** A buyer is only ever sent to the configured processor, or back into the store. */
export function isPaymentPage(url: string, { payOrigins }: Config): boolean {
  const target = URL.parse(url, location.href)
  if (!target || !/^https?:$/.test(target.protocol)) return false
  return payOrigins === undefined || target.origin === location.origin || payOrigins.includes(target.origin)
}
