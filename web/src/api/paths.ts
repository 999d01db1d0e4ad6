import { type PageName, pages } from '@nifty/api/pages'

export { itemPath as itemUrl } from '@nifty/api/pages'

type Paths = { [Name in PageName]: (typeof pages)[Name]['path'] }

/** The path of every page, with `:params`. Pages and links take their URLs from this module only. */
export const paths = Object.fromEntries(Object.entries(pages).map(([name, { path }]) => [name, path])) as Paths

export const creatorUrl = (username: string) => `/creator-profile/${encodeURIComponent(username)}`
export const settingsUrl = (userId: string) => `/creator-profile-edit/${encodeURIComponent(userId)}`
export const exhibitionUrl = (slug: string) => `/exhibitions/${encodeURIComponent(slug)}`
export const orderUrl = (orderId: string) => `/orders/${encodeURIComponent(orderId)}`
/** The list of one's own bids and offers. */
export const offersUrl = `${paths.orders}?kind=offers`
export const receiptUrl = (orderId: string) => `${orderUrl(orderId)}/receipt`
type Token = { contract: string; identifier: string }
/** The certificate of an owned work. */
export const workCertificateUrl = ({ contract, identifier }: Token) => `/certificates/${contract}/${identifier}`
/** For the readers of a certificate's secret link: no server, proxy or log sees a fragment. */
export const openedCertificateUrl = (secret: string) => `${location.origin}${paths.openedCertificate}#${secret}`
/** The certificates of an order's works. */
export const certificateUrl = (orderId: string) => `${orderUrl(orderId)}/certificate`
