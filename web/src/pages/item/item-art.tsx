import './item-art.css'
import { Artwork, type ItemPreview } from '../../items/artwork.tsx'
import { artSizes } from '../../items/image-sizes.ts'

/** The work, large, in the light of its own colour. */
export function ItemArt({ item }: { item: ItemPreview }) {
  return (
    <div className="item-art" style={{ '--ratio': (item.width || 4) / (item.height || 5), '--glow': item.color }}>
      <div className="item-art__wall">
        <Artwork item={item} sizes={artSizes} eager transition />
      </div>
    </div>
  )
}
