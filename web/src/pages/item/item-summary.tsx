import type { NftDetail } from '@nifty/api/catalog/public'
import type { ReactNode } from 'react'
import { creatorUrl } from '../../api/paths.ts'
import type { ItemPreview } from '../../items/artwork.tsx'
import { Link } from '../../ui/link.tsx'
import { Skeleton } from '../../ui/state.tsx'
import { BuyControl } from './buy-control.tsx'
import { ItemArt } from './item-art.tsx'
import { OwnerCard } from './owner-card.tsx'

type Person = NonNullable<NftDetail['owner']>

export type ItemSummaryProps = {
  item: ItemPreview
  artist: Person | null
  owner: Person | null
  label?: string
  price: ReactNode
  description: ReactNode
  /** Absent for an own work, and for one on auction. */
  state: 'for-sale' | 'reserved' | 'not-for-sale' | undefined
}

/**
 * Artist, price and owner of a work: the item page in the document, and in the app until the user is loaded.
 * `early-input.ts` keeps what is pressed here for the page that follows.
 */
export const ItemSummary = ({
  item,
  artist,
  owner,
  label = 'Market Price',
  price,
  description,
  state,
}: ItemSummaryProps) => {
  const isArtists = artist !== null && artist.username === owner?.username
  return (
    <div className="item-page wrap" data-early>
      <div className="item-page__main">
        <div className="item-page__art">
          <ItemArt item={item} />
        </div>
        <div className="panel">
          <div className="panel__label-of-work">
            {artist && <OwnerCard person={artist} labels={isArtists ? ['Artist', 'Owner'] : ['Artist']} />}
            <h1 tabIndex={-1} dir="auto">
              {item.name}
            </h1>
            {!isArtists && <OwnerCard person={owner} labels={['Owner']} />}
          </div>
          <p className="panel__keep">
            <Skeleton className="panel__skeleton" />
          </p>
          <div className="panel__part" data-owner={owner?.username ?? ''}>
            <div>
              <p className="panel__label">{label}</p>
              <p className="panel__price">{price}</p>
            </div>
            {state === 'not-for-sale' && (
              <p>
                <span className="panel__not-for-sale">NOT FOR SALE</span>
              </p>
            )}
            {state === 'reserved' && <p>Someone is paying for this work right now.</p>}
            {state === 'for-sale' && <BuyControl price={price} />}
          </div>
        </div>
      </div>
      <div className="item-page__more">
        <section>
          <h2>About this work</h2>
          <p className="item-page__text" dir="auto">
            {description}
          </p>
          {owner && (
            <p>
              <Link to={creatorUrl(owner.username)} className="item-page__collection">
                From this collection
              </Link>
            </p>
          )}
        </section>
      </div>
    </div>
  )
}

/** The summary of an item that the API has responded with. */
export const stateOf = ({ forSale, reserved }: Pick<NftDetail, 'forSale' | 'reserved'>) =>
  reserved ? 'reserved' : forSale ? 'for-sale' : 'not-for-sale'

/** In the place of a price, as `markup.ts` of the documents has it. */
export const unpricedText = ({ offers }: Pick<NftDetail, 'offers'>) => (offers ? 'By offer' : 'Not priced yet')
