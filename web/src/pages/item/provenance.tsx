import './provenance.css'
import type { NftDetail } from '@nifty/api/catalog/public'
import { Link } from 'react-router-dom'
import { creatorUrl } from '../../paths.ts'
import { formatPrice } from '../../ui/price.tsx'
import { Time } from '../../ui/time.tsx'
import { Transaction } from '../../ui/transaction.tsx'

type Entry = NftDetail['history'][number]

const words: Record<Entry['what'], { alone: string; person: string }> = {
  minted: { alone: 'Minted', person: 'Minted by' },
  listed: { alone: 'Put on sale', person: 'Put on sale by' },
  moved: { alone: 'Moved to another wallet', person: 'Moved to' },
  sold: { alone: 'Sold', person: 'Sold to' },
}

/** Where the work came from, newest first. What happened on the chain carries its transaction. */
export function Provenance({ history, explorerUrl }: { history: Entry[]; explorerUrl: string | undefined }) {
  return (
    <ol className="provenance">
      {history.map((entry) => {
        const { what, at, username, price, txHash } = entry
        return (
          <li key={`${what}-${at}-${txHash}`}>
            <p>
              {username ? (
                <>
                  {words[what].person}{' '}
                  <Link to={creatorUrl(username)} className="quiet-link provenance__who">
                    {username}
                  </Link>
                </>
              ) : (
                words[what].alone
              )}
              {price !== null && <> for {formatPrice(price)}</>}
            </p>
            <p className="provenance__when">
              <Time at={at} />
              {txHash && <Transaction hash={txHash} explorerUrl={explorerUrl} />}
            </p>
          </li>
        )
      })}
    </ol>
  )
}
