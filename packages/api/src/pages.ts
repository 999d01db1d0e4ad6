/**
 * Every page of the front end: URL with `:params`, title, access. The gateway writes the head of a document from it,
 * the front end its routes and titles, the build `index.html`. Plain data without imports, because browsers load it.
 */
type Page = {
  path: string
  /** Absent where it depends on data: an item. */
  title?: string
  /** In the sitemap and open to search engines. */
  indexed?: boolean
  /** Needs an unexpired token. */
  guarded?: boolean
  /** About one's own account or order: the footer is short. */
  account?: boolean
}

export const pages = {
  home: { path: '/', title: 'Rare NFT artworks, bought with a bank card', indexed: true },
  index: { path: '/index', title: 'Rare NFT artworks, bought with a bank card' },
  explore: { path: '/explore-one', title: 'Explore Items', indexed: true },
  /** Redirects to explore. */
  itemRoot: { path: '/item-detail', title: 'Explore Items' },
  item: { path: '/item-detail/:username/:contract/:identifier' },
  wallet: { path: '/wallet', title: 'Wallet Connect', indexed: true },
  creators: { path: '/creators', title: 'Creators', indexed: true },
  exhibitions: { path: '/exhibitions', title: 'Exhibitions', indexed: true },
  exhibition: { path: '/exhibitions/:slug' },
  contact: { path: '/contact', title: 'Contact', indexed: true },
  sell: { path: '/sell', title: 'Sell your work', indexed: true },
  terms: { path: '/terms', title: 'Terms & Conditions', indexed: true },
  privacy: { path: '/privacy', title: 'Privacy policy', indexed: true },
  cookiePolicy: { path: '/cookiepolicy', title: 'Cookie Declaration', indexed: true },
  login: { path: '/login', title: 'Login', account: true },
  signup: { path: '/signup', title: 'Signup', account: true },
  resetPass: { path: '/reset-pass', title: 'Reset password', account: true },
  forgotPassword: { path: '/forgot-password', title: 'Forgot password', account: true },
  resetPassword: { path: '/reset-password/:token', title: 'Set a new password', account: true },
  lockScreen: { path: '/lock-screen', title: 'Welcome back', account: true },
  thankYou: { path: '/thankyou', title: 'Thank You for your Registration!', account: true },
  accept: { path: '/accept', title: 'Confirm your address', account: true },
  freeze: { path: '/freeze-account', title: 'Freeze your account', account: true },
  unsubscribe: { path: '/unsubscribe', title: 'Unsubscribe', account: true },
  /** Shows what is true now of the work of a secret link, which stands in its fragment. */
  openedCertificate: { path: '/certificate', title: 'Certificate', account: true },
  gift: { path: '/gift', title: 'A gift for you', account: true },
  goodbye: { path: '/goodbye', title: 'Goodbye!', account: true },
  purchaseThanks: { path: '/purchase-thanks', title: 'Thanks for Your Purchase!', account: true },
  creatorProfile: { path: '/creator-profile/:username', title: 'Creator', guarded: true },
  settings: { path: '/creator-profile-edit/:id', title: 'Edit Profile / Settings', guarded: true, account: true },
  /** Also without a session: favourites of this browser. */
  favourites: { path: '/favourites', title: 'Favourites', account: true },
  orders: { path: '/orders', title: 'Your orders', guarded: true, account: true },
  order: { path: '/orders/:id', title: 'Your order', guarded: true, account: true },
  receipt: { path: '/orders/:id/receipt', title: 'Receipt', guarded: true, account: true },
  certificate: { path: '/orders/:id/certificate', title: 'Certificate', guarded: true, account: true },
  workCertificate: {
    path: '/certificates/:contract/:identifier',
    title: 'Certificate',
    guarded: true,
    account: true,
  },
  studio: { path: '/studio', title: 'Studio', guarded: true, account: true },
  /** Also shown for every path that no page has. Spelled so in the specification. */
  error: { path: '/error', title: 'Somthing went wrong!' },
} as const satisfies Record<string, Page>

export type PageName = keyof typeof pages

type Item = { ownerUsername: string | null; contract: string; identifier: string }

/**
 * Contract and identifier decide which item it is, so an item without a proven owner has a path too. Needs no escaping
 * in XML.
 */
export const itemPath = ({ ownerUsername, contract, identifier }: Item): string => {
  const username = encodeURIComponent(ownerUsername ?? 'unknown').replaceAll("'", '%27')
  return `${pages.itemRoot.path}/${username}/${contract}/${identifier}`
}

/** The description of every page that has none of its own, for search engines and share previews. */
export const siteDescription = (tagline: string) =>
  `${tagline} Pay by bank card; you are only charged once the work has arrived.`

/** Apart from `pages`, so that browsers do not load it. */
export const pageDescriptions: Partial<Record<PageName, string>> = {
  explore: 'Search and filter works by artists from everywhere, priced in euros.',
  wallet: 'How to get the wallet that your works are delivered to.',
  creators: 'The artists of the store and their newest works.',
  exhibitions: 'Works chosen and hung together: the exhibitions of the store.',
  contact: 'Have a question? Get in touch with the store.',
  sell: 'How artists and collectors sell here, and how to apply.',
}

/** A page's path as a regular expression; each parameter is one capture group. */
export const pathPattern = (path: string) => `^${path.replace(/:\w+/g, '([^/]+)')}$`

/** The content of `<title>`. */
export const documentTitle = (title: string, storeName: string) => `${title} | ${storeName}`

type Titled = { name: string; creator: { firstName: string; lastName: string } | null }

/** The title of an item page: `Dusk by Ada Lind`. */
export const itemTitle = ({ name, creator }: Titled) =>
  creator ? `${name} by ${`${creator.firstName} ${creator.lastName}`.trim()}` : name
