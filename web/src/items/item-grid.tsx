import './item-grid.css'
import type { Nft } from '@nifty/api/catalog/public'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../paths.ts'
import { Icon } from '../ui/icon.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { Empty } from '../ui/state.tsx'
import { gridSizes } from './image-sizes.ts'
import { ItemCard, ItemCardSkeleton } from './item-card.tsx'

export const itemsPerPage = 8

const places = Array.from({ length: itemsPerPage }, (_, place) => place)

type Props = {
  /** What this page shows: eight at most. */
  items: Nft[]
  loading: boolean
  title?: string
  /** The way to everything else, beside the title. */
  more?: boolean
  own?: boolean
  /** Present where pages can be turned. */
  paging?: { page: number; hasNext: boolean; onPage: (page: number) => void }
  /** What to do when nothing is here. */
  nextStep?: ReactNode
}

/** The shared grid of works. */
export function ItemGrid({ items, loading, title, more = false, own, paging, nextStep }: Props) {
  const titleId = useId()
  return (
    <section
      className="item-grid wrap"
      aria-labelledby={title ? titleId : undefined}
      aria-label={title ? undefined : 'NFTs'}
    >
      {title && (
        <div className="section-head">
          <h2 id={titleId}>{title}</h2>
          {more && (
            <Link to={paths.explore} className="section-head__more">
              Explore More <Icon name="arrow" size={18} />
            </Link>
          )}
        </div>
      )}
      {loading ? (
        <>
          <p role="status" className="visually-hidden">
            Loading NFTs
          </p>
          <div className="item-grid__works">
            {places.map((place) => (
              <ItemCardSkeleton key={place} />
            ))}
          </div>
        </>
      ) : items.length === 0 ? (
        <Empty title="No NFTs available">{nextStep}</Empty>
      ) : (
        <ul className="item-grid__works">
          {items.slice(0, itemsPerPage).map((item, place) => (
            <li key={item._id}>
              <ItemCard item={item} sizes={gridSizes} own={own} eager={Boolean(paging) && place === 0} />
            </li>
          ))}
        </ul>
      )}
      {paging && !loading && items.length > 0 && <Pagination {...paging} label="Pages of NFTs" />}
    </section>
  )
}
