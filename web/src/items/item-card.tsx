import './item-card.css'
import type { Nft } from '@nifty/api/catalog/public'
import { Suspense } from 'react'
import { creatorUrl, itemUrl } from '../api/paths.ts'
import { Avatar } from '../ui/avatar.tsx'
import { ErrorBoundary } from '../ui/error-boundary.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { Link } from '../ui/link.tsx'
import { Skeleton } from '../ui/state.tsx'
import { Artwork, type ItemPreview, useItemTransition } from './artwork.tsx'
import { gridSizes } from './item-image.ts'
import { ItemPrice } from './item-price.tsx'

// Not in the first chunk. A card whose heart failed to load has none until the next try.
const FavouriteButton = lazyComponent(() => import('./favourites/favourite-button.tsx'), 'FavouriteButton')

type Props = {
  item: Nft
  /** The card's width in the layout, for the browser's choice of an image file. */
  sizes: string
  eager?: boolean
  /** The user's own profile: no buy button. */
  own?: boolean
}

export function ItemCard({ item, sizes, eager, own = false }: Props) {
  const url = itemUrl(item)
  const { active, ...link } = useItemTransition(item)
  return (
    <article className="item-card">
      <div className="item-card__frame">
        <Link to={url} className="item-card__art" tabIndex={-1} aria-hidden="true" {...link}>
          <Artwork item={item} sizes={sizes} eager={eager} transition={active} />
        </Link>
        {item.forSale && !own && (
          <Link to={url} className="item-card__buy" aria-label={`Buy Now: ${item.name}`} {...link}>
            Buy Now
          </Link>
        )}
        <ErrorBoundary at={item._id} fallback={null}>
          <Suspense>
            <FavouriteButton item={item} />
          </Suspense>
        </ErrorBoundary>
      </div>
      <div className="item-card__caption">
        <h3 className="item-card__name">
          <Link to={url} {...link}>
            {item.name}
          </Link>
        </h3>
        <p className="item-card__price">
          <ItemPrice item={item} />
        </p>
        {item.ownerUsername ? (
          <Link to={creatorUrl(item.ownerUsername)} className="item-card__owner">
            <Avatar src={item.ownerAvatar} size={24} />
            <span className="visually-hidden">Owner: </span>
            <span className="item-card__username">{item.ownerUsername}</span>
          </Link>
        ) : (
          <p className="item-card__owner">
            <Avatar src={null} size={24} />
            <span className="item-card__username">Unknown Owner</span>
          </p>
        )}
      </div>
    </article>
  )
}

export const ItemCardSkeleton = ({ item }: { item?: ItemPreview }) => (
  <div className="item-card" aria-hidden="true">
    <div className="item-card__frame">
      {item ? (
        <span className="item-card__art">
          <Artwork item={item} sizes={gridSizes} eager />
        </span>
      ) : (
        <Skeleton className="item-card__skeleton" />
      )}
    </div>
    <div className="item-card__caption">
      <Skeleton className="item-card__line" />
      <span />
      <Skeleton className="item-card__line item-card__line--short" />
    </div>
  </div>
)
