import { type FoundOffer, listOffers } from '@nifty/api/catalog/offer-search'
import type { EndpointQuery } from '@nifty/api/endpoint'
import type { ReactNode } from 'react'
import { Link } from '../../ui/link.tsx'
import { Price } from '../../ui/price.tsx'
import { Time } from '../../ui/time.tsx'
import { EndedState } from '../endings/ended-state.tsx'
import { AccountLink } from '../links/account-link.tsx'
import { OrderLink } from '../links/order-link.tsx'
import { useAccounts } from '../links/use-accounts.ts'
import { useStore } from '../store/use-store.ts'
import { Pages, usePages } from '../table/pages.tsx'
import { Section } from '../table/section.tsx'
import { Table } from '../table/table.tsx'
import { ReleaseOffer } from './release-offer.tsx'

export type OfferSearch = NonNullable<EndpointQuery<typeof listOffers>>

type Props = { title: string; search: OfferSearch; about?: ReactNode; aside?: ReactNode; empty?: string }

/** Offers that a search finds, newest first, page by page. */
export function FoundOffers({ title, search, about, aside, empty = 'No offer.' }: Props) {
  const { after, ...pages } = usePages(JSON.stringify(search))
  const query = { ...search, ...(after && { after }) }
  const loaded = useStore('catalog', listOffers, { query }, { refreshInterval: 30_000 })
  const names = useAccounts((loaded.data?.offers ?? []).flatMap(({ buyerId, ownerId }) => [buyerId, ownerId]))
  return (
    <Section title={title} about={about} loaded={loaded} aside={aside}>
      {({ offers, next }) => (
        <>
          <Table<FoundOffer>
            caption={title}
            rows={offers}
            rowKey={({ orderId }) => orderId}
            empty={empty}
            columns={[
              { title: 'Offer', cell: ({ orderId }) => <OrderLink id={orderId} /> },
              { title: 'Work', cell: ({ itemId, name }) => <Link to={`/works/${itemId}`}>{name}</Link> },
              {
                title: 'Buyer and owner',
                cell: ({ buyerId, ownerId }) => (
                  <>
                    <AccountLink id={buyerId} name={names.get(buyerId)?.username} />
                    <br />
                    <AccountLink id={ownerId} name={names.get(ownerId)?.username} />
                  </>
                ),
              },
              { title: 'State', cell: ({ state, why }) => <EndedState of="offer" state={state} why={why} /> },
              { title: 'End', cell: offerEnd },
              { title: 'Price', isNumber: true, cell: ({ price }) => <Price euros={price} /> },
              {
                title: '',
                cell: ({ orderId, name, price, state }) => (
                  <div className="table__actions">
                    {state === 'open' && <ReleaseOffer orderId={orderId} name={name} price={price} />}
                  </div>
                ),
              },
            ]}
          />
          <Pages after={after} next={next} {...pages} />
        </>
      )}
    </Section>
  )
}

/** When it ended; of one that waits for its owner, when it will end. */
function offerEnd({ state, endsAt, endedAt }: FoundOffer) {
  if (endedAt)
    return (
      <>
        ended <Time at={endedAt} as="recent" />
      </>
    )
  return (
    state === 'open' &&
    endsAt && (
      <>
        ends <Time at={endsAt} as="recent" />
      </>
    )
  )
}
