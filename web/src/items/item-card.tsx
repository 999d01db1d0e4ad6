import './item-card.css'
import type { Nft } from '@nifty/api/catalog/public'
import type { ReactNode } from 'react'
import { creatorUrl, itemUrl, workCertificateUrl } from '../api/paths.ts'
import { Avatar } from '../ui/avatar.tsx'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { LazyPart } from '../ui/lazy-part.tsx'
import { Link } from '../ui/link.tsx'
import { Skeleton } from '../ui/state.tsx'
import { Artwork, type ItemPreview, ratioOf, useItemTransition } from './artwork.tsx'
import { gridSizes } from './item-image.ts'
import { ItemPrice } from './item-price.tsx'

// Not in the first chunk. A card whose heart failed to load has none until the next try.
const FavouriteButton = lazyComponent(() => import('./favourites/favourite-button.tsx'), 'FavouriteButton')

type Props = {
  item: Nft
  /** The card's width in the layout, for the browser's choice of an image file. */
  sizes: string
  eager?: boolean
  /** The user's own profile: the certificate in place of the buy button. */
  own?: boolean
  /** A frame of 4:5 around the work, as all slides of the carousel have; else the work in its own ratio. */
  framed?: boolean
}

/** A work, and below it its caption: nothing lies on the work. */
export function ItemCard({ item, sizes, eager, own = false, framed = false }: Props) {
  const url = itemUrl(item)
  const { active, ...link } = useItemTransition(item)
  return (
    <article className={classOf(framed)}>
      <div className="item-card__frame" style={{ '--ratio': ratioOf(item) }}>
        <Link to={url} className="item-card__art" tabIndex={-1} aria-hidden="true" {...link}>
          <Artwork item={item} sizes={sizes} eager={eager} transition={active} />
        </Link>
      </div>
      <div className="item-card__caption">
        <h3 className="item-card__name">
          <Link to={url} dir="auto" {...link}>
            {item.name}
          </Link>
        </h3>
        <div className="item-card__heart">
          <LazyPart at={item._id}>
            <FavouriteButton item={item} />
          </LazyPart>
        </div>
        {item.ownerUsername ? (
          <Link to={creatorUrl(item.ownerUsername)} className="item-card__owner">
            <Avatar src={item.ownerAvatar} size={24} />
            <span className="visually-hidden">Owner: </span>
            <bdi className="item-card__username">{item.ownerUsername}</bdi>
          </Link>
        ) : (
          <p className="item-card__owner">
            <Avatar src={null} size={24} />
            <span className="item-card__username">Unknown Owner</span>
          </p>
        )}
        <div className="item-card__sale">
          <p className="item-card__price">
            <ItemPrice item={item} />
          </p>
          {item.forSale && !own && (
            <Link to={url} className="item-card__buy" aria-label={`Buy Now: ${item.name}`} {...link}>
              Buy Now
            </Link>
          )}
          {own && (
            <Link
              to={workCertificateUrl(item)}
              className="item-card__certificate"
              aria-label={`Certificate: ${item.name}`}
            >
              Certificate
            </Link>
          )}
        </div>
      </div>
    </article>
  )
}

const classOf = (framed: boolean) => (framed ? 'item-card item-card--framed' : 'item-card')

/** A work with the caption that the document shows (`card-caption.tsx`). */
export type CardPreview = ItemPreview & { caption?: ReactNode }

/** As large as the card that replaces it; a work that is not known yet has the ratio 4:5. */
export const ItemCardSkeleton = ({ item, framed = false }: { item?: CardPreview; framed?: boolean }) => (
  <div className={classOf(framed)} aria-hidden={!item?.caption || undefined}>
    <div className="item-card__frame" style={{ '--ratio': ratioOf(item) }}>
      {item ? (
        <span className="item-card__art">
          <Artwork item={item} sizes={gridSizes} eager />
        </span>
      ) : (
        <Skeleton className="item-card__skeleton" />
      )}
    </div>
    <div className="item-card__caption">
      {item?.caption ?? (
        <>
          <Skeleton className="item-card__line" />
          <span className="item-card__heart" />
          <Skeleton className="item-card__line item-card__line--short" />
        </>
      )}
    </div>
  </div>
)
