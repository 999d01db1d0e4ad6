import './item-page.css'
import type { NftDetail } from '@nifty/api/catalog/public'
import { itemTitle } from '@nifty/api/pages'
import { useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router-dom'
import { useCurrentUser } from '../../account/use-current-user.ts'
import { creatorUrl, itemUrl } from '../../api/paths.ts'
import { useConfig } from '../../api/use-config.ts'
import { type ItemAddress, useItem, useKeepItem } from '../../items/use-item.ts'
import { PageTitle } from '../../layout/page-title.tsx'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { LazyPart } from '../../ui/lazy-part.tsx'
import { Link } from '../../ui/link.tsx'
import { ItemArt } from './item-art.tsx'
import { ItemFacts } from './item-facts.tsx'
import { ItemPageLoading } from './item-page-loading.tsx'
import { ItemPanel } from './item-panel.tsx'
import { MissingItem } from './missing-item.tsx'
import { PriceHistory } from './price-history.tsx'
import { Provenance } from './provenance.tsx'
import { useItemParts } from './use-item-parts.ts'

// Below the fold: its code loads after the item.
const RelatedWorks = lazyComponent(() => import('./related-works.tsx'), 'RelatedWorks')

export function ItemPage() {
  const address = useParams() as ItemAddress
  const { item, loading, mutate } = useItem(address)
  const keepItem = useKeepItem()
  const { user, loading: userLoading } = useCurrentUser()
  const isReady = useItemParts(item)
  const { explorerUrl } = useConfig()
  const { search, state } = useLocation()
  const navigate = useNavigate()

  // Contract and identifier decide; a URL with a former owner's name is replaced by the present one. The page stays as
  // it is: its item is known under the new URL as well.
  const owner = item ? (item.ownerUsername ?? 'unknown') : address.username
  const replaceUrl = useEffectEvent((shown: NftDetail) => {
    void keepItem({ ...address, username: owner }, shown)
    navigate(itemUrl(shown) + search, { replace: true, state })
  })
  useEffect(() => {
    if (item && owner !== address.username) replaceUrl(item)
  }, [item, owner, address.username])

  // The panel depends on the user, so it waits for both responses: nothing shifts afterwards.
  if (loading || (item && (userLoading || !isReady))) return <ItemPageLoading key={item?._id} item={item} />
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
      <LazyPart at={item._id}>
        <RelatedWorks item={item} />
      </LazyPart>
    </>
  )
}
