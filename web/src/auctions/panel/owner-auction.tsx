import type { NftDetail } from '@nifty/api/catalog/public'
import { useEffect, useRef } from 'react'
import { isNearEnd, stateOf } from '../auction-state.ts'
import { useServerNow } from '../server-clock.ts'
import { AuctionFacts } from './auction-facts.tsx'
import { BidHistory } from './bid-history.tsx'
import { CancelAuction } from './cancel-auction.tsx'
import { RenewPermit } from './renew-permit.tsx'
import { useReload } from './use-reload.ts'

type Props = {
  item: NftDetail
  /** The auction that was started here: it gets the focus, and so the view, which the form was far below. */
  started: string | undefined
  /** The item of a response; undefined where it is to be fetched again. */
  onChanged: (item: NftDetail | undefined) => void
}

/** For its owner: the auction of a work, which can be cancelled until a bid stands. */
export function OwnerAuction({ item, started, onChanged }: Props) {
  const now = useServerNow(1_000)
  const { auction } = item
  const section = useRef<HTMLElement>(null)
  const isStartedHere = auction !== null && auction._id === started
  useEffect(() => {
    if (isStartedHere) section.current?.focus()
  }, [isStartedHere])
  useReload(auction !== null && isNearEnd(auction, now), () => onChanged(undefined))
  if (!auction) return null
  const state = stateOf(auction, now)
  return (
    <section ref={section} className="offer__own" aria-label="Your auction" tabIndex={-1}>
      <AuctionFacts auction={auction} state={state} now={now} />
      {state === 'waiting' && !item.custody && <RenewPermit item={item} hours={auction.hours} now={now} />}
      {auction.outcome === null && auction.price === null && state !== 'closing' && (
        <CancelAuction auction={auction} onChanged={onChanged} />
      )}
      {auction.price !== null && auction.outcome === null && state !== 'closing' && (
        <p className="notice">A bid stands, so the auction cannot be cancelled.</p>
      )}
      <BidHistory auction={auction} now={now} onNewer={() => onChanged(undefined)} />
    </section>
  )
}
