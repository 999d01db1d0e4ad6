import { useSearchParams } from 'react-router-dom'
import './explore-page.css'
import { pages } from '@nifty/api/pages'
import { useEffect } from 'react'
import { paths } from '../../api/paths.ts'
import { useConfig } from '../../api/use-config.ts'
import { ItemGrid, itemsPerPage } from '../../items/item-grid.tsx'
import { marketLimit, useMarket } from '../../items/use-market.ts'
import { PageHead } from '../../layout/page/page-head.tsx'
import { PageTitle } from '../../layout/page-title.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { ActiveFilters } from './active-filters.tsx'
import { FilterForm } from './filter-form.tsx'
import {
  activeFilters,
  type Filters,
  filtersFrom,
  filtersTo,
  isUnsupported,
  marketQueryOf,
  titleOf,
} from './filters.ts'
import { NearestWorks } from './nearest-works.tsx'
import { RefineFields } from './refine-fields.tsx'
import { RefineSheet, useHasColumn } from './refine-sheet.tsx'
import { resultText } from './result-text.ts'

const pagesPerFetch = marketLimit / itemsPerPage

export function ExplorePage() {
  const [params, setParams] = useSearchParams()
  const filters = filtersFrom(params)
  const { page, buyOption } = filters
  const hasColumn = useHasColumn()
  const fetched = useMarket({ ...marketQueryOf(filters), page: Math.ceil(page / pagesPerFetch) })

  const { offers, auctions } = useConfig()
  const unsupported = isUnsupported(buyOption, { offers, auctions })
  const { items, total, similar } = unsupported ? { items: [], total: 0, similar: false } : fetched
  const start = ((page - 1) % pagesPerFetch) * itemsPerPage
  const lastPage = Math.max(1, Math.ceil(total / itemsPerPage))

  // From the address, not from `params`: leaving a field and choosing another filter may happen before the next render.
  const change = (changes: Partial<Filters>, how: 'replace' | 'push' = 'push') => {
    const present = filtersFrom(new URLSearchParams(window.location.search))
    setParams(filtersTo({ ...present, page: 1, ...changes }), { replace: how === 'replace' })
  }

  // A page beyond the last one, of an old link or after a sale: the last one.
  const isBeyond = !fetched.loading && !fetched.stale && total > 0 && page > lastPage
  useEffect(() => {
    if (isBeyond) setParams(filtersTo({ ...filtersFrom(params), page: lastPage }), { replace: true })
  }, [isBeyond, lastPage, setParams])

  const turnTo = (next: number) => {
    change({ page: next })
    document.getElementById('works')?.scrollIntoView()
  }
  const isEmpty = !fetched.loading && !fetched.error && total === 0
  const result = fetched.loading || fetched.error ? '' : resultText({ filters, total, similar, offers, auctions })

  return (
    <>
      <PageTitle>{titleOf(filters, pages.explore.title)}</PageTitle>
      <PageHead title={pages.explore.title} crumb="Explore" compact>
        <FilterForm filters={filters} onChange={change}>
          {!hasColumn && <RefineSheet filters={filters} found={result} onChange={change} />}
        </FilterForm>
        <ActiveFilters filters={filters} onChange={change} onClear={() => setParams({})} />
      </PageHead>
      <div className="explore wrap">
        {hasColumn && (
          <aside className="explore__side" aria-label="Sort and filter">
            <RefineFields filters={filters} onChange={change} />
          </aside>
        )}
        <div id="works" className="explore__works">
          <ItemGrid
            title="Discover Items"
            note={
              <p className="page-head__result" role="status">
                {result}
              </p>
            }
            items={items.slice(start, start + itemsPerPage)}
            loading={fetched.loading || isBeyond}
            paging={{ page, hasNext: page < lastPage, pages: lastPage, onPage: turnTo }}
            nextStep={
              fetched.error ? (
                <Button variant="secondary" onClick={fetched.retry}>
                  Try again
                </Button>
              ) : activeFilters(filters).length > 0 ? (
                <Button variant="secondary" onClick={() => setParams({})}>
                  Clear filters
                </Button>
              ) : (
                <LinkButton variant="secondary" to={paths.sell}>
                  Sell your work
                </LinkButton>
              )
            }
          />
          {(isEmpty || unsupported) && activeFilters(filters).length > 0 && <NearestWorks filters={filters} />}
        </div>
      </div>
    </>
  )
}
