import './explore-page.css'
import { pages } from '@nifty/api/pages'
import { useSearchParams } from 'react-router-dom'
import { ItemGrid, itemsPerPage } from '../../items/item-grid.tsx'
import { marketLimit, useMarket } from '../../items/use-market.ts'
import { PageHead } from '../../layout/page-head.tsx'
import { Button } from '../../ui/button.tsx'
import { FilterForm } from './filter-form.tsx'
import { type Filters, filtersFrom, filtersTo, isUnsupported } from './filters.ts'

const pagesPerFetch = marketLimit / itemsPerPage

export function ExplorePage() {
  const [params, setParams] = useSearchParams()
  const filters = filtersFrom(params)
  const { search, category, buyOption, page } = filters
  const fetched = useMarket({
    search,
    category,
    buyOption: buyOption === 'true' ? 'now' : undefined,
    page: Math.ceil(page / pagesPerFetch),
  })

  // Auctions and offers are not supported yet: these filters match nothing.
  const { items, total } = isUnsupported(buyOption) ? { items: [], total: 0 } : fetched
  const start = ((page - 1) % pagesPerFetch) * itemsPerPage

  const change = (changes: Partial<Filters>, how: 'replace' | 'push' = 'push') =>
    setParams((before) => filtersTo({ ...filtersFrom(before), page: 1, ...changes }), { replace: how === 'replace' })

  const turnTo = (next: number) => {
    change({ page: next })
    document.getElementById('works')?.scrollIntoView()
  }

  return (
    <>
      <PageHead title={pages.explore.title} crumb="Explore">
        <FilterForm filters={filters} onChange={change} />
      </PageHead>
      <div id="works" className="explore-works">
        <ItemGrid
          title="Discover Items"
          items={items.slice(start, start + itemsPerPage)}
          loading={fetched.loading}
          paging={{ page, hasNext: page * itemsPerPage < total, onPage: turnTo }}
          nextStep={
            fetched.error ? (
              <Button variant="secondary" onClick={fetched.retry}>
                Try again
              </Button>
            ) : (
              <Button variant="secondary" onClick={() => setParams({})}>
                Clear filters
              </Button>
            )
          }
        />
      </div>
    </>
  )
}
