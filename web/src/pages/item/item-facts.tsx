import './item-facts.css'
import type { NftDetail } from '@nifty/api/catalog/public'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { shorten } from '../../ui/shorten.ts'
import { Time } from '../../ui/time.tsx'

type Props = {
  item: Pick<
    NftDetail,
    'contract' | 'identifier' | 'custody' | 'royaltyPercent' | 'category' | 'width' | 'height' | 'history'
  >
}

/** What a collector asks of a work first, then the token's data on the chain. */
export function ItemFacts({ item }: Props) {
  const { contract, identifier, custody, royaltyPercent, category, width, height, history } = item
  const minted = history.findLast(({ what }) => what === 'minted')
  return (
    <Facts
      className="item-facts"
      entries={[
        ['Size', width > 0 && height > 0 && `${width} × ${height} px`],
        ['Edition', '1 of 1'],
        ['Minted', minted && <Time at={minted.at} as="day" />],
        ['Licence', 'Personal use'],
        ['Category', category],
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
      ]}
    />
  )
}
