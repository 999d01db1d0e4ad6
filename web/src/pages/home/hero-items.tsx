import './hero-items.css'
import type { Nft } from '@nifty/api/catalog/public'
import { itemUrl } from '../../api/paths.ts'
import { Artwork, useItemTransition } from '../../items/artwork.tsx'
import { Link } from '../../ui/link.tsx'

const frames = [0, 1, 2]

/** Three items beside the hero text. Their frames are shown while the items load. */
export function HeroItems({ items, loading }: { items: Nft[]; loading: boolean }) {
  if (!loading && items.length === 0) return null
  return (
    <div className="hero-items">
      {frames.map((frame) => (
        <div key={frame} className={`hero-items__frame hero-items__frame--${frame}`}>
          {items[frame] && <HeroWork item={items[frame]} first={frame === 0} />}
        </div>
      ))}
    </div>
  )
}

function HeroWork({ item, first }: { item: Nft; first: boolean }) {
  const { active, ...link } = useItemTransition(item)
  return (
    <Link to={itemUrl(item)} aria-label={item.name} {...link}>
      <Artwork
        item={item}
        sizes={first ? '(min-width: 900px) 28vw, 60vw' : '(min-width: 900px) 16vw, 32vw'}
        eager
        transition={active}
      />
    </Link>
  )
}
