import type { NftDetail } from '@nifty/api/catalog'
import { getJson, type Upstream } from '../proxy/upstream.ts'

/** What the head of a page says to readers who run no script: search engines and share previews. */
export type Head = {
  title: string
  description: string
  /** Path of the work's picture, without a width. */
  image?: string
  status: number
  index: boolean
}

const about =
  'An online store that connects the top artists with collectors of NFT digital art. Pay by bank card; you are only charged once the work has arrived.'

const page = (title: string, description = about): Head => ({ title, description, status: 200, index: true })
const hidden = (title: string): Head => ({ ...page(title), index: false })

/** Every route of the front end that has no parameter. */
export const fixedPages: Record<string, Head> = {
  '/': page('Nifty: rare NFT artworks, bought with a bank card'),
  '/index': hidden('Nifty: rare NFT artworks, bought with a bank card'),
  '/explore-one': page('Explore Items | Nifty', 'Search and filter works by artists from everywhere, priced in euros.'),
  '/wallet': page('Wallet Connect | Nifty', 'How to get the wallet in which your works will live.'),
  '/creators': page('Creators | Nifty', 'The artists of the store and their newest works.'),
  '/contact': page('Contact | Nifty', 'Have a question? Get in touch with the store.'),
  '/terms': page('Terms & Conditions | Nifty'),
  '/privacy': page('Privacy policy | Nifty'),
  '/cookiepolicy': page('Cookie Declaration | Nifty'),
  '/login': page('Login | Nifty'),
  '/signup': page('Signup | Nifty'),
  '/item-detail': hidden('Explore Items | Nifty'),
  '/reset-pass': hidden('Reset password | Nifty'),
  '/forgot-password': hidden('Forgot password | Nifty'),
  '/lock-screen': hidden('Welcome back | Nifty'),
  '/thankyou': hidden('Thank you | Nifty'),
  '/accept': hidden('Confirm your address | Nifty'),
  '/goodbye': hidden('Goodbye | Nifty'),
  '/error': hidden('Something went wrong | Nifty'),
  '/purchase-thanks': hidden('Your purchase | Nifty'),
  '/studio': hidden('Studio | Nifty'),
  '/orders': hidden('Your orders | Nifty'),
}

const patterns: [RegExp, Head][] = [
  [/^\/creator-profile\/[^/]+$/, hidden('Creator | Nifty')],
  [/^\/creator-profile-edit\/[^/]+$/, hidden('Edit Profile / Settings | Nifty')],
  [/^\/reset-password\/[^/]+$/, hidden('Set a new password | Nifty')],
  [/^\/orders\/[^/]+(\/[^/]+)?$/, hidden('Your order | Nifty')],
  [/^\/studio\/[^/]+$/, hidden('Studio | Nifty')],
]

const missing: Head = { ...hidden('Somthing went wrong! | Nifty'), status: 404 }

const itemPath = /^\/item-detail\/([^/]+)\/([^/]+)\/([^/]+)$/

/** The head of a path. An item's names the work; a path that no page has is a 404 that still shows the error page. */
export async function headOf(path: string, catalog: Upstream): Promise<Head> {
  const clean = path.replace(/\/+$/, '') || '/'
  const item = clean.match(itemPath)
  if (item) return headOfItem(item.slice(1) as [string, string, string], catalog)
  return fixedPages[clean] ?? patterns.find(([pattern]) => pattern.test(clean))?.[1] ?? missing
}

async function headOfItem(parts: [string, string, string], catalog: Upstream): Promise<Head> {
  const nft = await getJson<NftDetail>(catalog, `/api/nfts/${parts.join('/')}`)
  if (!nft) return { ...hidden('NFT not found | Nifty'), status: 404 }
  const by = nft.creator ? ` by ${nft.creator.firstName} ${nft.creator.lastName}` : ''
  const price = nft.forSale && nft.price !== null ? ` For sale at ${nft.price.toFixed(2)} €.` : ''
  return { ...page(`${nft.name}${by} | Nifty`, `${nft.description}${price}`), image: nft.image }
}
