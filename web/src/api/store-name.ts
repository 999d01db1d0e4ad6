import { sizeOfName } from '@nifty/api/name-size'

const isPrerendered = typeof document === 'undefined'

/**
 * The name of the store, which its documents have in their head: no page waits for the settings. In prerendered markup,
 * a placeholder in place of which the gateway writes it.
 */
export const storeName = isPrerendered
  ? '%store.name%'
  : (document.querySelector<HTMLMetaElement>('meta[property="og:site_name"]')?.content ?? '')

/** A long name is smaller in a narrow window. */
export const storeNameSize = isPrerendered ? '%store.size%' : sizeOfName(storeName)
