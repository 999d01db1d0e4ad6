import './item-facts.css'
import type { NftDetail } from '@nifty/api/catalog/public'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { shorten } from '../../ui/shorten.ts'

type Props = { item: Pick<NftDetail, 'contract' | 'identifier' | 'custody' | 'royaltyPercent' | 'category'> }

/** The token's data on the chain. */
export const ItemFacts = ({ item: { contract, identifier, custody, royaltyPercent, category } }: Props) => (
  <Facts
    className="item-facts"
    entries={[
      [
        'Contract Address',
        contract ? (
          <>
            {shorten(contract, 6, 6)} <CopyButton text={contract} label="Copy contract address" />
          </>
        ) : (
          'No contract address'
        ),
      ],
      [
        'Token ID',
        identifier ? (
          <>
            {shorten(identifier, 5, 5)} <CopyButton text={identifier} label="Copy token ID" />
          </>
        ) : (
          'Unavailable'
        ),
      ],
      // Spelled so in the specification.
      ['Blockchain', 'Polygone'],
      ['Held', custody ? "In the store's custody" : "In its owner's wallet"],
      ['Royalty to the creator', `${royaltyPercent} %`],
      ['Category', category],
    ]}
  />
)
