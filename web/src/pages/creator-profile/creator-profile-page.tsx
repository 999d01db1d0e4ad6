import './creator-profile-page.css'
import type { Exhibitions } from '@nifty/api/catalog/exhibitions'
import type { Nft } from '@nifty/api/catalog/public'
import { useParams, useSearchParams } from 'react-router-dom'
import { useCurrentUser } from '../../account/use-current-user.ts'
import { pageOf } from '../../api/page-of.ts'
import { creatorUrl, paths, settingsUrl } from '../../api/paths.ts'
import { FollowButton } from '../../creators/follows/follow-button.tsx'
import { useProfile } from '../../creators/use-profile.ts'
import { ExhibitionCard } from '../../exhibitions/exhibition-card.tsx'
import { useExhibitions } from '../../exhibitions/use-exhibitions.ts'
import { ItemGrid, itemsPerPage } from '../../items/item-grid.tsx'
import { imageOf } from '../../items/item-image.ts'
import { useItemsOf } from '../../items/use-market.ts'
import { MissingPage } from '../../layout/page/missing-page.tsx'
import { ReturnCard } from '../../layout/page/return-card.tsx'
import { PageTitle } from '../../layout/page-title.tsx'
import { ShareButton } from '../../share/share-button.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { fullName } from '../../ui/full-name.ts'
import { CreatorBanner, CreatorBannerSkeleton } from './creator-banner.tsx'

export function CreatorProfilePage() {
  const { username = '' } = useParams()
  const { profile, error, loading, reload } = useProfile(username)
  const works = useItemsOf(username)
  const { user, loading: userLoading } = useCurrentUser()
  const series = useExhibitions({ artist: username })
  const [params, setParams] = useSearchParams()

  const own = user !== undefined && user.username === profile?.username
  // What can be bought or is on auction first; in each group the newest.
  const isOffered = ({ forSale, auction }: Nft) => Number(forSale || auction !== null)
  const items = [...works.items].sort((a, b) => isOffered(b) - isOffered(a))
  const lastPage = Math.max(1, Math.ceil(works.items.length / itemsPerPage))
  const page = Math.min(pageOf(params), lastPage)
  const turnTo = (next: number) => {
    setParams(next > 1 ? { page: String(next) } : {})
    document.getElementById('works')?.scrollIntoView()
  }

  // The banner has the actions of who looks at it; what is above the works would move them.
  const isKnown = profile !== undefined && !userLoading
  if (!profile && !loading) return <Missing notFound={error?.status === 404} onRetry={() => void reload()} />

  return (
    <>
      <PageTitle>{profile ? fullName(profile) : username}</PageTitle>
      {isKnown ? (
        <CreatorBanner profile={profile} images={works.loading ? null : <BannerImages items={works.items} />}>
          {user && !own && <FollowButton artist={profile} />}
          <ShareButton path={creatorUrl(profile.username)} title={fullName(profile)} />
          {own && (
            <>
              <LinkButton variant="secondary" to={settingsUrl(user._id)}>
                Edit profile
              </LinkButton>
              {user.admin && (
                <LinkButton variant="secondary" to={paths.studio}>
                  Studio
                </LinkButton>
              )}
            </>
          )}
        </CreatorBanner>
      ) : (
        <CreatorBannerSkeleton />
      )}
      {own && <ReturnCard />}
      {isKnown && (series.exhibitions || series.error) && (
        <>
          <Series exhibitions={series.exhibitions ?? []} />
          <div id="works" className="creator-profile__works">
            <ItemGrid
              title="Discover Items"
              showMore
              items={items.slice((page - 1) * itemsPerPage, page * itemsPerPage)}
              loading={works.loading}
              own={own}
              paging={{ page, pages: lastPage, hasNext: page < lastPage, onPage: turnTo }}
              nextStep={
                works.error ? <TryAgain onRetry={works.retry} /> : <NextStep own={own} admin={user?.admin ?? false} />
              }
            />
          </div>
        </>
      )}
    </>
  )
}

/** The artist's series; nothing without one. */
function Series({ exhibitions }: { exhibitions: Exhibitions['exhibitions'] }) {
  if (exhibitions.length === 0) return null
  return (
    <section className="creator-profile__series wrap" aria-labelledby="series">
      <div className="section-head">
        <h2 id="series">Series</h2>
      </div>
      <ul>
        {exhibitions.map((series) => (
          <li key={series.slug}>
            <ExhibitionCard exhibition={series} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Up to five item images side by side; a default image without items. */
function BannerImages({ items }: { items: Nft[] }) {
  const shown = items.slice(0, 5)
  if (shown.length === 0) return <img src="/backdrop.svg" alt="" />
  return shown.map((item) => (
    <img
      key={item._id}
      {...imageOf(item)}
      sizes={`${Math.round(100 / shown.length)}vw`}
      alt=""
      style={{ backgroundColor: item.color }}
    />
  ))
}

function NextStep({ own, admin }: { own: boolean; admin: boolean }) {
  if (own && admin) return <LinkButton to={paths.studio}>Mint your first work</LinkButton>
  return (
    <LinkButton variant="secondary" to={paths.explore}>
      Explore works
    </LinkButton>
  )
}

const TryAgain = ({ onRetry }: { onRetry: () => void }) => (
  <Button variant="secondary" onClick={onRetry}>
    Try again
  </Button>
)

function Missing({ notFound, onRetry }: { notFound: boolean; onRetry: () => void }) {
  return (
    <MissingPage
      title={notFound ? 'User not Found' : 'This profile could not be loaded'}
      text={notFound ? 'There is no user with this name.' : 'The store is not available right now.'}
      onRetry={notFound ? undefined : onRetry}
    >
      <LinkButton to={paths.creators}>See all creators</LinkButton>
    </MissingPage>
  )
}
