import { type FoundAuction, listAuctions } from '@nifty/api/catalog/auction-search'
import type { EndpointQuery } from '@nifty/api/endpoint'
import { plural } from '@nifty/api/plural'
import type { ReactNode } from 'react'
import { Link } from '../../ui/link.tsx'
import { Price } from '../../ui/price.tsx'
import { Time } from '../../ui/time.tsx'
import { EndedState } from '../endings/ended-state.tsx'
import { AccountLink } from '../links/account-link.tsx'
import { useAccounts } from '../links/use-accounts.ts'
import { useStore } from '../store/use-store.ts'
import { Pages, usePages } from '../table/pages.tsx'
import { Section } from '../table/section.tsx'
import { Table } from '../table/table.tsx'

export type AuctionSearch = NonNullable<EndpointQuery<typeof listAuctions>>

type Props = { title: string; search: AuctionSearch; about?: ReactNode; aside?: ReactNode; empty: string }

/** Auctions that a search finds, newest first, page by page. */
export function FoundAuctions({ title, search, about, aside, empty }: Props) {
  const { after, ...pages } = usePages(JSON.stringify(search))
  const query = { ...search, ...(after && { after }) }
  const loaded = useStore('catalog', listAuctions, { query }, { refreshInterval: 30_000 })
  const names = useAccounts((loaded.data?.auctions ?? []).map(({ sellerId }) => sellerId))
  return (
    <Section title={title} about={about} loaded={loaded} aside={aside}>
      {({ auctions, next }) => (
        <>
          <Table<FoundAuction>
            caption={title}
            rows={auctions}
            rowKey={({ id }) => id}
            empty={empty}
            columns={[
              { title: 'Auction of', cell: ({ id, name }) => <Link to={`/auctions/${id}`}>{name}</Link> },
              {
                title: 'Seller',
                cell: ({ sellerId, sellerVoided }) => (
                  <>
                    <AccountLink id={sellerId} name={names.get(sellerId)?.username} />
                    {sellerVoided > 0 && (
                      <>
                        <br />
                        {voidedWords(sellerVoided)}
                      </>
                    )}
                  </>
                ),
              },
              { title: 'State', cell: ({ state, why }) => <EndedState of="auction" state={state} why={why} /> },
              { title: 'End', cell: (auction) => <AuctionEnd auction={auction} /> },
              { title: 'Bids that stood', isNumber: true, cell: ({ bids }) => bids },
              { title: 'Opening price', isNumber: true, cell: ({ opening }) => <Price euros={opening} /> },
              {
                title: 'Price',
                isNumber: true,
                cell: ({ price }) => price !== null && <Price euros={price} />,
              },
            ]}
          />
          <Pages after={after} next={next} {...pages} />
        </>
      )}
    </Section>
  )
}

/** Void auctions of one seller that had bids. */
export const voidedWords = (count: number) => `${plural(count, 'auction')} void after bids`

/** Whether it is over, and when it ended or will end. */
export function AuctionEnd({ auction: { startsAt, endsAt, endedAt, hours } }: { auction: FoundAuction }) {
  if (endedAt)
    return (
      <>
        ended <Time at={endedAt} as="recent" />
      </>
    )
  if (endsAt === null) return <>{hours} h after the first bid</>
  const now = new Date()
  if (new Date(endsAt) <= now)
    return (
      <>
        bids closed <Time at={endsAt} as="recent" />
      </>
    )
  const starts = startsAt !== null && new Date(startsAt) > now
  return (
    <>
      {starts && (
        <>
          starts <Time at={startsAt} as="recent" />,{' '}
        </>
      )}
      ends <Time at={endsAt} as="recent" />
    </>
  )
}
