import './item-grid.css'
import type { Nft } from '@nifty/api/catalog/public'
import { type ReactNode, useId } from 'react'
import { paths } from '../api/paths.ts'
import { Icon } from '../ui/icon.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { LazyPart } from '../ui/lazy-part.tsx'
import { Link } from '../ui/link.tsx'
import { Empty } from '../ui/state.tsx'
import { type CardPreview, ItemCard, ItemCardSkeleton } from './item-card.tsx'
import { gridSizes } from './item-image.ts'
import { useAuctionPrices } from './item-price.tsx'

// Not in the first chunk: home has none, and on other pages it is below the works.
const Pagination = lazyComponent(() => import('../ui/pagination/pagination.tsx'), 'Pagination')

export const itemsPerPage = 8

const skeletons = Array.from({ length: itemsPerPage }, (_, index) => index)

/** At most eight items. While the page loads, the artworks that are known already. */
type Items = { loading: true; items: CardPreview[] } | { loading: boolean; items: Nft[] }

type Props = Items & {
  title?: ReactNode
  /** Beside the title: how many items there are. */
  note?: ReactNode
  /** Shows the link to all items beside the title. */
  showMore?: boolean
  own?: boolean
  /** Present where the grid has pagination. */
  paging?: { page: number; hasNext: boolean; pages?: number; onPage: (page: number) => void }
  /** Shown when there are no items. */
  nextStep?: ReactNode
}

/** The shared grid of items. */
export function ItemGrid({ items, loading, title, note, showMore = false, own, paging, nextStep }: Props) {
  const titleId = useId()
  const isReady = useAuctionPrices(items)
  return (
    <section
      className="item-grid wrap"
      aria-labelledby={title ? titleId : undefined}
      aria-label={title ? undefined : 'NFTs'}
    >
      {title && (
        <div className="section-head">
          <h2 id={titleId}>{title}</h2>
          {note}
          {showMore && (
            <Link to={paths.explore} className="section-head__more">
              Explore More <Icon name="arrow" size={18} />
            </Link>
          )}
        </div>
      )}
      {loading || !isReady ? (
        <>
          <p role="status" className="visually-hidden">
            Loading NFTs
          </p>
          <div className="item-grid__works">
            {skeletons.map((index) => (
              <ItemCardSkeleton key={index} item={items[index]} />
            ))}
          </div>
        </>
      ) : items.length === 0 ? (
        <Empty title="No NFTs available">{nextStep}</Empty>
      ) : (
        <ul className="item-grid__works">
          {items.slice(0, itemsPerPage).map((item, index) => (
            <li key={item._id}>
              <ItemCard item={item} sizes={gridSizes} own={own} eager={Boolean(paging) && index < 2} />
            </li>
          ))}
        </ul>
      )}
      {paging && !loading && (items.length > 0 || paging.page > 1 || paging.hasNext) && (
        <LazyPart at={String(paging.page)}>
          <Pagination {...paging} label="Pages of NFTs" />
        </LazyPart>
      )}
    </section>
  )
}
