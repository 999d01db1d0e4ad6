import { useLocation } from 'react-router-dom'
import { ItemArt } from '../items/item-art.tsx'
import { travellerIn } from '../items/work.tsx'
import { Skeleton, Spinner } from '../ui/state.tsx'

/** The page in its final shape. Whoever came from a card sees the work at once. */
export function ItemPageLoading() {
  const traveller = travellerIn(useLocation().state)
  return (
    <div className="item-page wrap">
      <div className="item-page__art">
        {traveller ? (
          <ItemArt item={traveller} />
        ) : (
          <div className="item-art__wall item-page__waiting">
            <Spinner label="Loading NFT" />
          </div>
        )}
      </div>
      <div className="panel">
        {traveller ? (
          <h1 tabIndex={-1}>{traveller.name}</h1>
        ) : (
          <Skeleton className="panel__skeleton panel__skeleton--title" />
        )}
        <Skeleton className="panel__skeleton" />
        <Skeleton className="panel__skeleton panel__skeleton--tall" />
      </div>
    </div>
  )
}
