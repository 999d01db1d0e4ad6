import '../../ui/steps.css'
import './mint-status.css'
import type { Mint } from '@nifty/api/minting/public'
import type { ReactNode } from 'react'
import { Transaction } from '../../wallet/transaction.tsx'

/** The item in the market: not there yet, there without a listing, or for sale. */
export type MarketState = 'pending' | 'unlisted' | 'listed'

type Props = {
  mint: Mint
  marketState: MarketState
  explorerUrl: string | undefined
  /** The link to the item, once it exists. */
  link: ReactNode
}

/** The progress of one mint. */
export function MintStatus({ mint, marketState, explorerUrl, link }: Props) {
  const { name, image, state, price, txHash } = mint
  const steps = [
    { title: 'Submitted', done: true },
    { title: 'Minted on the chain', done: state === 'minted' },
    price === null
      ? { title: 'In your works', done: marketState !== 'pending' }
      : { title: 'On sale', done: marketState === 'listed' },
  ]
  const current = steps.findIndex(({ done }) => !done)
  return (
    <article className="mint-status">
      <img src={`${image}?w=320`} alt="" width="80" height="100" />
      <div className="mint-status__content">
        <h3>{name}</h3>
        {state === 'failed' ? (
          <p className="mint-status__failed" role="status">
            Minting failed. Nothing was written to the blockchain. Please submit the work again.
          </p>
        ) : (
          <ol className="mint-status__steps steps" aria-live="polite">
            {steps.map(({ title, done }, index) => (
              <li
                key={title}
                data-phase={done ? 'done' : index === current ? 'now' : 'next'}
                aria-current={index === current ? 'step' : undefined}
              >
                {title}
                {done && <span className="visually-hidden"> (done)</span>}
              </li>
            ))}
          </ol>
        )}
        {marketState === 'unlisted' && price !== null && (
          <p>
            Minted, but not on sale yet. If the work is in your own wallet, put it on sale with "Manage" below: this
            needs one signature.
          </p>
        )}
        {txHash && state !== 'failed' && <Transaction hash={txHash} explorerUrl={explorerUrl} />}
      </div>
      <div className="mint-status__action">{link}</div>
    </article>
  )
}
