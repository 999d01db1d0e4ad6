import type { CurrentUser } from '@nifty/api/auth/account'
import type { Nft } from '@nifty/api/catalog/public'
import { formatPrice } from '@nifty/api/price'
import { useState } from 'react'
import { creatorUrl, itemUrl } from '../../api/paths.ts'
import { useConfig } from '../../api/use-config.ts'
import { useWithdrawals } from '../../custody/use-withdrawals.ts'
import { Artwork } from '../../items/artwork.tsx'
import { ItemPrice, useAuctionPrices } from '../../items/item-price.tsx'
import { useItemsOf, useSoldWorks } from '../../items/use-market.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Link } from '../../ui/link.tsx'
import { Pagination } from '../../ui/pagination/pagination.tsx'
import { shorten } from '../../ui/shorten.ts'
import { Empty, Spinner } from '../../ui/state.tsx'
import { itemLabel } from './item-label.ts'
import { ManageItem } from './manage-item.tsx'
import { WithdrawalRow } from './withdrawal-row.tsx'

const perPage = 8

/**
 * The creator's items, each with its management dialog, the works that others own since a sale, and the withdrawals
 * from custody.
 */
export function StudioItems({ user, onChanged }: { user: CurrentUser; onChanged: () => void }) {
  const own = useItemsOf(user.username)
  const sold = useSoldWorks(user.username)
  const { items } = own
  const isOwn = ({ _id }: Nft) => items.some((item) => item._id === _id)
  const works = [...items, ...sold.items.filter((item) => !isOwn(item))]
  const isReady = useAuctionPrices(works)
  const loading = own.loading || sold.loading || !isReady
  const isMissing = (own.error && items.length === 0) || (sold.error && works.length === 0)
  const retry = () => {
    own.retry()
    sold.retry()
  }
  const { withdrawals } = useWithdrawals()
  const { explorerUrl } = useConfig()
  const [page, setPage] = useState(1)
  const [managed, setManaged] = useState<string>()
  const shown = loading ? [] : works.slice((page - 1) * perPage, page * perPage)
  const chosen = items.find(({ _id }) => _id === managed)
  const nameOf = (contract: string, identifier: string) =>
    works.find((item) => item.contract === contract && item.identifier === identifier)

  return (
    <>
      <section aria-labelledby="own-works">
        <h2 id="own-works">Your works</h2>
        {loading && <Spinner label="Loading your works" />}
        {!loading && !isMissing && works.length === 0 && <Empty title="No NFTs available" />}
        {isMissing && (
          <Empty title="Your works could not be loaded.">
            <Button variant="secondary" onClick={retry}>
              Try again
            </Button>
          </Empty>
        )}
        <ul className="studio__works">
          {shown.map((item) => (
            <li key={item._id} className="studio__work">
              <span className="studio__thumbnail" aria-hidden="true">
                <Artwork item={item} sizes="64px" />
              </span>
              <Link to={itemUrl(item)} className="studio__name plain-link">
                {itemLabel(item, works)}
              </Link>
              <span className="studio__price">
                {isOwn(item) ? <ItemPrice item={item} /> : <SoldTo owner={item.ownerUsername} />}
                {isOwn(item) && item.forSale && item.offers && (
                  <span className="studio__offers">Offers from {formatPrice(item.offers.minimum)}</span>
                )}
                {item.reserved && !item.auction && <span className="studio__reserved">Being sold</span>}
              </span>
              {isOwn(item) && (
                <Button
                  variant="secondary"
                  onClick={() => setManaged(item._id)}
                  aria-label={`Manage ${itemLabel(item, works)}`}
                >
                  Manage
                </Button>
              )}
            </li>
          ))}
        </ul>
        {works.length > perPage && (
          <Pagination
            page={page}
            pages={Math.ceil(works.length / perPage)}
            hasNext={page * perPage < works.length}
            onPage={setPage}
            label="Pages of your works"
          />
        )}
      </section>
      {withdrawals.length > 0 && (
        <section aria-labelledby="withdrawals">
          <h2 id="withdrawals">Withdrawals</h2>
          {withdrawals.map((withdrawal) => {
            const { _id, contract, identifier } = withdrawal
            const item = nameOf(contract, identifier)
            return (
              <WithdrawalRow
                key={_id}
                withdrawal={withdrawal}
                name={
                  item ? (
                    <Link to={itemUrl(item)}>
                      <bdi>{item.name}</bdi>
                    </Link>
                  ) : (
                    `Token ${shorten(identifier, 5, 5)}`
                  )
                }
                explorerUrl={explorerUrl}
              />
            )
          })}
        </section>
      )}
      <Dialog open={chosen !== undefined} title={chosen?.name ?? ''} onClose={() => setManaged(undefined)}>
        {chosen && <ManageItem item={chosen} user={user} onChanged={onChanged} />}
      </Dialog>
    </>
  )
}

/** `owner`: null where the wallet that holds the token belongs to no account. */
const SoldTo = ({ owner }: { owner: string | null }) => (
  <>
    Sold
    {owner && (
      <>
        {', now of '}
        <Link to={creatorUrl(owner)}>
          <bdi>{owner}</bdi>
        </Link>
      </>
    )}
  </>
)
