import type { NftDetail } from '@nifty/api/catalog/public'
import { useLocation } from 'react-router-dom'
import { useSession } from '../../api/session.ts'
import { isOnAuction, priceLabel } from '../../auctions/auction-state.ts'
import { previewIn } from '../../items/artwork.tsx'
import { Price } from '../../ui/price.tsx'
import { Skeleton, Spinner } from '../../ui/state.tsx'
import { ItemArt } from './item-art.tsx'
import { ItemSummary, stateOf, unpricedText } from './item-summary.tsx'

/** The page's skeleton. Shows at once what the API or the link's preview has of the item. */
export function ItemPageLoading({ item }: { item: NftDetail | undefined }) {
  const preview = previewIn(useLocation().state)
  const { token, username } = useSession()
  if (item) {
    const { creator, owner, description } = item
    const auction = isOnAuction(item) ? item.auction : null
    const price = auction ? (auction.price ?? auction.opening) : item.price
    const isOwn = token !== null && owner !== null && owner.username === username
    return (
      <ItemSummary
        item={item}
        artist={creator}
        owner={owner}
        label={auction ? priceLabel(auction) : undefined}
        price={price === null ? unpricedText(item) : <Price euros={price} />}
        description={description || 'No description.'}
        state={isOwn || auction ? undefined : stateOf(item)}
      />
    )
  }
  return (
    <div className="item-page wrap">
      <div className="item-page__main">
        <div className="item-page__art">
          {preview ? (
            <ItemArt item={preview} />
          ) : (
            <div className="item-art__frame item-page__loading">
              <Spinner label="Loading NFT" />
            </div>
          )}
        </div>
        <div className="panel">
          <div className="panel__label-of-work">
            <Skeleton className="panel__skeleton" />
            {preview ? (
              <h1 tabIndex={-1} dir="auto">
                {preview.name}
              </h1>
            ) : (
              <Skeleton className="panel__skeleton panel__skeleton--title" />
            )}
          </div>
          <Skeleton className="panel__skeleton" />
          <Skeleton className="panel__skeleton panel__skeleton--tall" />
        </div>
      </div>
    </div>
  )
}
