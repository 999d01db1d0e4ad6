import { useLocation } from 'react-router-dom'
import { ItemArt } from '../items/item-art.tsx'
import { type Hung, travellerIn } from '../items/work.tsx'
import { Skeleton, Spinner } from '../ui/state.tsx'

/** The page in its final shape. A work that is known, from the store or from the card that led here, hangs at once. */
export function ItemPageLoading({ item }: { item: Hung | undefined }) {
  const traveller = travellerIn(useLocation().state)
  const known = item ?? traveller
  return (
    <div className="item-page wrap">
      <div className="item-page__art">
        {known ? (
          <ItemArt item={known} />
        ) : (
          <div className="item-art__wall item-page__waiting">
            <Spinner label="Loading NFT" />
          </div>
        )}
      </div>
      <div className="panel">
        {known ? <h1 tabIndex={-1}>{known.name}</h1> : <Skeleton className="panel__skeleton panel__skeleton--title" />}
        <Skeleton className="panel__skeleton" />
        <Skeleton className="panel__skeleton panel__skeleton--tall" />
      </div>
    </div>
  )
}
