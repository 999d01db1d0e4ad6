import type { HomeText, LegalText as Text } from '@nifty/api/content'
import { type Company, getFrontEndConfig } from '@nifty/api/gateway'
import { pages } from '@nifty/api/pages'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router-dom'
import { SWRConfig } from 'swr'
import { itemUrl } from '../api/paths.ts'
import type { ItemPreview } from '../items/artwork.tsx'
import { CardCaption } from '../items/card-caption.tsx'
import type { CardPreview } from '../items/item-card.tsx'
import { ItemGrid } from '../items/item-grid.tsx'
import { Navigation } from '../layout/navigation.tsx'
import { PageHead } from '../layout/page/page-head.tsx'
import { ContactPage } from '../pages/contact/contact-page.tsx'
import { FilterForm } from '../pages/explore/filter-form.tsx'
import { filtersFrom } from '../pages/explore/filters.ts'
import { RefineFields } from '../pages/explore/refine-fields.tsx'
import { RefineSheet } from '../pages/explore/refine-sheet.tsx'
import { Hero } from '../pages/home/hero.tsx'
import type { HeroItem } from '../pages/home/hero-items.tsx'
import { ItemSummary } from '../pages/item/item-summary.tsx'
import { PleaseConnect } from '../pages/item/please-connect.tsx'
import { LegalText } from '../pages/legal/legal-text.tsx'
import type { Prerendered } from './entry-pages.ts'

/** In the markup a size is text as the other values are. */
const size = (text: string) => text as unknown as number

/**
 * A work whose values are `%0.name%`, `%0.width%` and so on, in place of which the gateway writes those of a real one.
 */
const placeholder = (index: Index): ItemPreview => ({
  _id: '',
  name: `%${index}.name%`,
  image: `/uploads/nfts/%${index}.file%`,
  display_image_url: '',
  width: size(`%${index}.width%`),
  height: size(`%${index}.height%`),
  color: `%${index}.color%`,
})

type Index = 0 | 1 | 2

const urlOf = (index: Index) =>
  itemUrl({
    ownerUsername: `%${index}.ownerInPath%`,
    contract: encodeURIComponent(`%${index}.contract%`),
    identifier: encodeURIComponent(`%${index}.identifier%`),
  })

const heroPlaceholder = (index: Index): HeroItem => ({
  ...placeholder(index),
  url: urlOf(index),
  artist: `%${index}.artistInList%`,
  price: <span className="tabular">{`%${index}.price%`}</span>,
})

const cardPlaceholder = (index: Index): CardPreview => ({
  ...placeholder(index),
  caption: (
    <CardCaption
      url={urlOf(index)}
      name={`%${index}.name%`}
      price={`%${index}.priceOnCard%`}
      owner={`%${index}.owner%`}
    />
  ),
})

const person = (username: string, name: string) => ({ username, firstName: name, lastName: '', avatar: null })
const artist = person('%0.artist%', '%0.artistName%')
const owner = person('%0.owner%', '%0.ownerName%')

/** Who runs the store, in place of which the gateway writes its setting. */
const company: Company = {
  name: '%company.name%',
  number: '%company.number%',
  register: '%company.register%',
  address: ['%company.address%'],
  email: '%company.email%',
}

/** The shop's texts: `html` is inserted as it is. */
const homeText: HomeText = {
  title: '%home.title%',
  lead: '%home.lead:html%',
  action: '%home.action%',
  topItems: '',
  discover: '',
  creators: '',
  exhibitions: '',
  contact: '',
  contactAction: '',
  lang: '%home.lang%',
}

const text: Text = {
  title: '%text.title%',
  crumb: '%text.crumb%',
  lang: '%text.lang%',
  summary: '%text.summary:html%',
  contents: '%text.contents:html%',
  body: '%text.body:html%',
}

