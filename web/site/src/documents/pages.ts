import { type Exhibition, getExhibition } from '@nifty/api/catalog/exhibitions'
import { getNft, type NftDetail } from '@nifty/api/catalog/public'
import { endpointUrl } from '@nifty/api/endpoint'
import { itemPath, itemTitle, type PageName, pageDescriptions, pages, pathPattern } from '@nifty/api/pages'
import { formatPrice } from '@nifty/api/price'
import type { Content } from '@nifty/content/content'
import { ExpectedError } from '@nifty/service-kit/base/errors'
import type { Find } from '@nifty/service-kit/http/upstream'
import { bidOf, isOpenAuction } from '../share-images/card.ts'
import { type Cards, isItem, isSlug, isUsername, type Subject, shareImagePath } from '../share-images/subjects.ts'
import { productOf } from './product.ts'

/** The head of a page, for clients that run no script: search engines and share previews. */
export type Head = {
  /** Without the name of the store. */
  title: string
  /** Absent where a page has none of its own. */
  description?: string
  /** The page's own path, without the ways to write it that lead there too; absent where there is none. */
  path?: string
  /** The item that the page is about. */
  work?: NftDetail
  /** The address names another owner than the item has: where the page is. */
  movedTo?: string
  /** What previews of links show; `title` where it is not the document's. */
  share?: { title?: string; image: string; alt: string }
  /** Structured data (schema.org) for search engines. */
  structured?: object
  status: number
  index: boolean
}

type Sources = {
  /** Reads from catalog. */
  find: Find
  publicUrl: string
  cards: Cards
  content: Content
}

type Page = { path: string; title?: string; indexed?: boolean }

const routes = (Object.entries(pages) as [PageName, Page][]).map(([name, { path, title, indexed }]) => ({
  name,
  pattern: new RegExp(pathPattern(path)),
  head: {
    title: title ?? '',
    description: pageDescriptions[name],
    status: 200,
    index: indexed ?? false,
  } satisfies Head,
}))

/** Paths of the pages in the sitemap; items are added to them. */
export const indexedPaths = (Object.values(pages) as Page[]).flatMap(({ path, indexed }) => (indexed ? [path] : []))

export const missing = (title: string): Head => ({
  title,
  status: 404,
  index: false,
})

/** While catalog does not respond: search engines come back later, and the page sends its requests itself. */
function headWithout(error: unknown): Head {
  if (!(error instanceof ExpectedError)) throw error
  return { ...missing(pages.error.title), status: error.statusCode }
}

/** The head of a path. An unknown path is a 404 with the error page's title; an item page names the item. */
export async function headOf(path: string, sources: Sources): Promise<Head> {
  const clean = path.replace(/\/+$/, '') || '/'
  const route = routes.find(({ pattern }) => pattern.test(clean))
  if (!route) return missing(pages.error.title)
  const parts = decodedParts(route.pattern.exec(clean)!.slice(1))
  if (route.name === 'item' || route.name === 'exhibition') {
    const head = route.name === 'item' ? headOfItem(parts, sources) : headOfExhibition(parts, sources)
    return head.catch(headWithout)
  }
  const [username = ''] = parts
  const artist =
    route.name === 'creatorProfile' && isUsername(username) ? await shareOfArtist(username, sources) : undefined
  const share = artist ?? (await shareOf({ kind: 'home' }, sources))
  const text = textOfPage[route.name]
  const title = text && sources.content.texts[text].title
  return { ...route.head, ...(title && { title }), path: clean, ...(share && { share }) }
}

/** Pages whose title stands in the head of a text. */
const textOfPage: Partial<Record<PageName, 'terms' | 'privacy' | 'cookies'>> = {
  terms: 'terms',
  privacy: 'privacy',
  cookiePolicy: 'cookies',
}

/** Empty where the address is no valid percent-encoding. */
function decodedParts(parts: string[]): string[] {
  try {
    return parts.map(decodeURIComponent)
  } catch {
    return []
  }
}

async function shareOf(subject: Subject, { cards }: Sources): Promise<Head['share']> {
  const card = await cards.of(subject)
  return card && { image: shareImagePath(subject, card), alt: [card.title, card.artist].filter(Boolean).join(', ') }
}

async function shareOfArtist(username: string, sources: Sources): Promise<Head['share']> {
  const subject = { kind: 'artist' as const, username }
  const card = await sources.cards.of(subject)
  const title = `${card?.title}, ${card?.price}`
  return card && { title, image: shareImagePath(subject, card), alt: `Works by ${card.title}` }
}

async function headOfExhibition([slug = '']: string[], sources: Sources): Promise<Head> {
  const url = isSlug(slug) && endpointUrl(getExhibition, { params: { slug } })
  const found = url ? await sources.find<Exhibition>(url) : undefined
  if (!found) return missing('Exhibition not found')
  const first = found.nfts[0]
  const work = first && { kind: 'item' as const, contract: first.contract, identifier: first.identifier }
  const share = (work && (await shareOf(work, sources))) ?? (await shareOf({ kind: 'home' }, sources))
  const { title } = found
  return {
    title,
    path: `${pages.exhibitions.path}/${found.slug}`,
    description: found.description || undefined,
    ...(share && { share: { ...share, title } }),
    status: 200,
    index: true,
  }
}

async function headOfItem(parts: string[], { find, publicUrl, cards }: Sources): Promise<Head> {
  const [username = '', contract = '', identifier = ''] = parts
  const params = { username, contract, identifier }
  const isValid = isUsername(username) && isItem(params)
  const nft = isValid ? await find<NftDetail>(endpointUrl(getNft, { params })) : undefined
  if (!nft) return missing('NFT not found')
  const image = shareImagePath({ kind: 'item', contract: nft.contract, identifier: nft.identifier }, cards.ofWork(nft))
  return {
    title: itemTitle(nft),
    path: itemPath(nft),
    ...(username !== (nft.ownerUsername ?? 'unknown') && { movedTo: itemPath(nft) }),
    description: `${nft.description}${howSold(nft)}`,
    work: nft,
    share: { image, alt: itemTitle(nft) },
    structured: productOf(nft, { publicUrl, shareImage: image }),
    status: 200,
    index: true,
  }
}

function howSold({ auction, forSale, price }: NftDetail): string {
  if (isOpenAuction(auction)) return ` On auction, ${bidOf(auction)}.`
  return forSale && price !== null ? ` For sale at ${formatPrice(price)}.` : ''
}
