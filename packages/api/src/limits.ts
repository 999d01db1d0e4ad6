/**
 * How many requests per minute are allowed from one client address, and, where the request needs a token, to one
 * account. Endpoints of one limit share a counter.
 */
export type Limit = {
  name: string
  perMinute: number
  /** Counted by all gateways together, where they have Redis. */
  shared?: true
}

export const limits = {
  /** Every endpoint that declares no other. */
  api: { name: 'api', perMinute: 1_200 },
  login: { name: 'login', perMinute: 30, shared: true },
  signup: { name: 'signup', perMinute: 10, shared: true },
  /** Resets of passwords, and the links in mails. */
  reset: { name: 'reset', perMinute: 10, shared: true },
  /** Links of gifts: of one network some at once, never thousands. */
  gifts: { name: 'gifts', perMinute: 30, shared: true },
  /** Links of certificates, which visitors of an exhibition open from one network. */
  certificates: { name: 'certificates', perMinute: 30, shared: true },
  forms: { name: 'forms', perMinute: 10, shared: true },
  profile: { name: 'profile', perMinute: 60 },
  lockScreen: { name: 'lock-screen', perMinute: 30 },
  /** Lists of all items for sitemaps, which the gateway reads itself. */
  sitemap: { name: 'sitemap', perMinute: 60 },
  /** Uploaded images: a full page of the market has 200. */
  images: { name: 'images', perMinute: 6_000 },
  /** Drawings for previews of links, each some 100 ms of CPU. */
  shareImages: { name: 'share-images', perMinute: 60 },
  /** Documents of the front end, which may request data of a service. */
  pages: { name: 'pages', perMinute: 600 },
} as const satisfies Record<string, Limit>
