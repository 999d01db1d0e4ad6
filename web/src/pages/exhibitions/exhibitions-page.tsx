import './exhibitions-page.css'
import { pages } from '@nifty/api/pages'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import { pageOf } from '../../api/page-of.ts'
import { paths } from '../../api/paths.ts'
import { ExhibitionCard } from '../../exhibitions/exhibition-card.tsx'
import { useExhibitions } from '../../exhibitions/use-exhibitions.ts'
import { PageHead } from '../../layout/page/page-head.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Pagination } from '../../ui/pagination/pagination.tsx'
import { Empty, Spinner } from '../../ui/state.tsx'

const perPage = 24

export function ExhibitionsPage() {
  const [params, setParams] = useSearchParams()
  const page = pageOf(params)
  const { exhibitions, total, lastPage, error, reload } = useExhibitions({ page, limit: perPage })

  // A page beyond the last one, of an old link: the last one.
  const isBeyond = total > 0 && page > lastPage
  useEffect(() => {
    if (isBeyond) setParams({ page: String(lastPage) }, { replace: true })
  }, [isBeyond, lastPage, setParams])

  const turnTo = (next: number) => {
    setParams(next > 1 ? { page: String(next) } : {})
    scrollTo({ top: 0 })
  }
  return (
    <>
      <PageHead title={pages.exhibitions.title} crumb="Exhibitions" />
      <div className="exhibitions-page wrap">
        {!exhibitions && !error && <Spinner label="Loading exhibitions" />}
        {!exhibitions && error && (
          <Empty title="The exhibitions could not be loaded.">
            <Button variant="secondary" onClick={() => void reload()}>
              Try again
            </Button>
          </Empty>
        )}
        {exhibitions?.length === 0 && !isBeyond && (
          <Empty title="No exhibition is open.">
            <LinkButton variant="secondary" to={paths.explore}>
              Explore works
            </LinkButton>
          </Empty>
        )}
        <ul className="exhibitions-page__list">
          {exhibitions?.map((exhibition) => (
            <li key={exhibition.slug}>
              <ExhibitionCard exhibition={exhibition} />
            </li>
          ))}
        </ul>
        {lastPage > 1 && (
          <Pagination
            page={page}
            pages={lastPage}
            hasNext={page < lastPage}
            onPage={turnTo}
            label="Pages of exhibitions"
          />
        )}
      </div>
    </>
  )
}
