import './artwork.css'
import type { Nft } from '@nifty/api/catalog/public'
import { isSmallWork } from '@nifty/api/work-image'
import { useState, ViewTransition } from 'react'
import { flushSync } from 'react-dom'
import { Picture } from '../ui/picture.tsx'
import { animationOf, imageOf } from './item-image.ts'

/**
 * The fields of an item that its artwork needs. A link carries them, so that the next page shows the artwork before the
 * API responds.
 */
export type ItemPreview = Pick<Nft, '_id' | 'name' | 'image' | 'display_image_url' | 'width' | 'height' | 'color'>

type Props = {
  item: ItemPreview
  sizes: string
  eager?: boolean
  /** Takes part in the view transition between two pages. At most one artwork per page and item. */
  transition?: boolean
  /** An animated work moves. */
  moves?: boolean
}

/** Width by height of an item's image, as CSS computes it. Of an unknown size: 4:5 portrait. */
export const ratioOf = (item: Pick<ItemPreview, 'width' | 'height'> | undefined) =>
  `calc(${item?.width || 4} / ${item?.height || 5})`

/** The image of an item in its own aspect ratio, as large as its container allows. */
export function Artwork({ item, sizes, eager, transition = false, moves = false }: Props) {
  const { name, color } = item
  const width = item.width || 4
  const height = item.height || 5
  const animation = moves ? animationOf(item) : undefined
  const picture = (
    <span className="artwork__canvas" style={{ '--ratio': ratioOf(item) }}>
      <Picture {...imageOf(item)} sizes={sizes} alt={name} width={width} height={height} color={color} eager={eager} />
      {/* Over the first frame, which is there before it. */}
      {animation && (
        <img {...animation} sizes={sizes} alt="" className="artwork__animation" data-small={isSmallWork(item)} />
      )}
    </span>
  )
  return (
    <span className="artwork">
      {transition ? <ViewTransition name={`item-${item._id}`}>{picture}</ViewTransition> : picture}
    </span>
  )
}

/**
 * Props for a card's link to the item page. `active` after a click: only the clicked artwork takes part in the
 * transition.
 */
export function useItemTransition(item: ItemPreview) {
  const [active, setActive] = useState(false)
  const { _id, name, image, display_image_url, width, height, color } = item
  const preview: ItemPreview = { _id, name, image, display_image_url, width, height, color }
  return { active, state: { preview }, onClick: () => flushSync(() => setActive(true)) }
}

/** The preview in a location's state, if the reader came by such a link. */
export function previewIn(state: unknown): ItemPreview | undefined {
  return (state as { preview?: ItemPreview } | null)?.preview
}
