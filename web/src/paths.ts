import { type PageName, pages } from '@nifty/api/pages'

type Paths = { [Name in PageName]: (typeof pages)[Name]['path'] }

/** The path of every page, with `:params`. Pages and links take their URLs from this module only. */
export const paths = Object.fromEntries(Object.entries(pages).map(([name, { path }]) => [name, path])) as Paths

type Item = { ownerUsername: string | null; contract: string; identifier: string }

/** Contract and identifier decide which item it is, so an item without a proven owner has a URL too. */
export const itemUrl = ({ ownerUsername, contract, identifier }: Item) =>
  `/item-detail/${encodeURIComponent(ownerUsername ?? 'unknown')}/${encodeURIComponent(contract)}/${encodeURIComponent(identifier)}`

export const creatorUrl = (username: string) => `/creator-profile/${encodeURIComponent(username)}`
export const settingsUrl = (userId: string) => `/creator-profile-edit/${encodeURIComponent(userId)}`
export const orderUrl = (orderId: string) => `/orders/${encodeURIComponent(orderId)}`
export const receiptUrl = (orderId: string) => `${orderUrl(orderId)}/receipt`
export const certificateUrl = (orderId: string) => `${orderUrl(orderId)}/certificate`
