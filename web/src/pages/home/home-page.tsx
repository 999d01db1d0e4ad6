import './home-page.css'
import type { Nft } from '@nifty/api/catalog/public'
import { useState } from 'react'
import { paths } from '../../api/paths.ts'
import { readReturn } from '../../api/return-to.ts'
import { useSession } from '../../api/session.ts'
import { ItemGrid, itemsPerPage } from '../../items/item-grid.tsx'
import { useFeatured, useMarket, useTopItems } from '../../items/use-market.ts'
import { homeText } from '../../texts/texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { LazyPart } from '../../ui/lazy-part.tsx'
import { Link } from '../../ui/link.tsx'
import { Hero } from './hero.tsx'
import { heroItemOf } from './hero-items.tsx'
import { TopItems } from './top-items.tsx'

// Not in the first visit.
const ReturnCard = lazyComponent(() => import('../../layout/page/return-card.tsx'), 'ReturnCard')
// Far below the first screen.
const BelowWorks = lazyComponent(() => import('./below-works.tsx'), 'BelowWorks')

export function HomePage() {
  const text = homeText()
  const featured = useFeatured()
  const market = useMarket({ sort: 'for_sale' })
  const top = useTopItems()
  const loading = featured.loading || market.loading || top.loading
  // Fewer than three artists, or no response: the market's first works fill the places.
  const first = [...featured.items, ...others(market.items, featured.items)]
  const hero = first.slice(0, 3)
  const best = without(top.items, hero)
  const discovered = without(without(first, hero), best.slice(0, itemsPerPage))
  // A section that has no works is left out while another one has some, unless its request failed.
  const hasWorks = loading || best.length > 0 || discovered.length > 0
  const { token } = useSession()
  const [comesBack] = useState(readReturn)
  return (
    <>
      {token && comesBack && (
        <LazyPart at="return">
          <ReturnCard />
        </LazyPart>
      )}
      <Hero text={text} items={hero.map(heroItemOf)} loading={featured.loading || market.loading} />

      {(loading || best.length > 0 || top.error || !hasWorks) && (
        <section className="home-section wrap" aria-labelledby="top-items">
          <div className="section-head">
            <h2 id="top-items" lang={text.lang}>
              {text.topItems}
            </h2>
            <Link to={paths.explore} className="section-head__more">
              See More<span className="visually-hidden"> works</span> <Icon name="arrow" size={18} />
            </Link>
          </div>
          <TopItems items={best} loading={loading} />
        </section>
      )}

      {(loading || discovered.length > 0 || market.error || !hasWorks) && (
        <div className="home-section">
          <ItemGrid
            title={<span lang={text.lang}>{text.discover}</span>}
            showMore
            items={discovered}
            loading={loading}
          />
        </div>
      )}

      <LazyPart at="below">
        <BelowWorks hasWorks={hasWorks} />
      </LazyPart>
    </>
  )
}

const others = (items: Nft[], shown: Nft[]) => items.filter(({ _id }) => !shown.some((item) => item._id === _id))

/** Leaves out items that the page shows further up, unless fewer than a page would remain. */
function without(items: Nft[], shown: Nft[]) {
  const left = others(items, shown)
  return left.length < itemsPerPage ? items : left
}
