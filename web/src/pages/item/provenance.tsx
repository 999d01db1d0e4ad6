import './provenance.css'
import type { NftDetail } from '@nifty/api/catalog/public'
import { formatPrice } from '@nifty/api/price'
import { creatorUrl } from '../../api/paths.ts'
import { Link } from '../../ui/link.tsx'
import { Time } from '../../ui/time.tsx'
import { Transaction } from '../../wallet/transaction.tsx'

type Entry = NftDetail['history'][number]

const labels: Record<Entry['what'], { alone: string; person: string }> = {
  minted: { alone: 'Minted', person: 'Minted by' },
  listed: { alone: 'Put on sale', person: 'Put on sale by' },
  moved: { alone: 'Moved to another wallet', person: 'Moved to' },
  sold: { alone: 'Sold', person: 'Sold to' },
}

const custodyTexts = { in: ", into the store's custody", out: ", out of the store's custody" }

/** The item's history, newest first. Events on the chain link to their transaction. */
export function Provenance({ history, explorerUrl }: { history: Entry[]; explorerUrl: string | undefined }) {
  return (
    <ol className="provenance">
      {history.map((entry) => {
        const { what, at, username, price, txHash, custody } = entry
        return (
          <li key={`${what}-${at}-${txHash}`}>
            <p>
              {username ? (
                <>
                  {labels[what].person}{' '}
                  <Link to={creatorUrl(username)} className="plain-link provenance__person">
                    <bdi>{username}</bdi>
                  </Link>
                </>
              ) : (
                labels[what].alone
              )}
              {price !== null && <> for {formatPrice(price)}</>}
              {custody && custodyTexts[custody]}
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
