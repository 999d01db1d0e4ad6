import './exhibition-page.css'
import type { Exhibition } from '@nifty/api/catalog/exhibitions'
import type { Nft } from '@nifty/api/catalog/public'
import { useParams } from 'react-router-dom'
import { creatorUrl, exhibitionUrl, itemUrl, paths } from '../../api/paths.ts'
import { ExhibitionDay } from '../../exhibitions/exhibition-day.tsx'
import { useExhibition } from '../../exhibitions/use-exhibitions.ts'
import { Artwork, ratioOf, useItemTransition } from '../../items/artwork.tsx'
import { ItemPrice, useAuctionPrices } from '../../items/item-price.tsx'
import { MissingPage } from '../../layout/page/missing-page.tsx'
import { PageHead } from '../../layout/page/page-head.tsx'
import { PageTitle } from '../../layout/page-title.tsx'
import { ShareButton } from '../../share/share-button.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { fullName } from '../../ui/full-name.ts'
import { Link } from '../../ui/link.tsx'
import { Empty, Spinner } from '../../ui/state.tsx'

/** An exhibition of the store, or a series of an artist. */
export function ExhibitionPage() {
  const { slug = '' } = useParams()
  const { exhibition, error, reload } = useExhibition(slug)
  const isReady = useAuctionPrices(exhibition?.nfts ?? [])
  if (exhibition && isReady) return <Hall exhibition={exhibition} />
  if (!error) return <Spinner label="Loading the exhibition" />
  const isMissing = error.status === 404
  return (
    <MissingPage
      title={isMissing ? 'Exhibition not found' : 'The exhibition could not be loaded'}
      text={isMissing ? 'It may be over.' : 'The store is not available right now.'}
      onRetry={isMissing ? undefined : () => void reload()}
    >
      <LinkButton to={paths.exhibitions}>See all exhibitions</LinkButton>
    </MissingPage>
  )
}

function Hall({ exhibition }: { exhibition: Exhibition }) {
  const { slug, title, description, artist, open, nfts } = exhibition
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <PageHead title={title} crumb={artist ? 'Series' : 'Exhibition'}>
        <p className="exhibition-page__note">
          {artist ? (
            <>
              A series by{' '}
              <Link to={creatorUrl(artist.username)}>
                <bdi>{fullName(artist)}</bdi>
              </Link>
            </>
          ) : (
            <ExhibitionDay exhibition={exhibition} />
          )}
        </p>
        {description && (
          <p className="exhibition-page__text" dir="auto">
            {description}
          </p>
        )}
        <div>
          <ShareButton path={exhibitionUrl(slug)} title={title} />
        </div>
      </PageHead>
      <ol className="exhibition-page__works wrap">
        {nfts.map((nft, index) => (
          <li key={nft._id}>
            <Work nft={nft} eager={index < 2} />
          </li>
        ))}
      </ol>
      {nfts.length === 0 && (
        <div className="wrap">
          <Empty title={open ? 'Its works are not shown at the moment.' : 'Its works are shown from the opening on.'}>
            <LinkButton variant="secondary" to={paths.explore}>
              Explore works
            </LinkButton>
          </Empty>
        </div>
      )}
    </>
  )
}

function Work({ nft, eager }: { nft: Nft; eager: boolean }) {
  const { active, ...link } = useItemTransition(nft)
  return (
    <Link to={itemUrl(nft)} className="exhibition-page__work" {...link}>
      <span className="exhibition-page__frame" style={{ '--ratio': ratioOf(nft) }}>
        <Artwork
          item={nft}
          sizes="(min-width: 100rem) 29vw, (min-width: 40rem) 44vw, 88vw"
          eager={eager}
          transition={active}
        />
      </span>
      <span className="exhibition-page__name" dir="auto">
        {nft.name}
      </span>
      <span className="exhibition-page__note">
        {nft.creatorUsername && (
          <>
            <bdi>{nft.creatorUsername}</bdi>
            {' · '}
          </>
        )}
        <ItemPrice item={nft} />
      </span>
    </Link>
  )
}
