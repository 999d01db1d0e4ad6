import './item-page.css'
import { itemTitle } from '@nifty/api/pages'
import { Suspense, useEffect } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router-dom'
import { useCurrentUser } from '../../account/use-current-user.ts'
import { creatorUrl, itemUrl } from '../../api/paths.ts'
import { useConfig } from '../../api/use-config.ts'
import { type ItemAddress, useItem } from '../../items/use-item.ts'
import { PageTitle } from '../../layout/page-title.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { Link } from '../../ui/link.tsx'
import { ItemArt } from './item-art.tsx'
import { ItemFacts } from './item-facts.tsx'
import { ItemPageLoading } from './item-page-loading.tsx'
import { ItemPanel } from './item-panel.tsx'
import { MissingItem } from './missing-item.tsx'
import { PriceHistory } from './price-history.tsx'
import { Provenance } from './provenance.tsx'

// Below the fold: its code loads after the item.
const RelatedWorks = lazyComponent(() => import('./related-works.tsx'), 'RelatedWorks')

export function ItemPage() {
  const address = useParams() as ItemAddress
  const { item, loading, mutate } = useItem(address)
  const { user, loading: userLoading } = useCurrentUser()
  const { explorerUrl } = useConfig()
  const { search, state } = useLocation()
  const navigate = useNavigate()

  // Contract and identifier decide; a URL with a former owner's name is replaced by the present one.
  const owner = item ? (item.ownerUsername ?? 'unknown') : address.username
  useEffect(() => {
    if (item && owner !== address.username) navigate(itemUrl(item) + search, { replace: true, state })
  }, [item, owner, address.username, navigate, search, state])

  // The panel depends on the user, so it waits for both responses: nothing shifts afterwards.
  if (loading || (item && userLoading)) return <ItemPageLoading key={item?._id} item={item} />
  if (!item) return <MissingItem address={address} onRetry={() => void mutate()} />

  return (
    <>
      <article className="item-page wrap">
        <PageTitle>{itemTitle(item)}</PageTitle>
        <div className="item-page__main">
          <div className="item-page__art">
            <ItemArt item={item} />
          </div>
          <ItemPanel key={item._id} item={item} user={user} reload={mutate} />
        </div>
        <div className="item-page__more">
          <section>
            <h2>About this work</h2>
            <p className="item-page__text" dir="auto">
              {item.description || 'No description.'}
            </p>
            {item.ownerUsername && (
              <p>
                <Link to={creatorUrl(item.ownerUsername)} className="item-page__collection">
                  From this collection
                </Link>
              </p>
            )}
          </section>
          <section className="item-page__details">
            <h2>Details</h2>
            <ItemFacts item={item} />
          </section>
          {item.history.length > 0 && (
            <section>
              <h2>Provenance</h2>
              <Provenance history={item.history} explorerUrl={explorerUrl} />
            </section>
          )}
          <PriceHistory history={item.history} />
        </div>
      </article>
      <ErrorBoundary at={item._id} fallback={null}>
        <Suspense fallback={null}>
          <RelatedWorks item={item} />
        </Suspense>
      </ErrorBoundary>
    </>
  )
}
