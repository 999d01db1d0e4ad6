/**
 * The name of the store, which its documents have in their head: no page waits for the settings. In prerendered markup,
 * a placeholder in place of which the gateway writes it.
 */
export const storeName =
  typeof document === 'undefined'
    ? '%store.name%'
    : (document.querySelector<HTMLMetaElement>('meta[property="og:site_name"]')?.content ?? '')
