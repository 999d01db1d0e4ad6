import '../../ui/steps.css'
import './line-progress.css'
import type { LineState } from '@nifty/api/payments/line-states'
import type { Order, OrderLine } from '@nifty/api/payments/public'
import type { ReactNode } from 'react'
import { itemUrl } from '../../api/paths.ts'
import { useMovableFrom } from '../../custody/use-movable-from.ts'
import { useWithdrawalOf } from '../../custody/use-withdrawals.ts'
import { useGiftOf } from '../../gifts/use-gifts.ts'
import { isConditional, isUndecidedBid, stepsOf } from '../../orders/order.ts'
import { holderOf, ownedLines } from '../../orders/order-copy.ts'
import { Link } from '../../ui/link.tsx'
import { Price } from '../../ui/price.tsx'
import { shorten } from '../../ui/shorten.ts'
import { Time } from '../../ui/time.tsx'
import { Transaction } from '../../wallet/transaction.tsx'
import { AuctionEnd } from './auction-end.tsx'

/** The text of the current step. */
function currentText(state: LineState, order: Order): ReactNode {
  const { kind, decideBy } = order
  if (state === (isConditional({ kind }) ? 'held' : 'authorised')) return 'As soon as you have paid.'
  if (state === 'authorised' && kind === 'bid') return <AuctionEnd order={order} />
  if (state !== 'authorised' || decideBy === null) return 'In a moment...'
  return (
    <>
      The owner can accept until <Time at={decideBy} as="recent" />.
    </>
  )
}

type Props = { line: OrderLine; order: Order; explorerUrl: string | undefined }

/** One order line with its steps; announced to screen readers when they change. */
export function LineProgress({ line, order, explorerUrl }: Props) {
  const movableFrom = useMovableFrom()
  const { name, image, price, contract, identifier, sellerUsername, txHash } = line
  const withdrawal = useWithdrawalOf(order)(line)
  const { giftOf } = useGiftOf(order)
  const holder = holderOf({ ...order, lines: [line] }, { giftOf })
  const url = itemUrl({ ownerUsername: sellerUsername, contract, identifier })
  return (
    <section className="line-progress" aria-label={name}>
      <div className="line-progress__art">
        <img src={`${image}?w=640`} alt="" width="320" height="400" />
      </div>
      <div className="line-progress__content">
        <h2>
          <Link to={url} className="plain-link">
            <bdi>{name}</bdi>
          </Link>
        </h2>
        <p>
          {isUndecidedBid(order) && 'Up to '}
          <Price euros={price} />
        </p>
        <ol className="line-progress__steps steps" aria-live="polite">
          {stepsOf(line, { ...order, given: holder === 'given' }).map(({ state, title, text, at, phase }) => (
            <li key={state} data-phase={phase} aria-current={phase === 'now' ? 'step' : undefined}>
              <p className="line-progress__title">
                {title}
                {at && (
                  <span className="line-progress__at">
                    <Time at={at} as="recent" />
                  </span>
                )}
              </p>
              {phase !== 'next' && (
                <p className="line-progress__text">{phase === 'now' ? currentText(state, order) : text}</p>
              )}
              {state === 'delivering' && txHash && <Transaction hash={txHash} explorerUrl={explorerUrl} />}
            </li>
          ))}
        </ol>
        {withdrawal && (
          <p className="line-progress__kept">
            You moved it from our custody to your wallet {shorten(withdrawal.wallet, 6, 6)},{' '}
            <Time at={withdrawal.createdAt} as="recent" />.
          </p>
        )}
        {!withdrawal && order.wallet === null && holder === 'custody' && ownedLines({ lines: [line] }).length > 0 && (
          <p className="line-progress__kept">
            We keep it for you, free of charge. You can move it to a wallet of your own {movableFrom}, at no cost, on{' '}
            <Link to={url}>the page of the work</Link>.
          </p>
        )}
      </div>
    </section>
  )
}
