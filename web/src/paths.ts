/** Every URL of the store, in one place. Pages and links never write one themselves. */
export const paths = {
  home: '/',
  index: '/index',
  explore: '/explore-one',
  wallet: '/wallet',
  creators: '/creators',
  contact: '/contact',
  terms: '/terms',
  privacy: '/privacy',
  cookiePolicy: '/cookiepolicy',
  itemRoot: '/item-detail',
  item: '/item-detail/:username/:contract/:identifier',
  creatorProfile: '/creator-profile/:username',
  settings: '/creator-profile-edit/:id',
  login: '/login',
  signup: '/signup',
  resetPass: '/reset-pass',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password/:token',
  lockScreen: '/lock-screen',
  thankYou: '/thankyou',
  purchaseThanks: '/purchase-thanks',
  accept: '/accept',
  goodbye: '/goodbye',
  error: '/error',
  orders: '/orders',
  order: '/orders/:id',
  receipt: '/orders/:id/receipt',
  certificate: '/orders/:id/certificate',
  studio: '/studio',
} as const

type Work = { ownerUsername: string | null; contract: string; identifier: string }

/** A work nobody has proven to own still has an address: contract and identifier decide. */
export const itemUrl = ({ ownerUsername, contract, identifier }: Work) =>
  `/item-detail/${encodeURIComponent(ownerUsername ?? 'unknown')}/${encodeURIComponent(contract)}/${encodeURIComponent(identifier)}`

export const creatorUrl = (username: string) => `/creator-profile/${encodeURIComponent(username)}`
export const settingsUrl = (userId: string) => `/creator-profile-edit/${encodeURIComponent(userId)}`
export const orderUrl = (orderId: string) => `/orders/${encodeURIComponent(orderId)}`
export const receiptUrl = (orderId: string) => `${orderUrl(orderId)}/receipt`
export const certificateUrl = (orderId: string) => `${orderUrl(orderId)}/certificate`
