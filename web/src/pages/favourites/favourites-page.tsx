import { useSearchParams } from 'react-router-dom'
import './favourites-page.css'
import { pages } from '@nifty/api/pages'
import { paths } from '../../api/paths.ts'
import { useSession } from '../../api/session.ts'
import { FollowedArtists } from '../../creators/follows/followed-artists.tsx'
import { useFavourites } from '../../items/favourites/use-favourites.ts'
import { ItemGrid, itemsPerPage } from '../../items/item-grid.tsx'
import { useAuctionPrices } from '../../items/item-price.tsx'
import { PageHead } from '../../layout/page/page-head.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { Empty, Notice } from '../../ui/state.tsx'
import { useFavouriteItems } from './use-favourite-items.ts'

export function FavouritesPage() {
  const { token } = useSession()
  const favourites = useFavourites()
  const [params, setParams] = useSearchParams()

  const ids = favourites.itemIds ?? []
  const lastPage = Math.max(1, Math.ceil(ids.length / itemsPerPage))
  const asked = Number(params.get('page'))
  const page = Number.isInteger(asked) && asked > 0 ? Math.min(asked, lastPage) : 1
  const works = useFavouriteItems(ids.slice((page - 1) * itemsPerPage, page * itemsPerPage))
  const error = favourites.error ?? works.error
  const isReady = useAuctionPrices(works.items)
  const loading = !favourites.itemIds || works.loading || !isReady

  const turnTo = (next: number) => {
    setParams(next > 1 ? { page: String(next) } : {})
    scrollTo({ top: 0 })
  }
  const retry = () => void (favourites.error ? favourites.reload() : works.reload())

  return (
    <>
      <PageHead title={pages.favourites.title} crumb="Favourites" />
      {!token && (
        <div className="wrap favourites-page__notice">
          <Notice>
            These are kept in this browser only. <Link to={paths.login}>Log in</Link> to keep them in your account and
            to hear of new prices.
          </Notice>
        </div>
      )}
      {error && works.items.length === 0 ? (
        <div className="wrap">
          <Empty title="Your favourites could not be loaded.">
            <Button variant="secondary" onClick={retry}>
              Try again
            </Button>
          </Empty>
        </div>
      ) : favourites.itemIds?.length === 0 ? (
        <div className="wrap">
          <Empty title="No favourites yet">
            <p>Press the heart of a work, and it is kept here.</p>
            <LinkButton to={paths.explore}>Explore works</LinkButton>
          </Empty>
        </div>
      ) : (
        <ItemGrid
          title="Works"
          items={works.items}
          loading={loading}
          paging={lastPage > 1 ? { page, pages: lastPage, hasNext: page < lastPage, onPage: turnTo } : undefined}
          nextStep={<p>The works that you marked here are not shown in the store now.</p>}
        />
      )}
      {/* Below as many placeholders as there may be works it would move. */}
      {token && (!loading || error) && <FollowedArtists />}
    </>
  )
}
