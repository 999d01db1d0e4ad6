import './related-works.css'
import { listNftsById } from '@nifty/api/catalog/favourites'
import type { NftDetail } from '@nifty/api/catalog/public'
import { useEffect, useState } from 'react'
import { itemUrl, paths } from '../../api/paths.ts'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { Artwork } from '../../items/artwork.tsx'
import { ItemGrid } from '../../items/item-grid.tsx'
import { useMarket } from '../../items/use-market.ts'
import { fullName } from '../../ui/full-name.ts'
import { Link } from '../../ui/link.tsx'
import { readViewed, rememberViewed } from './recently-viewed.ts'
import { related, useSimilarWorks } from './use-similar-works.ts'

/** Below an item: more by its artist, similar works, and what this browser has shown before. */
export function RelatedWorks({ item }: { item: NftDetail }) {
  const similar = useSimilarWorks(item)
  return (
    <div className="related wrap">
      {item.creator && <MoreByArtist itemId={item._id} creator={item.creator} />}
      {similar.length > 0 && <ItemGrid title="Similar works" items={similar} loading={false} />}
      <RecentlyViewed key={item._id} itemId={item._id} />
    </div>
  )
}

type ByArtist = { itemId: string; creator: NonNullable<NftDetail['creator']> }

function MoreByArtist({ itemId, creator }: ByArtist) {
  const { items, total } = useMarket({ creator: creator.username, limit: related + 1 })
  const others = items.filter(({ _id, creatorUsername }) => _id !== itemId && creatorUsername === creator.username)
  if (others.length === 0) return null
  const more = `${paths.explore}?creator=${encodeURIComponent(creator.username)}`
  return (
    <div>
      <ItemGrid
        title={
          <>
            More by <bdi>{fullName(creator)}</bdi>
          </>
        }
        items={others.slice(0, related)}
        loading={false}
      />
      <p className="related__all">
        <Link to={more}>All {total} works</Link>
      </p>
    </div>
  )
}

/** Without works that were hidden since: the store is asked, and nothing is shown until it has answered. */
function RecentlyViewed({ itemId }: { itemId: string }) {
  const [ids] = useState(() => readViewed().filter((id) => id !== itemId))
  const { data } = useEndpoint(listNftsById, ids.length > 0 ? { query: { ids: ids.join() } } : null, {
    revalidateOnFocus: false,
  })
  useEffect(() => rememberViewed(itemId), [itemId])
  const viewed = data?.nfts ?? []
  if (viewed.length === 0) return null
  return (
    <section className="viewed" aria-labelledby="recently-viewed">
      <div className="section-head">
        <h2 id="recently-viewed">Recently viewed</h2>
      </div>
      <ul className="viewed__list">
        {viewed.map((entry) => (
          <li key={entry._id}>
            <Link to={itemUrl(entry)} className="viewed__link">
              <span className="viewed__art" aria-hidden="true">
                <Artwork item={entry} sizes="10rem" />
              </span>
              <span className="viewed__name" dir="auto">
                {entry.name}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
