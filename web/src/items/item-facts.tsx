import './item-facts.css'
import type { NftDetail } from '@nifty/api/catalog'
import { CopyButton } from '../ui/copy-button.tsx'
import { shorten } from '../ui/shorten.ts'

type Props = { item: Pick<NftDetail, 'contract' | 'identifier' | 'custody' | 'royaltyPercent' | 'category'> }

/** What the chain knows about the token. */
export function ItemFacts({ item: { contract, identifier, custody, royaltyPercent, category } }: Props) {
  return (
    <dl className="item-facts">
      <div>
        <dt>Contract Address</dt>
        <dd className="tabular">
          {contract ? (
            <>
              {shorten(contract, 6, 6)} <CopyButton text={contract} label="Copy contract address" />
            </>
          ) : (
            'No contract address'
          )}
        </dd>
      </div>
      <div>
        <dt>Token ID</dt>
        <dd className="tabular">
          {identifier ? (
            <>
              {shorten(identifier, 5, 5)} <CopyButton text={identifier} label="Copy token ID" />
            </>
          ) : (
            'Unavailable'
          )}
        </dd>
      </div>
      <div>
        <dt>Blockchain</dt>
        <dd>Polygone</dd>
      </div>
      <div>
        <dt>Held</dt>
        <dd>{custody ? "In the store's custody for its owner" : "In its owner's wallet"}</dd>
      </div>
      <div>
        <dt>Royalty to the creator</dt>
        <dd className="tabular">{royaltyPercent} %</dd>
      </div>
      {category && (
        <div>
          <dt>Category</dt>
          <dd>{category}</dd>
        </div>
      )}
    </dl>
  )
}
