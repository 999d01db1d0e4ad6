import './hero-items.css'
import type { Nft } from '@nifty/api/catalog/public'
import { itemUrl } from '../../api/paths.ts'
import { Artwork, useItemTransition } from '../../items/artwork.tsx'
import { Link } from '../../ui/link.tsx'
import { Price } from '../../ui/price.tsx'

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

/** A work with its caption: name, artist and price. */
function HeroWork({ item, first }: { item: Nft; first: boolean }) {
  const { active, ...link } = useItemTransition(item)
  return (
    <Link to={itemUrl(item)} {...link}>
      <span className="hero-items__art" aria-hidden="true">
        <Artwork
          item={item}
          sizes={first ? '(min-width: 900px) 30vw, 60vw' : '(min-width: 900px) 17vw, 33vw'}
          eager
          transition={active}
        />
      </span>
      <span className="hero-items__caption">
        <span className="hero-items__name" dir="auto">
          {item.name}
        </span>
        <span className="hero-items__line">
          <bdi>{artistOf(item)}</bdi>
          {item.forSale && item.price !== null && <Price euros={item.price} />}
        </span>
      </span>
    </Link>
  )
}

/** By name where the artist is the owner, of whom lists have the name; else by username. */
const artistOf = ({ creatorUsername, ownerUsername, ownerFirstName, ownerLastName }: Nft) =>
  (ownerUsername && ownerUsername === creatorUsername && `${ownerFirstName} ${ownerLastName}`.trim()) || creatorUsername
