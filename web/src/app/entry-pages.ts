import { listCreators } from '@nifty/api/catalog/creators'
import { getMarket, getNft, listFeatured, listTopItems } from '@nifty/api/catalog/public'
import { endpointUrl } from '@nifty/api/endpoint'
import { getFrontEndConfig } from '@nifty/api/gateway'
import { pages, pathPattern } from '@nifty/api/pages'
import { artSizes, gridSizes, heroSizes, imageWidths } from '../items/item-image.ts'

/**
 * A page where visits begin, with everything that it requests first. The build writes the list to
 * `.vite/entry-pages.json`; the gateway turns an entry into preload hints in the page's document. `$1` is the first
 * group of `path`, and so on.
 */
export type EntryPage = {
  /** Regular expression of the URL paths. */
  path: string
  /** The page's module: the key of its chunk in Vite's manifest. */
  module: string
  /** Requests of the page, spelled as the page sends them: a preload counts only for the same URL. */
  requests: string[]
  /** The text that the page requests, under an address that its hash is in. */
  text?: 'terms' | 'privacy' | 'cookies'
  /**
   * The largest images: of the first items in the response to `firstOf`, else of the item that the page is about.
   * `sizes`: of each of them. Where that has fewer than three, those in the response to `thenOf` follow.
   */
  image?: { firstOf?: string; thenOf?: string; widths: number[]; sizes: string[] }
  /** The page's first screen, or all of it, which is in the document already (`prerender.tsx`). */
  prerendered: Prerendered
  /** The same for a document that cannot show works; without it the document shows nothing then. */
  prerenderedWithoutWorks?: Prerendered
}

export type Prerendered = 'home' | 'homeWithoutWorks' | 'explore' | 'item' | TextPage

/** A page whose text is in its document: it can be read without JavaScript. */
type TextPage = 'terms' | 'privacy' | 'cookiePolicy' | 'contact'

const textPage = (name: TextPage, module: string, text?: EntryPage['text']): EntryPage => ({
  path: pathPattern(pages[name].path),
  module,
  requests: [getFrontEndConfig.path],
  text,
  prerendered: name,
})

const market = endpointUrl(getMarket, { query: { page: 1, limit: 200, sort: 'for_sale' } })

/** Parameters as references to the groups of `EntryPage.path`: `/api/nfts/$1/$2/$3`. */
function withGroups(path: string) {
  let group = 0
  return path.replace(/:\w+/g, () => `$${++group}`)
}

const home: Omit<EntryPage, 'path'> = {
  module: 'src/pages/home/home-page.tsx',
  requests: [
    listFeatured.path,
    market,
    listTopItems.path,
    endpointUrl(listCreators, { query: { sort: 'best', limit: 8 } }),
  ],
  image: {
    firstOf: listFeatured.path,
    thenOf: endpointUrl(getMarket, { query: { page: 1, limit: 3, sort: 'for_sale' } }),
    widths: imageWidths,
    sizes: [heroSizes.first],
  },
  prerendered: 'home',
  prerenderedWithoutWorks: 'homeWithoutWorks',
}

export const entryPages: EntryPage[] = [
  { path: pathPattern(pages.home.path), ...home },
  { path: pathPattern(pages.index.path), ...home },
  {
    path: pathPattern(pages.explore.path),
    module: 'src/pages/explore/explore-page.tsx',
    requests: [market],
    image: {
      firstOf: endpointUrl(getMarket, { query: { page: 1, limit: 2, sort: 'for_sale' } }),
      widths: imageWidths,
      sizes: [gridSizes, gridSizes],
    },
    prerendered: 'explore',
  },
  {
    path: pathPattern(pages.item.path),
    module: 'src/pages/item/item-page.tsx',
    requests: [withGroups(getNft.path), getFrontEndConfig.path],
    image: { widths: imageWidths, sizes: [artSizes] },
    prerendered: 'item',
  },
  textPage('terms', 'src/pages/legal/terms-page.tsx', 'terms'),
  textPage('privacy', 'src/pages/legal/privacy-page.tsx', 'privacy'),
  textPage('cookiePolicy', 'src/pages/legal/cookie-policy-page.tsx', 'cookies'),
  textPage('contact', 'src/pages/contact/contact-page.tsx'),
]
