/**
 * Leaves for a payment page. Resolves only when the browser's back button restores this page from the back/forward
 * cache.
 */
export const leaveForPayment = (url: string) =>
  new Promise<void>((resolve) => {
    addEventListener('pageshow', () => resolve(), { once: true })
    location.assign(url)
  })
