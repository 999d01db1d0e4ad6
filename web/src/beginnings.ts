import { imageWidths } from './items/item-image.ts'
import { artSizes, gridSizes } from './items/sizes.ts'

/**
 * Where most visits begin. The build writes it down, and the gateway names what such a page needs in its document, so
 * that the browser asks for everything at once. `$1` is the first part of the path that `path` catches, and so on.
 */
export type Beginning = {
  /** A pattern of paths. */
  path: string
  /** The page's module. */
  page: string
  /** What the page asks the store, as it asks it. */
  answers: string[]
  /** Its largest picture: of the first work in the answer `of`, else of the work that the page is about. */
  picture?: { of?: string; widths: number[]; sizes: string }
}

const market = '/api/nfts/market?page=1&limit=200'

export const beginnings: Beginning[] = [
  {
    path: '^/(?:index)?$',
    page: 'src/pages/home-page.tsx',
    answers: [market, '/api/nfts/top-items', '/api/creators?sort=best&limit=8'],
  },
  {
    path: '^/explore-one$',
    page: 'src/pages/explore-page.tsx',
    answers: [market],
    picture: { of: '/api/nfts/market?page=1&limit=1', widths: imageWidths, sizes: gridSizes },
  },
  {
    path: '^/item-detail/([^/]+)/([^/]+)/([^/]+)$',
    page: 'src/pages/item-page.tsx',
    answers: ['/api/nfts/$1/$2/$3', '/config.json'],
    picture: { widths: imageWidths, sizes: artSizes },
  },
]
