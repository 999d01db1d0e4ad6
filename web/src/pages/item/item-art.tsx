import './item-art.css'
import { Artwork, type ItemPreview } from '../../items/artwork.tsx'
import { artSizes } from '../../items/item-image.ts'

/** The large artwork with a glow in its dominant colour. */
export function ItemArt({ item }: { item: ItemPreview }) {
  return (
    <div className="item-art" style={{ '--ratio': (item.width || 4) / (item.height || 5), '--glow': item.color }}>
      <div className="item-art__frame">
        <Artwork item={item} sizes={artSizes} eager transition />
      </div>
    </div>
  )
}
