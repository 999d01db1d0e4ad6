import { pages } from '@nifty/api/pages'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import type { ItemPreview } from '../items/artwork.tsx'
import { ItemGrid } from '../items/item-grid.tsx'
import { PageHead } from '../layout/page/page-head.tsx'
import { Wordmark } from '../layout/wordmark.tsx'
import { FilterForm } from '../pages/explore/filter-form.tsx'
import { filtersFrom } from '../pages/explore/filters.ts'
import { RefineFields } from '../pages/explore/refine-fields.tsx'
import { RefineSheet } from '../pages/explore/refine-sheet.tsx'
import { Hero } from '../pages/home/hero.tsx'
import { ItemPageLoading } from '../pages/item/item-page-loading.tsx'

/** In the markup a size is text as the other values are. */
const size = (text: string) => text as unknown as number

/**
 * A work whose values are `%0.name%`, `%0.width%` and so on, in place of which the gateway writes those of a real one.
 */
const placeholder = (index: 0 | 1): ItemPreview => ({
  _id: '',
  name: `%${index}.name%`,
  image: `/uploads/nfts/%${index}.file%`,
  display_image_url: '',
  width: size(`%${index}.width%`),
  height: size(`%${index}.height%`),
  color: `%${index}.color%`,
})

/** The first screen of a page as a browser shows it until the app has started: without a session. */
const screen = (page: ReactNode) =>
  renderToStaticMarkup(
    <MemoryRouter>
      <header className="navigation">
        <div className="navigation__bar wrap">
          <Wordmark />
        </div>
      </header>
      <main className="content">{page}</main>
    </MemoryRouter>,
  )
    // React's own preload hints: those of the document are the gateway's.
    .replace(/<link rel="preload"[^>]*>/g, '')
    // The content security policy forbids the attribute; `start.ts` sets the style.
    .replaceAll(' style="', ' data-style="')

const noFilters = filtersFrom(new URLSearchParams())
const ignore = () => {}

/** The markup of the entry pages, by `EntryPage.prerendered`. */
export const prerendered = () => ({
  home: screen(<Hero items={[]} loading />),
  explore: screen(
    <>
      <PageHead title={pages.explore.title} crumb="Explore" compact>
        <div className="prerendered" inert>
          <FilterForm filters={noFilters} onChange={ignore}>
            <div className="prerendered prerendered--narrow">
              <RefineSheet filters={noFilters} found="" onChange={ignore} />
            </div>
          </FilterForm>
        </div>
      </PageHead>
      <div className="explore wrap">
        <div className="prerendered prerendered--wide">
          <div className="explore__side" inert>
            <RefineFields filters={noFilters} onChange={ignore} />
          </div>
        </div>
        <div className="explore__works">
          {/* As high as the number of works, which is not known yet. */}
          <ItemGrid
            title="Discover Items"
            note={<p className="page-head__result">{'\u00a0'}</p>}
            items={[placeholder(0), placeholder(1)]}
            loading
          />
        </div>
      </div>
    </>,
  ),
  item: screen(<ItemPageLoading item={placeholder(0)} />),
})
