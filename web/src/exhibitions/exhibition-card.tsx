import './exhibition-card.css'
import type { ExhibitionCard as Card } from '@nifty/api/catalog/exhibitions'
import { exhibitionUrl } from '../api/paths.ts'
import { imageOf } from '../items/item-image.ts'
import { fullName } from '../ui/full-name.ts'
import { Link } from '../ui/link.tsx'
import { Picture } from '../ui/picture.tsx'
import { ExhibitionDay } from './exhibition-day.tsx'

/** An exhibition in a list: its first works in their own ratio at one height, title, and when it opens. */
export const ExhibitionCard = ({ exhibition }: { exhibition: Card }) => {
  const { slug, title, artist, works, nfts } = exhibition
  return (
    <Link to={exhibitionUrl(slug)} className="exhibition-card">
      {nfts.length > 0 && (
        <span className="exhibition-card__works">
          {nfts.map((nft) => (
            <span key={nft._id} className="exhibition-card__work" style={{ flexGrow: nft.width / nft.height }}>
              <Picture
                {...imageOf(nft)}
                sizes="(min-width: 60rem) 20vw, 30vw"
                alt=""
                width={nft.width}
                height={nft.height}
                color={nft.color}
              />
            </span>
          ))}
        </span>
      )}
      <span className="exhibition-card__title" dir="auto">
        {title}
      </span>
      <span className="exhibition-card__note">
        {artist ? <bdi>{fullName(artist)}</bdi> : <ExhibitionDay exhibition={exhibition} />} · {works}{' '}
        {works === 1 ? 'work' : 'works'}
      </span>
    </Link>
  )
}
