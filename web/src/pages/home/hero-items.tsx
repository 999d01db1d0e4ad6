import './hero-items.css'
import type { Nft } from '@nifty/api/catalog/public'
import type { ReactNode } from 'react'
import { itemUrl } from '../../api/paths.ts'
import { Artwork, type ItemPreview, useItemTransition } from '../../items/artwork.tsx'
import { heroSizes } from '../../items/item-image.ts'
import { Link } from '../../ui/link.tsx'
import { Price } from '../../ui/price.tsx'

/** A work beside the hero text. `price`: nothing for a work that is not for sale. */
export type HeroItem = ItemPreview & { url: string; artist: string | null; price: ReactNode }

export const heroItemOf = (item: Nft): HeroItem => ({
  ...item,
  url: itemUrl(item),
  artist: artistOf(item),
  price: item.forSale && item.price !== null && <Price euros={item.price} />,
})

/** By name where the artist is the owner, of whom lists have the name; else by username. */
const artistOf = ({ creatorUsername, ownerUsername, ownerFirstName, ownerLastName }: Nft) =>
  (ownerUsername && ownerUsername === creatorUsername && `${ownerFirstName} ${ownerLastName}`.trim()) || creatorUsername

const frames = [0, 1, 2]

/** At most three items beside the hero text. While they load, the frames of three are shown. */
export function HeroItems({ items, loading }: { items: HeroItem[]; loading: boolean }) {
  if (!loading && items.length === 0) return null
  const shown = loading ? frames : frames.slice(0, items.length)
  return (
    <div className={`hero-items hero-items--${shown.length}`}>
      {shown.map((frame) => (
        <div key={frame} className={`hero-items__frame hero-items__frame--${frame}`}>
          {items[frame] && <HeroWork item={items[frame]} sizes={frame === 0 ? heroSizes.first : heroSizes.others} />}
        </div>
      ))}
    </div>
  )
}

/** A work with its caption: name, artist and price. */
function HeroWork({ item, sizes }: { item: HeroItem; sizes: string }) {
  const { active, ...link } = useItemTransition(item)
  return (
    <Link to={item.url} {...link}>
      <span className="hero-items__art" aria-hidden="true">
        <Artwork item={item} sizes={sizes} eager transition={active} />
      </span>
      <span className="hero-items__caption">
        <span className="hero-items__name" dir="auto">
          {item.name}
        </span>
        <span className="hero-items__line">
          <bdi>{item.artist}</bdi>
          {item.price}
        </span>
      </span>
    </Link>
  )
}
