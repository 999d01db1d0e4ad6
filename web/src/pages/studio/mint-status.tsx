import '../../ui/steps.css'
import './mint-status.css'
import type { Mint } from '@nifty/api/minting/public'
import type { ReactNode } from 'react'
import { Transaction } from '../../ui/transaction.tsx'

/** How the finished work stands in the store: not there yet, there without a price, or to be bought. */
export type Hanging = 'awaited' | 'hung' | 'on-sale'

type Props = {
  mint: Mint
  hanging: Hanging
  explorerUrl: string | undefined
  /** The way to the work, once there is one. */
  link: ReactNode
}

/** One work on its way from the form to the wall. */
export function MintStatus({ mint, hanging, explorerUrl, link }: Props) {
  const { name, image, state, price, txHash } = mint
  const steps = [
    { title: 'Handed in', done: true },
    { title: 'Minted on the chain', done: state === 'minted' },
    price === null
      ? { title: 'In your works', done: hanging !== 'awaited' }
      : { title: 'On sale', done: hanging === 'on-sale' },
  ]
  const current = steps.findIndex(({ done }) => !done)
  return (
    <article className="mint-status">
      <img src={`${image}?w=320`} alt="" width="80" height="100" />
      <div className="mint-status__words">
        <h3>{name}</h3>
        {state === 'failed' ? (
          <p className="mint-status__failed" role="status">
            It could not be minted. Nothing was put on the chain: please hand it in again.
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
        {hanging === 'hung' && price !== null && (
          <p>It hangs. If it is in your own wallet, put it on sale with "Manage" below: you sign once.</p>
        )}
        {txHash && state !== 'failed' && <Transaction hash={txHash} explorerUrl={explorerUrl} />}
      </div>
      <div className="mint-status__next">{link}</div>
    </article>
  )
}
