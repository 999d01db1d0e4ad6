import './item-art.css'
import { artSizes } from './sizes.ts'
import { type Hung, Work } from './work.tsx'

/** The work, large, in the light of its own colour. */
export function ItemArt({ item }: { item: Hung }) {
  return (
    <div className="item-art" style={{ '--ratio': (item.width || 4) / (item.height || 5), '--glow': item.color }}>
      <div className="item-art__wall">
        <Work item={item} sizes={artSizes} eager travelling />
      </div>
    </div>
  )
}
