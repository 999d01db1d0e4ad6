import { useLocation } from 'react-router-dom'
import { type ItemPreview, previewIn } from '../../items/artwork.tsx'
import { Skeleton, Spinner } from '../../ui/state.tsx'
import { ItemArt } from './item-art.tsx'

/** The page's skeleton. An item that is known, from the API or from the link that led here, is shown at once. */
export function ItemPageLoading({ item }: { item: ItemPreview | undefined }) {
  const preview = previewIn(useLocation().state)
  const known = item ?? preview
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
