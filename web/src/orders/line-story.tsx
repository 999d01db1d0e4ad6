import '../ui/steps.css'
import './line-story.css'
import type { LineState, Order, OrderLine } from '@nifty/api/payments'
import { Link } from 'react-router-dom'
import { itemUrl } from '../paths.ts'
import { Moment } from '../ui/moment.tsx'
import { Price } from '../ui/price.tsx'
import { Transaction } from '../ui/transaction.tsx'
import { stepsOf } from './order.ts'

/** What the step that comes next waits for. */
const waiting = (state: LineState) => (state === 'authorised' ? 'As soon as your bank confirms it.' : 'In a moment...')

type Props = { line: OrderLine; timeline: Order['timeline']; explorerUrl: string | undefined }

/** One bought work and what has happened to it so far, live. */
export function LineStory({ line, timeline, explorerUrl }: Props) {
  const { name, image, price, contract, identifier, sellerUsername, txHash } = line
  const url = itemUrl({ ownerUsername: sellerUsername, contract, identifier })
  return (
    <section className="line-story" aria-label={name}>
      <div className="line-story__art">
        <img src={`${image}?w=640`} alt="" width="320" height="400" />
      </div>
      <div className="line-story__words">
        <h2>
          <Link to={url} className="quiet-link">
            {name}
          </Link>
        </h2>
        <p>
          <Price euros={price} />
        </p>
        <ol className="line-story__steps steps" aria-live="polite">
          {stepsOf(line, timeline).map(({ state, title, text, at, phase }) => (
            <li key={state} data-phase={phase} aria-current={phase === 'now' ? 'step' : undefined}>
              <p className="line-story__title">
                {title}
                {at && (
                  <span className="line-story__at">
                    <Moment at={at} as="clock" />
                  </span>
                )}
              </p>
              {phase !== 'next' && <p className="line-story__text">{phase === 'now' ? waiting(state) : text}</p>}
              {state === 'delivering' && txHash && <Transaction hash={txHash} explorerUrl={explorerUrl} />}
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}