/** The first screen of a page as a browser shows it until the app has started: without a session. */
const screen = (path: string, page: ReactNode) =>
  renderToStaticMarkup(
    <SWRConfig value={{ fallback: { [getFrontEndConfig.path]: { company } } }}>
      <MemoryRouter initialEntries={[path]}>
        <div data-early>
          <Navigation />
          <main className="content">{page}</main>
        </div>
      </MemoryRouter>
    </SWRConfig>,
  )
    // The first letter of a placeholder.
    .replaceAll(' data-initials="%"', '')
    // A placeholder in a link, which the router has encoded.
    .replace(/%25(\d\.\w+)%25/g, '%$1:path%')
    // React's own preload hints: those of the document are the gateway's.
    .replace(/<link rel="preload"[^>]*>/g, '')
    // The content security policy forbids the attribute; `start.ts` sets the style.
    .replaceAll(' style="', ' data-style="')

const noFilters = filtersFrom(new URLSearchParams())
const ignore = () => {}

/** An item page by what it is about: `markup.ts` names the same. */
function itemScreens() {
  const states = ['for-sale', 'reserved', 'not-for-sale'] as const
  const screens = states.flatMap((state) =>
    [artist, null].flatMap((by) =>
      [owner, null, ...(by ? [by] : [])].map((of) => [
        [state, by && 'artist', of && (of === by ? 'same-owner' : 'owner')].filter(Boolean).join(' '),
        screen(
          '/item-detail',
          <>
            <ItemSummary
              item={placeholder(0)}
              artist={by}
              owner={of}
              price={<span className="tabular">%0.price%</span>}
              description="%0.description%"
              state={state}
            />
            {state === 'for-sale' && (
              <div data-connect data-title="%0.title%" data-work="%0.preview%" data-terms="%terms.version%">
                <PleaseConnect open user={undefined} onClose={ignore} onKeep={undefined} />
              </div>
            )}
          </>,
        ),
      ]),
    ),
  )
  return Object.fromEntries(screens) as Record<string, string>
}

const hero = (count: 0 | Index | 3) =>
  screen(
    pages.home.path,
    <Hero text={homeText} items={([0, 1, 2] as const).slice(0, count).map(heroPlaceholder)} loading={false} />,
  )

/**
 * The markup of the entry pages, by `EntryPage.prerendered`; that of an item page by what it is about, that of home by
 * the number of works.
 */
export const prerendered = (): Record<Prerendered, string | Record<string, string>> => ({
  home: { 0: hero(0), 1: hero(1), 2: hero(2), 3: hero(3) },
  homeWithoutWorks: screen(pages.home.path, <Hero text={homeText} items={[]} loading />),
  explore: screen(
    pages.explore.path,
    <>
      <PageHead title={pages.explore.title} crumb="Explore" compact>
        <div className="prerendered">
          <FilterForm filters={noFilters} onChange={ignore}>
            <div className="prerendered prerendered--narrow">
              <RefineSheet filters={noFilters} found="" onChange={ignore} />
            </div>
          </FilterForm>
        </div>
      </PageHead>
      <div className="explore wrap">
        <div className="prerendered prerendered--wide">
          <div className="explore__side">
            <RefineFields filters={noFilters} onChange={ignore} />
          </div>
        </div>
        <div className="explore__works">
          {/* As high as the number of works, which is not known yet. */}
          <ItemGrid
            title="Discover Items"
            note={<p className="page-head__result">{'\u00a0'}</p>}
            items={[cardPlaceholder(0), cardPlaceholder(1)]}
            loading
          />
        </div>
      </div>
    </>,
  ),
  item: itemScreens(),
  terms: screen(pages.terms.path, <LegalText text={text} />),
  privacy: screen(pages.privacy.path, <LegalText text={text} />),
  // Without the consent of this browser.
  cookiePolicy: screen(pages.cookiePolicy.path, <LegalText text={text} />),
  // Without the app the browser would send the message as a part of an address.
  contact: screen(pages.contact.path, <ContactPage />).replace('type="submit"', 'type="submit" disabled=""'),
})
