import type { Auction } from '@nifty/api/catalog/public'
import { Price } from '../../ui/price.tsx'
import { type AuctionState, clockText, momentText, priceLabel, stateText } from '../auction-state.ts'

type Props = { auction: Auction; state: AuctionState; now: number }

/** Price, state and clock of an auction. Changes of price and state are announced, the clock is not. */
export function AuctionFacts({ auction, state, now }: Props) {
  const { opening, price, endsAt } = auction
  return (
    <>
      <div role="status">
        <p className="panel__label">{priceLabel(auction)}</p>
        <p className="panel__price">
          <Price euros={price ?? opening} />
        </p>
        <p>{stateText(auction, state, now)}</p>
      </div>
      {state === 'running' && endsAt && (
        <p>
          Ends in{' '}
          <strong className="tabular" role="timer">
            {clockText(Date.parse(endsAt) - now)}
          </strong>
          {' · '}
          <time dateTime={endsAt}>{momentText(endsAt, now)}</time>
        </p>
      )}
    </>
  )
}
