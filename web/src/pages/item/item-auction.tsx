import './offer.css'
import './buy-control.css'
import type { CurrentUser } from '@nifty/api/auth/account'
import type { NftDetail } from '@nifty/api/catalog/public'
import { formatPrice, priceRange } from '@nifty/api/price'
import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { paths } from '../../api/paths.ts'
import { useConfig } from '../../api/use-config.ts'
import { isNearEnd, isOnAuction, isShown, stateOf, stateText, takesBids } from '../../auctions/auction-state.ts'
import { AuctionFacts } from '../../auctions/panel/auction-facts.tsx'
import { BidHistory } from '../../auctions/panel/bid-history.tsx'
import { leastBid, leastBidText, ownBidsOf } from '../../auctions/panel/own-bids.ts'
import { OwnerAuction } from '../../auctions/panel/owner-auction.tsx'
import { useReload } from '../../auctions/panel/use-reload.ts'
import { useServerNow } from '../../auctions/server-clock.ts'
import { isPlaced } from '../../orders/order.ts'
import { useOffers } from '../../orders/use-orders.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { Link } from '../../ui/link.tsx'
import { Price } from '../../ui/price.tsx'
import { Spinner } from '../../ui/state.tsx'
import { OwnBid } from './own-bid.tsx'
import type { useChoices } from './use-choices.ts'

const BidForm = lazyComponent(() => import('./bid-form.tsx'), 'BidForm')

type Props = {
  item: NftDetail
  user: CurrentUser | undefined
  isOwner: boolean
  /** The auction that the owner has started on this page. */
  started: string | undefined
  choices: ReturnType<typeof useChoices>
  /** The item of a response; undefined where it is to be fetched again. */
  onChanged: (item?: NftDetail) => void
  /** Refetches the item alone, without the lists. */
  reload: () => Promise<unknown>
  /** A visitor who is logged out wants to bid. */
  onConnect: () => void
}

/** The auction of a work: while it is not decided, in the place of the price; afterwards one sentence. */
export function ItemAuction({ item, user, isOwner, started, onChanged, ...rest }: Props) {
  const now = useServerNow(1_000)
  const auction = item.auction && isShown(item.auction, now) ? item.auction : null
  // To who has become the owner while the page was open, it shows how their bid went on.
  const [wasOwner] = useState(isOwner)
  const isBuyer = !isOwner || (!wasOwner && auction?.outcome !== null)
  if (!isBuyer && isOnAuction(item)) return <OwnerAuction item={item} started={started} onChanged={onChanged} />
  if (!isBuyer) return auction && <p className="notice">{`${stateText(auction, stateOf(auction, now), now)}.`}</p>
  return <Bidding item={item} auction={auction} user={user} now={now} {...rest} />
}

type BiddingProps = Omit<Props, 'isOwner' | 'started' | 'onChanged'> & { auction: NftDetail['auction']; now: number }

function Bidding({ item, auction, user, choices, reload, onConnect, now }: BiddingProps) {
  const config = useConfig()
  const [open, setOpen] = useState(false)
  const [params] = useSearchParams()
  const asked = params.get('bid')
  const { orders, loading, mutate } = useOffers({ enabled: user !== undefined })
  const [followed, follow] = useState<string>()
  const own = ownBidsOf(orders, { itemId: item._id, auction, asked, followed })
  if (own.standing && own.standing._id !== followed) follow(own.standing._id)
  const leading = own.standing && isPlaced(own.standing) ? own.standing._id : undefined
  const readPrice = useEffectEvent(() => void reload())
  // The work may have been read before the bid was counted.
  useEffect(() => {
    if (leading) readPrice()
  }, [leading])
  const hasBid = orders.some(({ auctionId }) => auction !== null && auctionId === auction._id)
  const shown = [own.standing, own.open, own.ended].filter((order) => order !== undefined)
  // The item first: with a bid that leads, its page shows the price that this bid has made.
  const changed = () => void reload().then(() => mutate())
  useReload(auction !== null && isNearEnd(auction, now), () => void reload())

  const state = auction ? stateOf(auction, now) : undefined
  const canBid = !loading && auction !== null && state !== undefined && takesBids(state) && config.auctions !== false
  const leads = own.standing?.state === 'held'
  const ownLimit = leads ? (own.standing?.limit ?? undefined) : undefined
  const minimum = auction === null ? 0 : leastBid(auction, ownLimit)
  const hasRoom = minimum <= priceRange.max
  return (
    <>
      {auction && state && isOnAuction(item) && <AuctionFacts auction={auction} state={state} now={now} />}
      {auction && state && !isOnAuction(item) && (
        <p className="notice" role="status">{`${stateText(auction, state, now)}.`}</p>
      )}
      {asked && !user && (
        <p className="notice" role="status">
          Please <Link to={paths.login}>log in</Link> to see your bid.
        </p>
      )}
      {loading && <div className="offer__place" />}
      {shown.map((order) => (
        <OwnBid key={order._id} order={order} state={state} hasReturned={order._id === asked} onChanged={changed} />
      ))}
      {canBid && !hasRoom && <p className="notice">The price has reached the highest amount that this store takes.</p>}
      {canBid && hasRoom && (
        <div className="offer__make">
          <div className="buy buy--low">
            <div className="buy__act">
              <p className="buy__price" aria-hidden="true">
                <Price euros={auction.price ?? auction.opening} />
              </p>
              <Button
                className="buy__button"
                variant={leads || own.open ? 'secondary' : 'primary'}
                onClick={() => (user ? setOpen(true) : onConnect())}
              >
                {leads ? 'Raise' : 'Place a bid'}
              </Button>
            </div>
          </div>
          <p className="notice">
            {leads
              ? `To raise, enter more than ${formatPrice(ownLimit ?? 0)}. Raising changes neither the price nor the end.`
              : `${leastBidText(auction)} A bid in the last 15 minutes moves the end to 15 minutes after it.`}
          </p>
          <Dialog
            open={open && user !== undefined}
            title={leads ? 'Raise your bid' : 'Place a bid'}
            onClose={() => setOpen(false)}
          >
            <ErrorBoundary at="bid" fallback={<p role="alert">The form could not be loaded. Please try again.</p>}>
              <Suspense fallback={<Spinner />}>
                {user && (
                  <BidForm
                    item={item}
                    auction={auction}
                    minimum={minimum}
                    ownLimit={ownLimit}
                    user={user}
                    choices={choices}
                    onChanged={changed}
                    onLoggedOut={() => {
                      setOpen(false)
                      onConnect()
                    }}
                  />
                )}
              </Suspense>
            </ErrorBoundary>
          </Dialog>
        </div>
      )}
      {auction && isOnAuction(item) && (
        <BidHistory auction={auction} now={now} hasBid={hasBid} onNewer={() => void reload()} />
      )}
    </>
  )
}
