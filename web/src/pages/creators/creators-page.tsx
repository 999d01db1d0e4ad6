import './creators-page.css'
import type { Nft } from '@nifty/api/catalog/public'
import { pages } from '@nifty/api/pages'
import { Link } from 'react-router-dom'
import { useCreators } from '../../creators/use-creators.ts'
import { Artwork, useItemTransition } from '../../items/artwork.tsx'
import { PageHead } from '../../layout/page-head.tsx'
import { itemUrl, paths } from '../../paths.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Empty } from '../../ui/state.tsx'
import { CreatorCard, CreatorCardSkeleton } from './creator-card.tsx'

const shownItems = 2
const skeletons = Array.from({ length: 6 }, (_, index) => index)
const sizes = '(min-width: 1100px) 15vw, (min-width: 640px) 23vw, 45vw'

export function CreatorsPage() {
  const { creators, loading, error, reload } = useCreators()
  return (
    <>
      <PageHead title={pages.creators.title} crumb="Creators" />
      <div className="wrap">
        {loading && (
          <p role="status" className="visually-hidden">
            Loading creators
          </p>
        )}
        {!loading && creators.length === 0 && (
          <Empty title={error ? 'The creators could not be loaded.' : 'No creators yet'}>
            {error ? (
              <Button variant="secondary" onClick={() => void reload()}>
                Try again
              </Button>
            ) : (
              <LinkButton variant="secondary" to={paths.contact}>
                Become the first creator
              </LinkButton>
            )}
          </Empty>
        )}
        <ul className="creators-page__list">
          {loading && skeletons.map((index) => <CreatorCardSkeleton key={index} />)}
          {creators.map((creator, index) => (
            <li key={creator._id}>
              <CreatorCard creator={creator}>
                {creator.items.slice(0, shownItems).map((item) => (
                  <Thumbnail key={item._id} item={item} eager={index < 3} />
                ))}
              </CreatorCard>
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}

function Thumbnail({ item, eager }: { item: Nft; eager: boolean }) {
  const { active, ...link } = useItemTransition(item)
  return (
    <Link to={itemUrl(item)} className="creator-card__frame" {...link}>
      <Artwork item={item} sizes={sizes} eager={eager} transition={active} />
    </Link>
  )
}
