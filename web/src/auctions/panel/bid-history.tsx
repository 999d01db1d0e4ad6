import { type AuctionBid, getOwnBidder, listAuctionBids } from '@nifty/api/catalog/auctions'
import type { Auction } from '@nifty/api/catalog/public'
import { useEffect, useEffectEvent, useState } from 'react'
import { useEndpoint } from '../../api/use-endpoint.ts'
import { Button } from '../../ui/button.tsx'
import { Price } from '../../ui/price.tsx'
import { momentText } from '../auction-state.ts'
import { bidsOfPrice } from './bids-of-price.ts'

/** Milliseconds between two requests while the bids are older than the price. */
const refetchedEvery = 1_500
/** Entries before "Show all". */
const shownAtFirst = 5
const placeholders = Array.from({ length: shownAtFirst }, (_, index) => index)

type Props = {
  auction: Auction
  now: number
  /** A bid of the visitor's stood: which number is theirs is read. */
  hasBid?: boolean
  /** The bids are newer than the auction, which is to be fetched again. */
  onNewer: () => void
}

/** The public history of an auction: "Bidder 3, 120 €, 14:02", and who leads. It is never newer than the price. */
export function BidHistory({ auction, now, hasBid = false, onNewer }: Props) {
  const { _id, bids, price, outcome } = auction
  const [all, setAll] = useState(false)
  const { data, mutate } = useEndpoint(listAuctionBids, bids > 0 ? { params: { id: _id } } : null)
  const own = useEndpoint(getOwnBidder, bids > 0 && hasBid ? { params: { id: _id } } : null)
  const { entries, leads, differs } = bidsOfPrice(data, auction)

  const isUnknown = hasBid && own.data?.bidder === null
  const refetch = useEffectEvent(() => {
    void mutate()
    if (isUnknown) void own.mutate()
  })
  useEffect(() => {
    if (bids > 0) refetch()
  }, [bids, price])
  // A cached response may be a second old.
  useEffect(() => {
    if (differs !== 'older') return
    const timer = setInterval(() => refetch(), refetchedEvery)
    return () => clearInterval(timer)
  }, [differs])
  const reload = useEffectEvent(onNewer)
  useEffect(() => {
    if (differs === 'newer') reload()
  }, [differs, data])

  if (bids === 0) return null
  const nameOf = (bidder: number) => `Bidder ${bidder}${bidder === own.data?.bidder ? ' (you)' : ''}`
  const leading = outcome === 'awarded' ? ' won' : ' leads'
  return (
    <div className="offer__make">
      <h2 className="panel__label">Bids</h2>
      <ol aria-label="Bids, the newest first" className="panel__notes">
        {(all ? entries : entries.slice(0, shownAtFirst)).map((bid, place) => (
          <li key={`${bid.at} ${bid.bidder} ${bid.withdrawn}`}>
            <Entry bid={bid} now={now} nameOf={nameOf} leading={place === 0 && leads ? leading : ''} />
          </li>
        ))}
        {/* As high as what replaces it. */}
        {!data && placeholders.slice(0, bids).map((place) => <li key={place}>{'\u00a0'}</li>)}
      </ol>
      {!all && entries.length > shownAtFirst && (
        <Button variant="text" onClick={() => setAll(true)}>
          Show all bids
        </Button>
      )}
    </div>
  )
}

type EntryProps = { bid: AuctionBid; now: number; nameOf: (bidder: number) => string; leading: string }

/** The price is that of who led after the bid, whom a server of a former release does not name. */
function Entry({ bid: { bidder, leader = bidder, price, at, withdrawn }, now, nameOf, leading }: EntryProps) {
  const time = <time dateTime={at}>{momentText(at, now)}</time>
  if (withdrawn) return <>A bid was withdrawn, {time}</>
  return (
    <>
      {nameOf(leader)}
      {leading}, <Price euros={price} />, {time}
      {leader !== bidder && `. ${nameOf(bidder)} was outbid at once`}
    </>
  )
}
