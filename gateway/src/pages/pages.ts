import { getNft, type NftDetail } from '@nifty/api/catalog/public'
import { endpointUrl } from '@nifty/api/endpoint'
import {
  documentTitle,
  itemTitle,
  type PageName,
  pageDescriptions,
  pages,
  pathPattern,
  siteDescription,
} from '@nifty/api/pages'
import { getJson, type Upstream } from '../proxy/upstream.ts'

/** The head of a page, for clients that run no script: search engines and share previews. */
export type Head = {
  title: string
  description: string
  /** Path of the item's image, without a width. */
  image?: string
  status: number
  index: boolean
}

type Page = { path: string; title?: string; indexed?: boolean }

const routes = (Object.entries(pages) as [PageName, Page][]).map(([name, { path, title, indexed }]) => ({
  name,
  pattern: new RegExp(pathPattern(path)),
  head: {
    title: documentTitle(title ?? ''),
    description: pageDescriptions[name] ?? siteDescription,
    status: 200,
    index: indexed ?? false,
  } satisfies Head,
}))

/** Paths of the pages in the sitemap; items are added to them. */
export const indexedPaths = (Object.values(pages) as Page[]).flatMap(({ path, indexed }) => (indexed ? [path] : []))

const missing = (title: string): Head => ({
  title: documentTitle(title),
  description: siteDescription,
  status: 404,
  index: false,
})

/** The head of a path. An unknown path is a 404 with the error page's title; an item page names the item. */
export async function headOf(path: string, catalog: Upstream): Promise<Head> {
  const clean = path.replace(/\/+$/, '') || '/'
  const route = routes.find(({ pattern }) => pattern.test(clean))
  if (!route) return missing(pages.error.title)
  if (route.name === 'item') return headOfItem(route.pattern.exec(clean)!.slice(1), catalog)
  return route.head
}

/** Parts of an item's address; for anything else no request is sent. */
const itemParts = {
  username: /^(?!\.{1,2}$)[^/\\]{1,300}$/,
  contract: /^0x[0-9a-f]{40}$/i,
  identifier: /^\d{1,78}$/,
}

/** `parts` as in the address, percent-encoded. */
function itemParams(parts: string[]) {
  try {
    const [username = '', contract = '', identifier = ''] = parts.map(decodeURIComponent)
    const params = { username, contract, identifier }
    const isItem = Object.entries(itemParts).every(([name, pattern]) => pattern.test(params[name as 'username']))
    return isItem ? params : undefined
  } catch {
    return undefined
  }
}

async function headOfItem(parts: string[], catalog: Upstream): Promise<Head> {
  const params = itemParams(parts)
  const nft = params && (await getJson<NftDetail>(catalog, endpointUrl(getNft, { params })))
  if (!nft) return missing('NFT not found')
  const price = nft.forSale && nft.price !== null ? ` For sale at ${nft.price.toFixed(2)} €.` : ''
  return {
    title: documentTitle(itemTitle(nft)),
    description: `${nft.description}${price}`,
    image: nft.image,
    status: 200,
    index: true,
  }
}
