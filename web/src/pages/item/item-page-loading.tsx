import { useLocation } from 'react-router-dom'
import { type ItemPreview, previewIn } from '../../items/artwork.tsx'
import { Skeleton, Spinner } from '../../ui/state.tsx'
import { ItemArt } from './item-art.tsx'

/** The page's skeleton. Shows at once what the API or the link's preview has of the item. */
export function ItemPageLoading({ item }: { item: ItemPreview | undefined }) {
  const preview = previewIn(useLocation().state)
  const shown = item ?? preview
  return (
    <div className="item-page wrap">
      <div className="item-page__art">
        {shown ? (
          <ItemArt item={shown} />
        ) : (
          <div className="item-art__frame item-page__loading">
            <Spinner label="Loading NFT" />
          </div>
        )}
      </div>
      <div className="panel">
        <div className="panel__label-of-work">
          <Skeleton className="panel__skeleton" />
          {shown ? (
            <h1 tabIndex={-1}>{shown.name}</h1>
          ) : (
            <Skeleton className="panel__skeleton panel__skeleton--title" />
          )}
        </div>
        <Skeleton className="panel__skeleton" />
        <Skeleton className="panel__skeleton panel__skeleton--tall" />
      </div>
    </div>
  )
}
