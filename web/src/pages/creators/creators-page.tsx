import { useSearchParams } from 'react-router-dom'
import './creators-page.css'
import type { Nft } from '@nifty/api/catalog/public'
import { pages } from '@nifty/api/pages'
import { useEffect } from 'react'
import { pageOf } from '../../api/page-of.ts'
import { itemUrl, paths } from '../../api/paths.ts'
import { useCreators } from '../../creators/use-creators.ts'
import { Artwork, useItemTransition } from '../../items/artwork.tsx'
import { PageHead } from '../../layout/page/page-head.tsx'
import { PageTitle } from '../../layout/page-title.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { Pagination } from '../../ui/pagination/pagination.tsx'
import { Empty } from '../../ui/state.tsx'
import { CreatorCard, CreatorCardSkeleton } from './creator-card.tsx'

const perPage = 24
const shownItems = 2
const skeletons = Array.from({ length: 6 }, (_, index) => index)
const sizes = '(min-width: 1100px) 15vw, (min-width: 640px) 23vw, 45vw'

export function CreatorsPage() {
  const [params, setParams] = useSearchParams()
  const page = pageOf(params)
  const { creators, total, lastPage, loading, error, reload } = useCreators({ page, limit: perPage })

  // A page beyond the last one, of an old link or after a sale: the last one.
  const isBeyond = !loading && total > 0 && page > lastPage
  useEffect(() => {
    if (isBeyond) setParams({ page: String(lastPage) }, { replace: true })
  }, [isBeyond, lastPage, setParams])

  const turnTo = (next: number) => {
    setParams(next > 1 ? { page: String(next) } : {})
    document.getElementById('creators')?.scrollIntoView()
  }
  return (
    <>
      <PageTitle>{page > 1 ? `page ${page} – ${pages.creators.title}` : pages.creators.title}</PageTitle>
      <PageHead title={pages.creators.title} crumb="Creators">
        <p className="page-head__result" role="status">
          {loading ? 'Loading creators' : resultText({ total, page, lastPage })}
        </p>
      </PageHead>
      <div id="creators" className="creators-page wrap">
        {!loading && !isBeyond && creators.length === 0 && (
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
          {(loading || isBeyond) && skeletons.map((index) => <CreatorCardSkeleton key={index} />)}
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
        {lastPage > 1 && (
          <Pagination
            page={page}
            hasNext={page < lastPage}
            pages={lastPage}
            onPage={turnTo}
            label="Pages of creators"
          />
        )}
      </div>
    </>
  )
}

function resultText({ total, page, lastPage }: { total: number; page: number; lastPage: number }): string {
  if (total === 0) return ''
  const creators = total === 1 ? '1 creator' : `${total.toLocaleString('en-GB')} creators`
  return lastPage > 1 ? `${creators}, page ${page} of ${lastPage}` : creators
}

function Thumbnail({ item, eager }: { item: Nft; eager: boolean }) {
  const { active, ...link } = useItemTransition(item)
  return (
    <Link to={itemUrl(item)} className="creator-card__frame" {...link}>
      <Artwork item={item} sizes={sizes} eager={eager} transition={active} />
    </Link>
  )
}
